# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is out at the faces, edges and vertices of a triangle mesh."""

from functools import cached_property

import numpy as np

from ..axes import cross, dot
from ..directions import LEAST
from ..listed import ranges


class Sides:
    """Faces, edges and vertices of triangles, and their normals.

    corners: of triangles, shape (triangle_count, 3), the same number for the same place.
    """

    def __init__(self, corners):
        count = len(corners)
        edges, self.sharing = edges_of(corners)
        _, vertices = np.unique(corners, return_inverse=True)
        self._edges, self._vertices = edges.reshape(3, count), vertices.reshape(count, 3).T
        edge_count = len(self.sharing)
        # By the bits of barycentric weights that are not zero: three of a face, two of an edge, one of a vertex.
        self._features = np.empty((8, count), dtype=np.intp)
        self._features[[0, 7]] = np.arange(count)
        self._features[[6, 5, 3]] = count + self._edges
        self._features[[1, 2, 4]] = count + edge_count + self._vertices

    def features(self, triangles, weights):
        """Numbers of the face, edge or vertex that points with barycentric weights (3, count) lie on."""
        one, two, four = weights > 0.0
        return self._features[one + 2 * two + 4 * four, triangles]

    def normals(self, features, ab, ac):
        """Unit vectors out of some faces, edges and vertices, see `features`, shape (3, count).

        ab, ac: of all triangles, from the first corners to the others, shape (3, triangle_count). Of an edge the sum of
        its faces' normals, of a vertex the sum weighted by their angles: the signs of distances in Baerentzen and
        Aanaes 2005. Zero where these cancel, and of faces without area.
        """
        starts, around = self._around
        which, corners = ranges(starts[features], starts[features + 1] - starts[features])
        corner, triangles = np.divmod(around[corners], self._edges.shape[1])
        ab, ac = ab.take(triangles, axis=1), ac.take(triangles, axis=1)
        double_area, weighted = _units(cross(ab, ac))
        first_vertex = self._edges.shape[1] + len(self.sharing)
        at = np.flatnonzero(features[which] >= first_vertex)
        angles = _angles(ab.take(at, axis=1), ac.take(at, axis=1), double_area[at])
        weighted[:, at] *= np.choose(corner[at], angles)
        made = _units([np.bincount(which, axis, len(features)) for axis in weighted])[1]
        # The normal of a single face is not rounded anew.
        faces = features[which] < self._edges.shape[1]
        made[:, which[faces]] = weighted[:, faces]
        return made

    @cached_property
    def _around(self):
        """Triangles of every normal, by features: starts of corners and sides in a list, and the list."""
        count = self._edges.shape[1]
        first_edge, first_vertex = count, count + len(self.sharing)
        features = np.concatenate(
            [np.arange(count), first_edge + self._edges.ravel(), first_vertex + self._vertices.ravel()]
        )
        corners = np.concatenate([np.arange(count), *[np.arange(3 * count)] * 2])
        sizes = np.bincount(features)
        return np.append(0, np.cumsum(sizes)), corners[np.argsort(features, kind="stable")]


def edges_of(corners):
    """Edges of triangles: that of every side, shape (3 triangle_count,); how many sides share it, shape (edge_count,).

    Sides lie opposite the corners: first those opposite the first corner of every triangle.
    """
    ends = np.sort(sides_of(corners), axis=1)
    most = int(corners.max(initial=0)) + 1
    keys = ends[:, 0] * most + ends[:, 1]
    _, edges, sharing = np.unique(keys, return_inverse=True, return_counts=True)
    return edges.ravel(), sharing


def sides_of(corners):
    """From corner to corner round the triangles, shape (3 triangle_count, 2), in the order of `edges_of`."""
    return np.concatenate([corners[:, [1, 2]], corners[:, [2, 0]], corners[:, [0, 1]]])


def _angles(ab, ac, double_area):
    """Angles at the three corners of triangles."""
    bc = ac - ab
    return [np.arctan2(double_area, dot(one, other)) for one, other in ((ab, ac), (-ab, bc), (ac, bc))]


def _units(vectors):
    x, y, z = vectors
    lengths = np.sqrt(x * x + y * y + z * z)
    return lengths, np.where(lengths > LEAST, vectors / np.maximum(lengths, LEAST), 0.0)
