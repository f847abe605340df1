# SPDX-License-Identifier: GPL-3.0-or-later
"""Projective dynamics."""

from functools import partial
from types import MappingProxyType

import numpy as np

from .. import forces
from ..contact.given_back import SoftBodies
from ..kernels.motion import ended_motion
from ..quantities import real_array
from ..solvers.attainable import wave_ways
from ..solvers.local_global import LocalGlobal
from ..solvers.secant import Secant
from ..solvers.single_gradients import FEW
from ..state import State
from .bdf2_history import fallen, moved
from .effective_stiffness import carried, same_matrix, softened
from .global_step import GlobalStep, external, without_springs
from .initial_guess import InitialGuess
from .integrator import REFINING, Integrator, whole_number
from .potential_step import PotentialStep

# Steps of Newton's method in a substep in which nothing touches, and conjugate gradients of each at least. Of a flag of
# cotton that a gust of 50 m/s strikes the worst edge is stretched by 0.10 (Converged), and 0.12, 0.21, 0.05 and 0.05
# with 1 x 3, 1 x 8, 2 x 4 and 2 x 5; a round skirt has folds of 0.2, 11, 5 and 12 mm after half a second.
_FREE_STEPS, _FREE_GRADIENTS = 2, 5


class ProjectiveDynamics(GlobalStep, Integrator):
    """An implicit step as a minimisation, by local/global steps on one prefactored matrix.

    Minimises  1/(2 dt^2) |M^(1/2) (x - y)|^2 + V(x),  y = x_t + dt v_t + dt^2 f_ext / m. Damping adds
    mu/(2 dt) |A(x - x_t) - p|^2 a spring, p the part perpendicular to it at the current iterate; with it the
    iterations converge to backward Euler's equations, which then are no objective's gradient.
    Local step: the spring direction n at the current x. Global step: x -= S^-1 gradient(x) with the constant
    S = M/dt^2 + A^T (K + diag(mu)/dt) A + W, W the soft pins' weights: the classical solve of S x = M y/dt^2 +
    A^T K d + ... as an increment, whose rounding is its own, and whose residual costs nothing.

    Order 1, implicit, unconditionally stable; a moved pin changes only the right side.
    iterations: local/global steps in one step; many converge to backward Euler.
    acceleration: "NEWTON" makes the iterations conjugate gradients for one step of Newton's method, preconditioned
        with S, where long springs are lumped: three do more for the motion than fifty plain ones. Where nothing touches
        there are two steps of at least five each, since three slow down folds; with a tolerance as many as it takes on
        Newton's own matrix, see `converging`. "LBFGS" makes iterations quasi-Newton steps with a line search on the
        same factor; "SECANT" makes the first of a step learn from the step before, see `secant`.
    tolerance: relative residual at which the iterations stop; 0 does all of them. Where thirty have not reached it
        Newton's own matrix takes over, and `iterations` is the most of both.
    carried_stiffness: "ALL", or "ATTAINABLE" for springs no stiffer than the iterations can do justice to, see
        `attainable`: what would slow the motion down is carried softer. A tolerance carries all.
    time_stepping: "BACKWARD_EULER" or "BDF2", of order 2 and with far less numerical damping: with a = 2/3 dt,
        xb = (4 x_t - x_(t-dt))/3 and vb likewise, the same minimisation has a for dt, xb for x_t, and
        y = xb + a vb + a^2 f_ext/m; v = (x - xb)/a. The first step is backward Euler's.
    backend: linear solver, see `linear.factorise`.

    Liu, Bargteil, O'Brien, Kavan 2013, "Fast Simulation of Mass-Spring Systems", eq. 9-14;
    Bouaziz, Martin, Liu, Kavan, Pauly 2014, "Projective Dynamics", eq. 3-10; Liu, Bouaziz, Kavan 2017 for
    L-BFGS; Hairer and Wanner 1996, "Solving Ordinary Differential Equations II", section III.1 for BDF2.
    """

    minimises_contacts = True
    label = "Projective Dynamics"
    number = 1_170_702_734
    description = "Implicit and fast: stiffness costs nothing extra, and no step is too large to be stable"
    order = 1
    needs_scipy = True
    choices = MappingProxyType(
        {
            "acceleration": ("NONE", "SECANT", "NEWTON", "LBFGS"),
            "carried_stiffness": ("ALL", "ATTAINABLE"),
            "time_stepping": ("BACKWARD_EULER", "BDF2"),
        }
    )
    options = MappingProxyType(
        {
            "iterations": 10,
            "acceleration": "NONE",
            "tolerance": 0.0,
            "carried_stiffness": "ALL",
            "time_stepping": "BACKWARD_EULER",
            "backend": "AUTO",
        }
    )
    iterations: int
    acceleration: str
    tolerance: float
    carried_stiffness: str
    time_stepping: str
    backend: str

    def prepare(self):
        """Build and factorise S."""
        _check(self.iterations, self.tolerance)
        self._iterations, self._free = _iterations(self), _free(self)
        self._second_order, self.order = (True, 2) if self.time_stepping == "BDF2" else (False, 1)
        self._given, self._previous = self.system.network, None
        self._network = carried(self, self._iterations)
        self._main = self._last = _solver(self, 2.0 / 3.0 * self.dt if self._second_order else self.dt)
        self._touching = PotentialStep(self.system.contacts, self._network, self.dt, self._main.dt)
        self._beginning = InitialGuess(self.system, self._network)
        self._soft = SoftBodies(self._network, self.system.contacts, self.dt)
        self._secant = Secant(self.system.network) if self.acceleration == "SECANT" else None

    @property
    def network(self):
        """See `Integrator.network`."""
        return self._network

    def wave_ways(self):
        """See `Integrator.wave_ways`."""
        return None if self._network is self.system.network else wave_ways(self._network, self._iterations)

    def follow(self, other):
        """See `Integrator.follow`: accounts of impacts and forces of contacts serve in steps of any length."""
        forces_of_contacts = self.system.contacts.history
        self.restore_history(())
        self._soft.restore(other._soft.history)
        self.system.contacts.restore(forces_of_contacts)

    def elastic_energy(self, x, t):
        """Energy of the springs as they are carried, of soft pins, and what surfaces store of impacts [J]."""
        pins = forces.pin_energy(self._network, x, self.system.soft_targets(t))
        return forces.spring_energy(self._network, x) + pins + self._soft.stored

    def change(self):
        """Rest lengths leave S, and what is carried, as they are; anything else of the springs makes another."""
        given = self.system.network
        if same_matrix(given, self._given):
            self._given, self._network = given, softened(given, self._network.stiffness)
            self._touching = PotentialStep(self.system.contacts, self._network, self.dt, self._main.dt)
            for part in (self._soft, self._main):
                part.change(self._network)
        else:
            self.prepare()

    def step(self, state):
        """One step of backward Euler or of BDF2."""
        self._touching.begin(state)
        if not self._second_order:
            after = self._solved(self._main, state, None)
        else:
            # Backward Euler has another matrix, needed for the first step alone.
            solver = _solver(self, self.dt) if self._previous is None else self._main
            after = self._solved(solver, state, self._previous)
            self._previous = self._touching.past
        after, self._previous = self._touching.ended(after, self._previous)
        after, self._previous = self._soft.given(state, after, self._previous, self._force)
        return after

    def _solved(self, solver, state, previous):
        """State after a step of the formula (x' - x)/a = v', (v' - v)/a = f'/m, a the solver's dt.

        previous: State one step before, for BDF2, or None.
        """
        system = self.system
        force = external(system, state, previous, self.dt)
        y, start = without_springs(system, solver.dt, state, previous, force)
        self._last, targets = solver, system.soft_targets(state.t + self.dt)
        aims = y, start, targets
        begin = partial(self._beginning.of, solver, state, self._previous, y, start, force, self.dt)
        first = self._touching.prepared(solver, self.dt, force, aims, begin)
        how = {"acceleration": self.acceleration, "tolerance": self.tolerance, "secant": self._secant}
        how |= {"iterations": int(self.iterations), "free": self._free}
        end = solver.minimise(*aims, first=first, contacts=self._touching, **how)
        self._end, self._force = (end, start, state.t + self.dt), force
        return self._ended()

    def refined(self):
        """State after the last step with a few quasi-Newton iterations more."""
        if (closer := self._last.refined(REFINING)) is None:
            return None
        self._end = closer, *self._end[1:]
        return self._ended()

    def _ended(self):
        """State where the last iteration ended."""
        return _state(*self._end, self._last.dt)

    @property
    def history(self):
        """Of BDF2 positions [m] and velocities [m/s] one step before, after a step; of `Secant`; of `SoftBodies`; of
        contacts.
        """
        past = () if self._previous is None else (self._previous.x, self._previous.v)
        if self._secant is not None:
            past += self._secant.history
        return past + self._soft.history + self.system.contacts.history

    def restore_history(self, arrays):
        """Continue from a `history`, of which all but an account comes in pairs, a `Secant`'s once it was asked.

        Raises ValueError for arrays that are no history of this method.
        """
        own = max(len(arrays) - len(self.system.contacts.history), 0)
        arrays, of_contacts = arrays[:own], arrays[own:]
        past, more = 2 * self._second_order, 0 if self._secant is None else 2
        pairs = len(arrays) - (len(arrays) % 2 if self._soft.history else 0)
        if pairs not in (0, past, past + more):
            raise ValueError(_no_history(self, len(arrays)))
        self._soft.restore(arrays[pairs:])
        self._previous = State(*arrays[:past]) if past and pairs else None
        if self._secant is not None:
            self._secant.restore_history(arrays[past:pairs])
        self.system.contacts.restore(of_contacts)

    def correct(self, returned, corrected):
        """Move the past of vertices that contacts struck to where their new motion would come from.

        A contact is an impulse: with it in BDF2's differences a vertex would rebound by a third of the speed it lost.
        """
        if self._previous is None:
            return
        self._previous = moved(self._previous, returned, corrected, self.system.network, self.dt)

    def let_go(self, particles, state):
        """See `Integrator.let_go`: of what held them BDF2 would take half of the first step's gain."""
        if self._previous is not None and len(particles):
            self._previous = fallen(self._previous, state, self.system, particles, self.dt)

    def residual(self):
        """Norm of the gradient after the last step over the norms of its two parts, inertia and springs."""
        return self._last.residual()

    @property
    def backend_name(self):
        """Name of the linear solver in use."""
        return self._main.factor.name


