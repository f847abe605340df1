# SPDX-License-Identifier: GPL-3.0-or-later
"""The past that a two-step formula goes on from where something struck."""

import numpy as np

from ..directions import lengths, rows
from ..state import State


def moved(past, returned, corrected, network, dt):
    """The past of what was returned, dt [s] before, moved along with what contacts corrected."""
    struck, way = corrected.v - returned.v, corrected.x - returned.x
    struck[network.hard_pins] = 0.0
    way += past.x
    way -= dt * struck
    struck += past.v
    return State(way, struck)


def unhurried(past, after, dt):
    """The past of motion that surfaces hold, dt [s] before, in which no velocity changed by more than what is left.

    What strikes a surface stops at once, and what hangs together with it by springs as well: BDF2 would go on with a
    third of that change, and a stiff body would rebound by it.
    """
    gained = after.v - past.v
    size, most = lengths(gained), lengths(after.v)
    fast = np.flatnonzero(size > most)
    if len(fast) == 0:
        return past
    x, v = past.x.copy(), past.v.copy()
    gained = gained.take(fast, axis=0) * rows(most[fast] / size[fast])
    leaving = after.v.take(fast, axis=0)
    x[fast], v[fast] = after.x.take(fast, axis=0) - dt * (leaving - 0.5 * gained), leaving - gained
    return State(x, v, past.t)
