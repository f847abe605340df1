# SPDX-License-Identifier: GPL-3.0-or-later
"""Symplectic Euler."""

from ..state import State
from .integrator import Integrator


class SymplecticEuler(Integrator):
    """Semi-implicit Euler: kick, then drift. v' = v + dt a(x, v), x' = x + dt v'.

    Order 1, explicit, symplectic. One force evaluation a step; stable for dt < 2 / w_max (undamped).
    Also known as semi-implicit Euler, Euler-Cromer, and (shifted by half a step) leapfrog.
    """

    label = "Symplectic Euler"
    also = "Semi-implicit Euler"
    number = 1_636_781_269
    description = (
        "Explicit and simple: bounded energy for long times at one force evaluation a step, but stiff "
        "springs need very small steps"
    )
    order = 1
    stability_limit = 2.0

    def step(self, state):
        """Kick, then drift."""
        v = state.v + self.dt * self.system.accelerations(state.x, state.v, state.t)
        return State(state.x + self.dt * v, v, state.t + self.dt)
