# SPDX-License-Identifier: GPL-3.0-or-later
"""Which stencils are closest to each other among all that is about them: the others push aside what lies flat."""

import numpy as np

from ..kernels.stencils import EDGE_EDGE

# Sines of the angle by which the surface beside a stencil comes nearer: up to the first all of it acts, from the second
# on nothing. Meshes that are bent by less, and few iterations, stay below; edges a tenth of a thickness beside each
# other are beyond it.
_ALL, _NOTHING = 0.1, 0.3

# Of squares [m^2], only to divide by.
_LEAST = 1e-300


class Surroundings:
    """The triangles on both sides of every edge of several surfaces.

    triangles: of their vertices, shape (count, 3).
    """

    def __init__(self, triangles):
        triangles = np.asarray(triangles, dtype=np.int64)
        self._count = int(triangles.max(initial=-1)) + 1
        ones, others = (np.concatenate([triangles[:, k] for k in order]) for order in ((0, 1, 2), (1, 2, 0)))
        keys, beyond = self._keys(ones, others), np.concatenate([triangles[:, k] for k in (2, 0, 1)])
        order = np.argsort(keys, kind="stable")
        keys, beyond = keys[order], beyond[order]
        first = (
            np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
            if len(keys)
            else np.zeros(0, np.intp)
        )
        second = np.minimum(first + 1, len(keys) - 1)
        several = (keys[second] == keys[first]) & (second > first)
        self._edges = keys[first]
        self._beyond = np.stack([beyond[first], np.where(several, beyond[second], -1)])

    def __bool__(self):
        return len(self._edges) > 0

    def beyond(self, ones, others):
        """Vertices of the triangles on both sides of edges beyond these, shape (2, count), -1 of no triangle."""
        keys = self._keys(ones.astype(np.int64), others.astype(np.int64))
        place = np.minimum(np.searchsorted(self._edges, keys), len(self._edges) - 1)
        return np.where(self._edges[place] == keys, self._beyond[:, place], -1)

    def _keys(self, ones, others):
        return np.minimum(ones, others) * self._count + np.maximum(ones, others)


def shares(x, corners, kinds, weights, normals, around):
    """Share of every stencil that acts, 0 where what is beside it, on either side, is nearer, shape (count,).

    Between surfaces the least distances are between a point and the inside of a triangle, or between two edges across
    each other, and neither is nearer beside that: of an edge or a corner of a triangle, and of edges, the triangles
    around must lead away. Else what lies flat on a mesh is pushed aside by edges that it lies beside.

    x: positions, shape (3, n) [m]; corners, kinds, weights and normals: as `closest_points` has them; around:
    Surroundings. Huang, Paik, Ferguson, Panozzo and Zorin 2025, "Geometric contact potential", section 4.
    """
    found = np.ones(len(kinds))
    edges = np.flatnonzero(kinds == EDGE_EDGE)
    if len(edges):
        found[edges] = _of_edges(x, corners[edges], weights[edges], normals[:, edges], around)
    triangles = np.flatnonzero((kinds != EDGE_EDGE) & (weights[:, 1:] == 0.0).any(axis=1))
    if len(triangles):
        found[triangles] = _of_triangles(
            x, corners[triangles], weights[triangles], normals[:, triangles], around
        )
    return found


def _of_edges(x, corners, weights, normals, around):
    both = around.beyond(*corners[:, :2].T), around.beyond(*corners[:, 2:].T)
    # At its end an edge of a surface is a point, which meets triangles.
    ended = (weights == 0.0).any(axis=1) & (both[0][0] >= 0) & (both[1][0] >= 0)
    worst = np.where(ended, 1.0, 0.0)
    for side, beyond, sign in ((corners[:, :2], both[0], -1.0), (corners[:, 2:], both[1], 1.0)):
        for corner in beyond:
            worst = np.maximum(worst, _nearer(x, side, corner, sign * normals))
    return _share(worst)


def _of_triangles(x, corners, weights, normals, around):
    worst = np.zeros(len(corners))
    for own, one, other in ((1, 2, 3), (2, 3, 1), (3, 1, 2)):
        # The closest point is on the edge that this corner is not on.
        on = np.flatnonzero(weights[:, own] == 0.0)
        side = corners[on][:, [one, other]]
        for corner in around.beyond(*side.T):
            which = np.where(corner == corners[on, own], -1, corner)
            worst[on] = np.maximum(worst[on], _nearer(x, side, which, normals[:, on]))
    return _share(worst)


def _nearer(x, side, corner, normals):
    """Sine of the angle by which a triangle beyond edges, with a third corner or -1, goes along normals."""
    base, along = x[:, side[:, 0]], x[:, side[:, 1]] - x[:, side[:, 0]]
    way = x[:, corner] - base
    square = np.maximum(np.einsum("ij,ij->j", along, along), _LEAST)
    way = way - np.einsum("ij,ij->j", way, along) / square * along
    size = np.sqrt(np.maximum(np.einsum("ij,ij->j", way, way), _LEAST))
    return np.where(corner < 0, 0.0, np.einsum("ij,ij->j", way, normals) / size)


def _share(nearer):
    return np.clip((_NOTHING - nearer) / (_NOTHING - _ALL), 0.0, 1.0)