def _no_history(method, count):
    return (
        f"{method.label} with {method.time_stepping} keeps no history of {count} arrays: restore what a simulation "
        "with the same time_stepping and acceleration gave"
    )


def _solver(method, a):
    """LocalGlobal for the formulas of a ProjectiveDynamics, of a [s]."""
    few = _few(method) and max(method._free) <= FEW
    kinds = {"lump": method.acceleration == "NEWTON", "few": few, "airs": method.system.airs}
    kinds["stiffness"] = method.system.network.stiffness
    return LocalGlobal(method.network, a, method.backend, **kinds)


def _check(iterations, tolerance):
    whole_number("iterations", iterations)
    if not (real_array("tolerance", tolerance).ndim == 0 and 0.0 <= tolerance < 1.0):
        raise ValueError(f"tolerance is {tolerance}: it must be at least 0 and below 1")


def _few(method):
    """Whether conjugate gradients are as many as a number says."""
    return method.acceleration == "NEWTON" and not method.tolerance


def _iterations(method):
    """Iterations whose stiffness is carried."""
    # In wind that has inertia as many as single precision serves for: less stiff flags are slow, see docs/air.md.
    blown = any(force.carries and force.flow is not None for force in method.system.resisting)
    return max(int(method.iterations), FEW if _few(method) and method.system.airs and blown else 1)


def _free(method):
    """Conjugate gradients of every step of Newton's method where nothing touches."""
    return _FREE_STEPS * (max(int(method.iterations), _FREE_GRADIENTS if _few(method) else 1),)


def _state(end, start, t, a):
    """State at t [s] with the velocity of a formula that goes from start to end, shape (3, n), in a [s]."""
    x, v = np.empty(end.shape[::-1]), np.empty(end.shape[::-1])
    ended_motion(np.ascontiguousarray(end), start, a, x, v)
    return State(x, v, t)
