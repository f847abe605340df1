# SPDX-License-Identifier: GPL-3.0-or-later
"""The last word: what still meets on its way goes with the middle of its zone."""

import numpy as np

from ..directions import LEAST

# Rounds in which zones keep a share of their own motion, and in all.
_SHARING, _ROUNDS = 3, 12

# Of what may be gone before something meets, so much is gone.
_SAFE = 0.9


def apart(touching, x, masses):
    """Positions [m], shape (3, n), to which nothing meets on its way; x itself where nothing did.

    Particles that meet, with all that meet them, are a zone: it moves as its middle does, or as the obstacles do that
    are in it, and keeps the share of what each moves beside that on which nothing meets; none after some rounds
    (Harmon, Vouga, Tamstorf and Grinspun 2008, "Robust treatment of simultaneous collisions").

    touching: Touching; masses: infinite of what is held [kg].
    """
    from scipy import sparse
    from scipy.sparse import csgraph

    candidates = touching.candidates
    if candidates is None:
        return x
    count = len(masses)
    shares, linked = np.ones(count), np.zeros((0, 2), dtype=np.intp)
    start, first = touching.start, x
    moving = touching.motion
    for turn in range(_ROUNDS):
        found = touching.impacts(x)
        met = np.flatnonzero(found < 1.0)
        if len(met) == 0:
            return x
        corners = candidates.corners[met]
        linked = np.concatenate([linked, *(corners[:, [k, k + 1]] for k in range(3))])
        everyone = count + moving.shape[1]
        graph = sparse.coo_matrix((np.ones(len(linked)), linked.T), (everyone, everyone))
        _, zone = csgraph.connected_components(graph, directed=False)
        keeps = _SAFE * found[met] if turn < _SHARING else np.zeros(len(met))
        of_zone = np.ones(zone.max() + 1)
        np.minimum.at(of_zone, zone[corners[:, 0]], keeps)
        # What obstacles touch goes as they do; what only particles make up, as its middle does.
        ways = np.concatenate([first - start, moving], axis=1)
        weights = np.concatenate([np.where(np.isinf(masses), 1e30, masses), np.zeros(moving.shape[1])])
        obstacle = np.unique(linked[linked >= count])
        weights[obstacle] = 1e30
        total = np.bincount(zone, weights)
        middle = np.stack([np.bincount(zone, weights * way) for way in ways]) / np.maximum(total, LEAST)
        within = np.unique(linked[linked < count])
        # Zones that became one keep the same share, or it would not move as its middle does.
        least = np.ones_like(of_zone)
        np.minimum.at(least, zone[within], shares[within])
        shares[within] = (least * of_zone)[zone[within]]
        about = middle[:, zone[within]]
        own = (first - start)[:, within]
        x = first.copy()
        x[:, within] = start[:, within] + about + shares[within] * (own - about)
    return x
