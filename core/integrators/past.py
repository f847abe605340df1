# SPDX-License-Identifier: GPL-3.0-or-later
"""The past that a two-step formula goes on from where something struck."""

import numpy as np

from ..directions import lengths, rows
from ..state import State


def moved(past, returned, corrected, network, dt):
    """The past of what was returned, dt [s] before, moved along with what contacts corrected."""
    struck, way = corrected.v - returned.v, corrected.x - returned.x
    struck[network.hard_pins] = 0.0
    return State(past.x + way - dt * struck, past.v + struck)


def unhurried(past, after, dt):
    """The past of motion that surfaces hold, dt [s] before, in which no velocity changed by more than what is left.

    What strikes a surface stops at once, and what hangs together with it by springs as well: BDF2 would go on with a
    third of that change, and a stiff body would rebound by it.
    """
    gained = after.v - past.v
    size, most = lengths(gained), lengths(after.v)
    fast = size > most
    gained *= rows(np.divide(most, size, out=np.ones_like(size), where=fast))
    x, v, fast = after.x - dt * (after.v - 0.5 * gained), after.v - gained, rows(fast)
    return State(np.where(fast, x, past.x), np.where(fast, v, past.v), past.t)
