# SPDX-License-Identifier: GPL-3.0-or-later
"""The past that a two-step formula goes on from where something struck."""

import numpy as np

from ..axes import dot, put, rows_of
from ..solvers.drift import Drift
from ..state import State


def moved(past, returned, corrected, network, dt):
    """The past of what was returned, dt [s] before, moved along with what contacts corrected."""
    struck, way = corrected.v - returned.v, corrected.x - returned.x
    struck[network.hard_pins] = 0.0
    way += past.x
    way -= dt * struck
    struck += past.v
    return State(way, struck)


def fallen(past, now, system, particles, dt):
    """The past, dt [s] before now, of some particles of a System that are let go: of fall by all forces but springs.

    What hangs free with them keeps its past but for what it has as a whole: what held them bore that.
    """
    network = system.network
    gains = dt * system.external_forces(now.x, now.v, now.t) / network.masses[:, None]
    freed = np.isin(network.parts, network.parts[particles])[:, None]
    drift, of_fall = Drift.of_parts(network), (now.x - dt * (now.v - 0.5 * gains), now.v - gains)
    arrays = []
    for falling, array in zip(of_fall, (past.x.copy(), past.v.copy()), strict=True):
        array[particles] = falling[particles]
        lacks = falling - array
        arrays.append(array + freed * (lacks - drift.remove(lacks.T.copy()).T))
    x, v = arrays
    return State(x, v, past.t)


def unhurried(past, after, dt):
    """The past of motion that surfaces hold, dt [s] before, in which no velocity changed by more than what is left.

    What strikes a surface stops at once, and what hangs together with it by springs as well: BDF2 would go on with a
    third of that change, and a stiff body would rebound by it.
    """
    v, gained = after.v.T.copy(), past.v.T.copy()
    np.subtract(v, gained, out=gained)
    size, most = np.sqrt(dot(gained, gained)), np.sqrt(dot(v, v))
    fast = np.flatnonzero(size > most)
    if len(fast) == 0:
        return past
    v, gained = v.take(fast, axis=1), gained.take(fast, axis=1)
    gained *= most[fast] / size[fast]
    of_past = past.x.copy(), past.v.copy()
    for array, changed in zip(
        of_past, (rows_of(after.x, fast) - dt * (v - 0.5 * gained), v - gained), strict=True
    ):
        put(array.T, fast, changed)
    return State(*of_past, past.t)
