# SPDX-License-Identifier: GPL-3.0-or-later
"""Where fast particles meet a surface on their way."""

import numpy as np

# Looks at a way at most, and the shortest of its parts between two of them: where particles graze a surface.
_LOOKS, _SHORTEST = 40, 1 / 32
# Distance at which a surface is met, as a share of the way.
_MET = 1e-3


def first_hits(closest, start, end):
    """Share of the straight ways from start to end [m] after which particles outside first meet a surface, else inf.

    closest: x -> signed distances, and normals of the surface, both of shape (count, …); start, end: (count, 3). A
    distance is as far as a particle can go without meeting anything (sphere tracing, Hart 1996).
    """
    way = end - start
    length = np.linalg.norm(way, axis=1)
    shares, hits = np.zeros(len(start)), np.full(len(start), np.inf)
    left = np.flatnonzero(length > 0.0)
    # Of the look before: share of the way, distance, and normal where that was against the way.
    before, far, seen = np.zeros(len(start)), np.full(len(start), np.inf), np.zeros_like(start)
    for _ in range(_LOOKS):
        if len(left) == 0:
            break
        distances, normals = closest(start[left] + shares[left, None] * way[left])
        normals = np.broadcast_to(normals, (len(left), 3))
        inwards = np.einsum("ij,ij->i", normals, way[left]) < 0.0
        met = (distances < _MET * length[left]) & inwards
        hits[left[met]] = shares[left[met]]
        # Of a sheet, where no distance is below 0, a look may be from its other side: beside an edge the two
        # distances add up to more than what lies between, but for its rounding.
        between = (1.0 + 1e-6) * (shares[left] - before[left]) * length[left]
        passed = ~(met | inwards) & (np.einsum("ij,ij->i", normals, seen[left]) < 0.0)
        passed &= distances + far[left] <= between
        hits[left[passed]] = before[left[passed]]
        before[left], far[left], seen[left] = (
            shares[left],
            distances,
            np.where(inwards[:, None], normals, 0.0),
        )
        shares[left] += np.maximum(distances / length[left], _SHORTEST)
        left = left[~(met | passed) & (before[left] < 1.0)]
        shares[left] = np.minimum(shares[left], 1.0)
    return hits
