# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit Euler."""

from types import MappingProxyType
from typing import Any

import numpy as np

from .. import forces
from ..solvers.implicit_step import ImplicitStep
from ..solvers.local_global import LocalGlobal
from ..solvers.newton import Newton
from ..solvers.newton_pcg import GRADIENTS
from ..state import State
from .integrator import REFINING, Integrator, whole_number
from .potential_step import PotentialStep

# Relative residual at which a linearised step that contacts are in ends: with a third of that frames take a quarter
# more.
_ENOUGH = 1e-3


class ImplicitEuler(Integrator):
    """Backward Euler with the true stiffness matrix, factorised at every iteration.

    newton_iterations = 1 is the linearised step (M - dt D - dt^2 H) dv = dt (f + dt H v), H = df/dx,
    D = df/dv, with the part of H that belongs to a compressed spring's sideways motion clamped to zero: the
    matrix is positive definite then.
    More are iterations of Newton's method, see `newton.Newton`, until the gradient is below `tolerance` times
    the forces in it.

    Where contacts are in a step, linearised springs are not enough: what stops is displaced against what goes on. Such
    a step minimises the objective with contacts in it, see `PotentialStep`.

    Order 1, implicit, unconditionally stable. Costs a factorisation of a 3n x 3n matrix an iteration.
    Baraff and Witkin 1998, eq. 16; Choi and Ko 2002 for the clamping.
    """

    label = "Implicit Euler"
    also = "Backward Euler"
    number = 550_976_506
    description = (
        "Implicit and stable at every step, with an exact solve instead of iterations on one matrix: much "
        "slower, the reference for stiff springs"
    )
    order = 1
    needs_scipy = True
    minimises_contacts = True
    moves_air = False
    options = MappingProxyType({"newton_iterations": 1, "tolerance": 1e-10, "backend": "AUTO"})
    newton_iterations: int
    tolerance: float
    backend: str
    _held: Any

    def prepare(self):
        """Find the sparsity pattern of the matrix, which stays the same."""
        count = self.newton_iterations
        whole_number("newton_iterations", count)
        if not 0.0 < self.tolerance < 1.0:
            raise ValueError(f"tolerance is {self.tolerance}: it must be between 0 and 1")
        network = self.system.network
        self._newton = Newton(network, self.dt, self.backend)
        self._problem = ImplicitStep(network, self.dt)
        contacts = self.system.contacts
        self._touching = PotentialStep(contacts, network, self.dt, self.dt)
        self._held = LocalGlobal(network, self.dt, self.backend) if contacts.count else None
        self._residual, self._touches = 0.0, False
        # Where the last step ended and began [m], shape (3, vertex_count), and when it ended [s].
        self._last: tuple[np.ndarray, np.ndarray, float] | None = None

    def step(self, state):
        """Linearised step, or Newton's method, from the start of the step."""
        system, dt = self.system, self.dt
        force = system.external_forces(state.x, state.v, state.t)
        y = state.x + dt * state.v + dt**2 * (force / system.network.masses[:, None])
        y[system.network.hard_pins] = system.hard_targets()
        y, start = np.ascontiguousarray(y.T), np.ascontiguousarray(state.x.T)
        aims = y, start, system.soft_targets(state.t + dt)
        if self._held is None:
            return self._ended(self._free(aims), start, state.t + dt)
        self._touching.begin(state)
        first = self._touching.prepared(self._held, dt, force, aims, lambda **_: y.copy())
        self._touches = self._touching.touches
        end = self._in_contact(aims, first) if self._touches else self._free(aims)
        return self._touching.ended(self._ended(end, start, state.t + dt), None)[0]

    def _free(self, aims):
        """Positions at the end of a step that no contacts are in [m], shape (3, vertex_count)."""
        network, problem, (y, start, _) = self.system.network, self._problem, aims
        problem.begin(*aims)
        known = np.zeros(start.shape[::-1])
        known[network.hard_pins] = (y - start).T[network.hard_pins]
        if self.newton_iterations > 1:
            count = int(self.newton_iterations)
            end, self._residual = self._newton.minimise(problem, start + known.T, count, self.tolerance)
            return end
        gradient, at = problem.gradient(start).T, np.ascontiguousarray(start.T)
        blocks = forces.spring_blocks(network, at, compressed=0.0)
        blocks += forces.damping_blocks(network, at) / self.dt
        how = {"definite": True, "enclosures": problem.enclosures}
        increment = self._newton.solve(start, blocks, gradient, known, self._newton.backend, **how)
        end = start + np.ascontiguousarray(increment.T)
        self._residual = problem.residual(end)
        return end

    def _in_contact(self, aims, first):
        """The same with contacts, by iterations that begin at `first` [m]."""
        count = int(self.newton_iterations)
        tolerance = self.tolerance if count > 1 else _ENOUGH
        how = {"iterations": GRADIENTS * count, "acceleration": "NEWTON", "tolerance": tolerance}
        return self._held.minimise(*aims, first=first, contacts=self._touching, **how)

    def _ended(self, end, start, t):
        """The State of a step from start to end [m], shape (3, vertex_count), at t [s]."""
        self._last = end, start, t
        return State(np.ascontiguousarray(end.T), np.ascontiguousarray((end - start).T) / self.dt, t)

    def refined(self):
        """State after the last step with a few iterations more."""
        if self._last is None:
            return None
        end, start, t = self._last
        if self._touches or self._residual <= self.tolerance:
            return None
        end, self._residual = self._newton.minimise(self._problem, end, REFINING, self.tolerance)
        return self._ended(end, start, t)

    def residual(self):
        """Norm of the gradient after the last step over the norms of its two parts, inertia and springs."""
        return self._held.residual() if self._touches else self._residual

    def unsolved(self):
        """See `Integrator.unsolved`; a linearised step is asked for no tolerance."""
        return self.newton_iterations > 1 and super().unsolved()
