# SPDX-License-Identifier: GPL-3.0-or-later
"""Verlet."""

from types import MappingProxyType

import numpy as np

from ..forces import spring_forces
from ..state import State
from .integrator import Integrator


class Verlet(Integrator):
    """Stoermer-Verlet: x(t+dt) = (2-l) x(t) - (1-l) x(t-dt) + a dt^2, with l = 1 - exp(-c dt).

    The state carries v = (x(t) - x(t-dt))/dt + dt/2 a instead of x(t-dt): with c = 0 this is velocity Verlet,
    and the first step needs no special case.
    Order 2 at c = 0, explicit, symplectic. One evaluation of the spring forces a step; forces that depend on
    the velocity are evaluated at both ends of it. Stable for dt < 2 / w_max at c = 0, and otherwise for
    w_max dt < sqrt(2 (2-l)).
    damping_rate: c [1/s] >= 0, rate at which all velocities decay; damping_factor: l itself, 0 <= l <= 1, the share of
        the velocity that a step takes, whatever its dt. Give one of the two.

    Verlet 1967, eq. 4; Jakobsen 2001 for the damped form.
    """

    label = "Verlet"
    number = 42_598_480
    description = (
        "The best explicit choice: second order, bounded energy for long times, one force evaluation a step. "
        "Stiff springs need very small steps"
    )
    order = 2
    stability_limit = 2.0
    options = MappingProxyType({"damping_rate": 0.0, "damping_factor": 0.0})
    damping_rate: float
    damping_factor: float

    def prepare(self):
        """Turn the rate into the share of velocity that is kept in a step."""
        if not (np.isfinite(self.damping_rate) and self.damping_rate >= 0.0):
            raise ValueError(f"damping rate is {self.damping_rate} per s: it must be finite and at least 0")
        if not 0.0 <= self.damping_factor <= 1.0:
            raise ValueError(f"damping factor is {self.damping_factor}: it must be between 0 and 1")
        if self.damping_rate and self.damping_factor:
            raise ValueError(
                f"damping rate is {self.damping_rate} per s and damping factor {self.damping_factor}: give one of them"
            )
        kept = np.exp(-self.damping_rate * self.dt) * (1.0 - self.damping_factor)
        # The roots of z^2 - (1 + kept - (w dt)^2) z + kept leave the unit circle through -1.
        self.stability_limit = float(np.sqrt(2.0 * (1.0 + kept)))
        # Hard pins keep the velocity they are given: no rate slows them down.
        self._kept = np.full((self.system.network.vertex_count, 1), kept)
        self._kept[self.system.network.hard_pins] = 1.0
        self._known_x = self._known_springs = None

    def step(self, state):
        """Drift with the mid-step velocity, then correct the velocity with the new acceleration."""
        system, dt = self.system, self.dt
        a = system.accelerations(state.x, state.v, state.t, self._springs_at(state.x))
        middle = self._kept * (state.v - 0.5 * dt * a) + dt * a
        x = state.x + dt * middle
        x[system.network.hard_pins] = system.hard_targets()
        # Forces that depend on the velocity need it before it is known: this one is right to dt^2.
        predicted = middle + 0.5 * dt * a
        a = system.accelerations(x, predicted, state.t + dt, self._springs_at(x))
        return State(x, middle + 0.5 * dt * a, state.t + dt)

    def _springs_at(self, x):
        """Spring forces at x; the step before has computed them if it ended there."""
        if self._known_x is None or not np.array_equal(x, self._known_x):
            self._known_x, self._known_springs = x.copy(), spring_forces(self.system.network, x)
        return self._known_springs
