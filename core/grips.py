# SPDX-License-Identifier: GPL-3.0-or-later
"""How pins hold vertices that moved when they were pinned."""

import numpy as np


class Grips:
    """How far from its target each pin holds: where it took hold, and as much further as it takes to come to rest.

    What is taken hold of keeps its velocity against the target at first, and loses it evenly slower until none is left
    after a time T: over s = t / T from 0 to 1 it is (1 - s)^2 of it, so that it moves T/3 (1 - (1 - s)^3) times its
    velocity further.

    count: of pins; time: T [s], at least 0, where it stops at once.
    away: where it took hold, from the target [m], shape (count, 3); drift: velocity then, against the target's [m/s];
    since: when that was [s], shape (count,).
    """

    def __init__(self, count, time=0.0):
        self._time = float(time)
        self.away, self.drift = np.zeros((count, 3)), np.zeros((count, 3))
        self.since = np.zeros(count)

    def take_hold(self, fresh, away, velocity, t):
        """Take hold at t of those in a mask, away from their targets [m], with their velocity against these [m/s]."""
        self.away[fresh], self.drift[fresh], self.since[fresh] = away[fresh], velocity[fresh], t

    def let_go(self, loose):
        """Hold those in a mask at their targets from now on."""
        self.away[loose] = self.drift[loose] = 0.0

    def at(self, t):
        """How far from their targets they hold at t [m], shape (count, 3)."""
        if self._time == 0.0:
            return self.away
        left = 1.0 - np.clip((t - self.since) / self._time, 0.0, 1.0)
        return self.away + (self._time / 3.0 * (1.0 - left**3))[:, None] * self.drift

    def arrays(self):
        """All that changes with time, as arrays by name."""
        return {"away": self.away, "drift": self.drift, "since": self.since}

    def restored(self, arrays):
        """Grips with the arrays of a snapshot; raises ValueError for others."""
        other = Grips(len(self.since), self._time)
        for name, own in self.arrays().items():
            setattr(other, name, finite(name, arrays.get(name), own.shape))
        return other


def finite(name, array, shape):
    """A copy of an array of finite numbers of a shape, else ValueError."""
    if np.shape(array) != shape or not np.isfinite(array).all():
        raise ValueError(f"{name} of the pins are none: give what `snapshot` returns")
    return np.array(array, dtype=np.float64)
