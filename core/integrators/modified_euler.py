# SPDX-License-Identifier: GPL-3.0-or-later
"""Modified Euler."""

from ..state import State
from .integrator import Integrator


class ModifiedEuler(Integrator):
    """Explicit Euler for the velocity, its mean for the position. v' = v + dt a, x' = x + dt/2 (v + v').

    Order 1, explicit, one force evaluation a step. Better than explicit Euler (free fall is exact), still
    unstable for an undamped spring: the amplitude grows by about 1 + w^2 dt^2 / 4 a step.
    """

    label = "Modified Euler"
    number = 1_933_190_137
    description = (
        "Exact for constant forces, one force evaluation: half the energy gain of Explicit Euler, so springs "
        "still blow up. Prefer Symplectic Euler or Projective Dynamics"
    )
    order = 1
    stability_limit = 0.0

    def step(self, state):
        """Kick, then drift with the mean of the old and the new velocity."""
        v = state.v + self.dt * self.system.accelerations(state.x, state.v, state.t)
        return State(state.x + 0.5 * self.dt * (state.v + v), v, state.t + self.dt)
