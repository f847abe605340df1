# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is out at the faces, edges and vertices of a triangle mesh."""

import numpy as np

from ..axes import cross, dot

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
        return self._features[(weights > 0.0).T @ np.array(_VERTICES), triangles]

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
        count, edge_count = self._edges.shape[1], len(self.sharing)
        made, vertex_count = np.empty((3, len(features))), int(self._vertices.max()) + 1
        own = features < count
        made[:, own] = _units(cross(ab.take(features[own], axis=1), ac.take(features[own], axis=1)))[1]
        for places, first, size in (
            (self._edges, count, edge_count),
            (self._vertices, count + edge_count, vertex_count),
        ):
            of = np.flatnonzero((features >= first) & (features < first + size))
            if len(of) == 0:
                continue
            asked = np.zeros(size, dtype=bool)
            asked[features[of] - first] = True
            around = np.flatnonzero(asked[places].any(axis=0))
            sides = ab.take(around, axis=1), ac.take(around, axis=1)
            double_area, faces = _units(cross(*sides))
            weights = (1.0,) * 3 if places is self._edges else _angles(*sides, double_area)
            sums = self._sums(places[:, around], [weight * faces for weight in weights], size)
            made[:, of] = sums[:, features[of] - first]
        return made

    @staticmethod
    def _sums(places, vectors, count=0):
        vectors = np.stack(vectors, axis=1)
        ids = places.ravel()
        return _units(np.stack([np.bincount(ids, axis.ravel(), count) for axis in vectors]))[1]


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


def _angles(ab, ac, double_area):
    """Angles at the three corners of triangles."""
    bc = ac - ab
    return [np.arctan2(double_area, dot(one, other)) for one, other in ((ab, ac), (-ab, bc), (ac, bc))]


def _units(vectors):
    x, y, z = vectors
    lengths = np.sqrt(x * x + y * y + z * z)
    return lengths, np.where(lengths > _SHORTEST, vectors / np.maximum(lengths, _SHORTEST), 0.0)
