# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit Euler."""

from types import MappingProxyType

import numpy as np

from .. import forces
from ..solvers.implicit_step import ImplicitStep
from ..solvers.newton import Newton
from ..state import State
from .integrator import Integrator

# Iterations of Newton's method that refine a step.
_REFINING = 3


class ImplicitEuler(Integrator):
    """Backward Euler with the true stiffness matrix, factorised at every iteration.

    newton_iterations = 1 is the linearised step (M - dt D - dt^2 H) dv = dt (f + dt H v), H = df/dx,
    D = df/dv, with the part of H that belongs to a compressed spring's sideways motion clamped to zero: the
    matrix is positive definite then.
    More are iterations of Newton's method, see `newton.Newton`, until the gradient is below `tolerance` times
    the forces in it.

    Order 1, implicit, unconditionally stable. Costs a factorisation of a 3n x 3n matrix an iteration.
    Baraff and Witkin 1998, eq. 16; Choi and Ko 2002 for the clamping.
    """

    label = "Implicit Euler"
    number = 550_976_506
    description = (
        "Implicit and stable at every step, with an exact solve instead of iterations on one matrix: much "
        "slower, the reference for stiff springs"
    )
    order = 1
    needs_scipy = True
    options = MappingProxyType({"newton_iterations": 1, "tolerance": 1e-10, "backend": "AUTO"})
    newton_iterations: int
    tolerance: float
    backend: str

    def prepare(self):
        """Find the sparsity pattern of the matrix, which stays the same."""
        count = self.newton_iterations
        if not (1 <= count < np.inf and int(count) == count):
            raise ValueError(f"newton_iterations is {count}: give a whole number of at least 1")
        if not 0.0 < self.tolerance < 1.0:
            raise ValueError(f"tolerance is {self.tolerance}: it must be between 0 and 1")
        self._newton = Newton(self.system.network, self.dt, self.backend)
        self._problem = ImplicitStep(self.system.network, self.dt)
        self._residual = 0.0
        self._last: tuple[State, np.ndarray] | None = None

    def step(self, state):
        """Linearised step, or Newton's method, from the start of the step."""
        system, dt = self.system, self.dt
        network = system.network
        external = system.external_forces(state.x, state.v, state.t)
        y = state.x + dt * state.v + dt**2 * (external / network.masses[:, None])
        y[network.hard_pins] = system.hard_targets()
        problem, start = self._problem, np.ascontiguousarray(state.x.T)
        problem.begin(np.ascontiguousarray(y.T), start, system.soft_targets(state.t + dt))
        known = np.zeros_like(state.x)
        known[network.hard_pins] = system.hard_targets() - state.x[network.hard_pins]
        if self.newton_iterations == 1:
            gradient = problem.gradient(start).T
            blocks = forces.spring_blocks(network, state.x, compressed=0.0)
            blocks += forces.damping_blocks(network, state.x) / dt
            x = state.x + self._newton.solve(blocks, gradient, known, self._newton.backend, definite=True)
            self._residual = problem.residual(np.ascontiguousarray(x.T))
        else:
            first, count = start + known.T, int(self.newton_iterations)
            end, self._residual = self._newton.minimise(problem, first, count, self.tolerance)
            x = np.ascontiguousarray(end.T)
        self._last = state, x
        return State(x, (x - state.x) / dt, state.t + dt)

    def refined(self):
        """State after the last step with a few iterations of Newton's method more."""
        if self._last is None or self._residual <= self.tolerance:
            return None
        state, x = self._last
        first = np.ascontiguousarray(x.T)
        end, self._residual = self._newton.minimise(self._problem, first, _REFINING, self.tolerance)
        x = np.ascontiguousarray(end.T)
        self._last = state, x
        return State(x, (x - state.x) / self.dt, state.t + self.dt)

    def residual(self):
        """Norm of the gradient after the last step over the norms of its two parts, inertia and springs."""
        return self._residual

    def unsolved(self):
        """See `Integrator.unsolved`; a linearised step is asked for no tolerance."""
        return self.newton_iterations > 1 and super().unsolved()
