# SPDX-License-Identifier: GPL-3.0-or-later
"""Continuous collision detection: how far along their ways stencils may go before they come too close."""

import numpy as np

# Ways are cut where a stencil has advanced by less than this share of the whole: it meets there.
_ENOUGH = 1e-6
_MOST_ADVANCES = 200

# Of what a stencil may advance, so much is advanced.
_OF_STEP = 0.9


def time_of_impact(stencil, first, x, way, keep=0.1):
    """Share 0..1 of their ways that stencils may go, (count,), never nearer than a share `keep` of their distance.

    stencil: x -> weights, of `distance`; first: how many of the four corners are on its first side; x, way [m]: shape
    (4, 3, count).

    Additive: a stencil may go on by what it is apart over the most that two of its points approach each other, with the
    motion they share left out; asked again there, until little is left (Li, Kaufman and Jiang 2021, "Codimensional
    Incremental Potential Contact", section 5). From below, so that rounding errs to the safe side.
    """
    way = way - way.mean(axis=0)
    lengths = np.sqrt(np.einsum("kac,kac->kc", way, way))
    approach = lengths[:first].max(axis=0) + lengths[first:].max(axis=0)
    distance = _distance(x, stencil(x))
    left, share = keep * distance, np.where(approach > 0.0, 0.0, 1.0)
    going = np.flatnonzero((approach > 0.0) & (distance > 0.0))
    for _ in range(_MOST_ADVANCES):
        if len(going) == 0:
            break
        step = _OF_STEP * (distance[going] - left[going]) / approach[going]
        share[going] = np.minimum(share[going] + step, 1.0)
        going = going[(share[going] < 1.0) & (step > _ENOUGH)]
        at = x[:, :, going] + share[going] * way[:, :, going]
        distance[going] = _distance(at, stencil(at))
    return share


def _distance(x, weights):
    between = np.einsum("kc,kac->ac", weights, x)
    return np.sqrt(np.einsum("ac,ac->c", between, between))
