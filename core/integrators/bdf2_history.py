# SPDX-License-Identifier: GPL-3.0-or-later
"""The past that a two-step formula goes on from where something struck."""

import numpy as np

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
    x, v = past.x.copy(), past.v.copy()
    for falling, array in zip(of_fall, (x, v), strict=True):
        array[particles] = falling[particles]
        lacks = falling - array
        array += freed * (lacks - drift.remove(lacks.T.copy()).T)
    return State(x, v, past.t)
