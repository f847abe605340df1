# SPDX-License-Identifier: GPL-3.0-or-later
"""The common step of explicit Runge-Kutta methods; a tableau defines each."""

import numpy as np

from ..state import State
from .integrator import Integrator


class RungeKutta(Integrator):
    """Explicit Runge-Kutta method on (x, v)' = (v, a(x, v, t)).

    a: rows of the Butcher tableau below the first, b: its weights; the nodes c are the rows' sums.
    Hard pins keep their constant velocity through every stage, so they stay on their straight line.
    """

    a: tuple[tuple[float, ...], ...] = ()
    b: tuple[float, ...] = ()

    def step(self, state):
        """Evaluate the stages, then combine them."""
        dt = self.dt
        slopes_x: list[np.ndarray] = []
        slopes_v: list[np.ndarray] = []
        for row in ((), *self.a):
            x = _combine(state.x, dt, row, slopes_x)
            v = _combine(state.v, dt, row, slopes_v)
            slopes_x.append(v)
            slopes_v.append(self.system.accelerations(x, v, state.t + sum(row) * dt))
        x = _combine(state.x, dt, self.b, slopes_x)
        v = _combine(state.v, dt, self.b, slopes_v)
        return State(x, v, state.t + dt)


def _combine(start, dt, weights, slopes):
    return start + sum(dt * weight * slope for weight, slope in zip(weights, slopes, strict=True) if weight)
