# SPDX-License-Identifier: GPL-3.0-or-later
"""The last word: what still meets on its way goes with the middle of its zone."""

import numpy as np

from ..directions import LEAST
from ..topology import connected_parts


def apart(touching, x, masses):
    """Positions [m], shape (3, n), to which nothing meets on its way; x itself where nothing did.

    Particles that meet, with all that meet them, are a zone: it moves as its middle does, or as the obstacles do that
    are in it (Harmon, Vouga, Tamstorf and Grinspun 2008, "Robust treatment of simultaneous collisions").

    touching: Touching; masses: infinite of what is held [kg].
    """
    candidates = touching.candidates
    if candidates is None:
        return x
    count, linked = len(masses), np.zeros((0, 2), dtype=np.intp)
    start, first, moving = touching.start, x, touching.motion
    ways = np.concatenate([first - start, moving], axis=1)
    before, zone = np.zeros(0, dtype=np.intp), np.arange(count)
    while not np.array_equal(zone, before):
        met, before = np.flatnonzero(touching.impacts(x) < 1.0), zone
        if len(met) == 0:
            break
        corners = candidates.corners[met]
        linked = np.concatenate([linked, *(corners[:, [k, k + 1]] for k in range(3))])
        zone = connected_parts(linked, count + moving.shape[1])
        # What obstacles touch goes as they do; what only particles make up, as its middle does.
        weights = np.concatenate([np.where(np.isinf(masses), 1e30, masses), np.zeros(moving.shape[1])])
        weights[linked[linked >= count]] = 1e30
        sums = np.stack([np.bincount(zone, weights * way) for way in ways])
        middle = sums / np.maximum(np.bincount(zone, weights), LEAST)
        within = np.unique(linked[linked < count])
        x = first.copy()
        x[:, within] = start[:, within] + middle[:, zone[within]]
    return x
