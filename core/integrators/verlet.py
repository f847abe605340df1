# SPDX-License-Identifier: GPL-3.0-or-later
"""Verlet."""

from types import MappingProxyType

import numpy as np

from ..state import State
from .integrator import Integrator


class Verlet(Integrator):
    """Stoermer-Verlet: x(t+dt) = (2-l) x(t) - (1-l) x(t-dt) + a dt^2, with l = 1 - exp(-c dt).

    The state carries v = (x(t) - x(t-dt))/dt + dt/2 a instead of x(t-dt): with c = 0 this is velocity Verlet,
    and the first step needs no special case.
    Order 2 at c = 0, explicit, symplectic. One force evaluation a step; stable for dt < 2 / w_max.
    damping_rate: c [1/s] >= 0, rate at which all velocities decay.

    Verlet 1967, eq. 4; Jakobsen 2001 for the damped form.
    """

    label = "Verlet"
    description = (
        "The best explicit choice: second order, bounded energy for long times, one force evaluation a step. "
        "Stiff springs need very small steps"
    )
    order = 2
    stability_limit = 2.0
    damping_limit = 1.0
    options = MappingProxyType({"damping_rate": 0.0})

    def prepare(self):
        """Turn the rate into the share of velocity lost per step."""
        if not (np.isfinite(self.damping_rate) and self.damping_rate >= 0.0):
            raise ValueError(f"damping rate is {self.damping_rate} per s: it must be finite and at least 0")
        self._kept = np.exp(-self.damping_rate * self.dt)
        self._known = None, None, None

    def step(self, state):
        """Drift with the mid-step velocity, then correct the velocity with the new acceleration."""
        dt = self.dt
        a = self._acceleration_at(state)
        backward = state.v - 0.5 * dt * a
        x = state.x + dt * (self._kept * backward + dt * a)
        backward = (x - state.x) / dt
        # Damping along springs needs a velocity before the new one is known: this one is right to dt^2.
        predicted = backward + 0.5 * dt * a
        a = self.system.accelerations(x, predicted, state.t + dt)
        v = backward + 0.5 * dt * a
        self._known = x, v, a
        return State(x, v, state.t + dt)

    def _acceleration_at(self, state):
        """Acceleration at the state; the last step has computed it if the state is its result."""
        x, v, a = self._known
        free = self.system.network.free
        if (
            x is not None
            and np.array_equal(state.x[free], x[free])
            and np.array_equal(state.v[free], v[free])
        ):
            return a
        return self.system.accelerations(state.x, state.v, state.t)
