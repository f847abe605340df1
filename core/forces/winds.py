# SPDX-License-Identifier: GPL-3.0-or-later
"""Several winds that move the same air."""

from copy import copy

import numpy as np


class Winds:
    """Velocity of air that several winds move: the sum of theirs.

    winds: Winds, Scaled or not. What falls off of one is a share of what it presses with, so that its speed falls off
    with the root of it.
    """

    def __init__(self, winds):
        self.winds = tuple(winds)

    def on(self, body):
        """The same over a body."""
        return self._of([wind.on(body) for wind in self.winds])

    def at_peak(self):
        """The same with all that is Peaking at its peak, itself where nothing is."""
        winds = [wind.at_peak() for wind in self.winds]
        return self if all(a is b for a, b in zip(winds, self.winds, strict=True)) else self._of(winds)

    def _of(self, winds):
        other = copy(self)
        other.winds = tuple(winds)
        return other

    def __call__(self, x, t):
        """Velocity at places x [m/s], shape (n, 3) or (3,)."""
        total = np.zeros(3)
        for wind in self.winds:
            velocity, share = wind.air(x, t)
            total = total + (velocity if share is None else _rooted(share) * velocity)
        return total


def _rooted(share):
    return np.sqrt(np.atleast_1d(share))[:, None]
