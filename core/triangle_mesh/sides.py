# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is out at the faces, edges and vertices of a triangle mesh."""

from functools import cached_property

import numpy as np

from ..axes import cross, dot
from .cells import ranges

_SHORTEST = 1e-150
# Barycentric weights that are not zero, as a number of three bits: all for a face, two for an edge, one for a vertex.
_EDGES, _VERTICES = (6, 5, 3), (1, 2, 4)


class Sides:
    """Faces, edges and vertices of triangles, and their normals.

    corners: of triangles, shape (triangle_count, 3), the same number for the same place.
    """

    def __init__(self, corners):
        count = len(corners)
        _, edges, self.sharing = edges_of(corners)
        _, vertices = np.unique(corners, return_inverse=True)
        self._edges, self._vertices = edges.reshape(3, count), vertices.reshape(count, 3).T
        edge_count = len(self.sharing)
        # By weights that are not zero; none is never asked for.
        self._features = np.empty((8, count), dtype=np.intp)
        self._features[[0, 7]] = np.arange(count)
        self._features[list(_EDGES)] = count + self._edges
        self._features[list(_VERTICES)] = count + edge_count + self._vertices

    def features(self, triangles, weights):
        """Rows of `normals` of the face, edge or vertex that points with barycentric weights (3, count) lie on."""
        one, two, four = weights > 0.0
        return self._features[one + 2 * two + 4 * four, triangles]

    def normals(self, a, ab, ac):
        """Unit vectors out of faces, edges and vertices, shape (3, face_count + edge_count + vertex_count).

        a, ab, ac: of the triangles, first corners and from there to the others, shape (3, triangle_count). Of an edge
        the sum of its faces' normals, of a vertex the sum weighted by their angles: the signs of distances in
        Baerentzen and Aanaes 2005. Zero where these cancel, and of faces without area.
        """
        double_area, faces = _units(cross(ab, ac))
        edges = self._sums(self._edges, [faces] * 3)
        vertices = self._sums(self._vertices, [angle * faces for angle in _angles(ab, ac, double_area)])
        return np.concatenate([faces, edges, vertices], axis=1)

    def normals_of(self, features, ab, ac):
        """Columns of `normals`, and nothing but what they are made of."""
        starts, around = self._around
        which, corners = ranges(starts[features], starts[features + 1])
        corner, triangles = np.divmod(around[corners], self._edges.shape[1])
        ab, ac = ab.take(triangles, axis=1), ac.take(triangles, axis=1)
        double_area, weighted = _units(cross(ab, ac))
        first_vertex = self._edges.shape[1] + len(self.sharing)
        at = np.flatnonzero(features[which] >= first_vertex)
        angles = _angles(ab.take(at, axis=1), ac.take(at, axis=1), double_area[at])
        weighted[:, at] *= np.choose(corner[at], angles)
        made = _units(_bincounts(which, weighted, len(features)))[1]
        # What one face has is not rounded anew.
        faces = features[which] < self._edges.shape[1]
        made[:, which[faces]] = weighted[:, faces]
        return made

    @cached_property
    def _around(self):
        """What each row of `normals` is summed of: where corners and sides of triangles start in a list, and these."""
        count = self._edges.shape[1]
        first_edge, first_vertex = count, count + len(self.sharing)
        features = np.concatenate(
            [np.arange(count), first_edge + self._edges.ravel(), first_vertex + self._vertices.ravel()]
        )
        corners = np.concatenate([np.arange(count), *[np.arange(3 * count)] * 2])
        sizes = np.bincount(features)
        return np.append(0, np.cumsum(sizes)), corners[np.argsort(features, kind="stable")]

    @staticmethod
    def _sums(places, vectors):
        return _units(_bincounts(places.ravel(), np.stack(vectors, axis=1).reshape(3, -1)))[1]


def edges_of(corners):
    """Edges of triangles: ends, smaller first, shape (edge_count, 2); that of every side, shape (3 triangle_count,);
    how many sides share it, shape (edge_count,).

    Sides lie opposite the corners: first those opposite the first corner of every triangle.
    """
    ends = np.sort(sides_of(corners), axis=1)
    most = int(corners.max(initial=0)) + 1
    keys, edges, sharing = np.unique(ends[:, 0] * most + ends[:, 1], return_inverse=True, return_counts=True)
    return np.stack(np.divmod(keys, most), axis=1), edges.ravel(), sharing


def sides_of(corners):
    """From corner to corner round the triangles, shape (3 triangle_count, 2), in the order of `edges_of`."""
    return np.concatenate([corners[:, [1, 2]], corners[:, [2, 0]], corners[:, [0, 1]]])


def borders(corners):
    """Sides of one triangle alone, shape (border_count, 2), and the triangle of each."""
    _, edges, sharing = edges_of(corners)
    alone = np.flatnonzero(sharing[edges] == 1)
    return sides_of(corners)[alone], alone % max(len(corners), 1)


def _bincounts(places, vectors, count=0):
    """Sums of vectors, shape (3, …), by place."""
    return np.stack([np.bincount(places, axis, count) for axis in vectors])


def _angles(ab, ac, double_area):
    """Angles at the three corners of triangles."""
    bc = ac - ab
    return [np.arctan2(double_area, dot(one, other)) for one, other in ((ab, ac), (-ab, bc), (ac, bc))]


def _units(vectors):
    x, y, z = vectors
    lengths = np.sqrt(x * x + y * y + z * z)
    return lengths, np.where(lengths > _SHORTEST, vectors / np.maximum(lengths, _SHORTEST), 0.0)
