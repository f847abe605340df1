# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a surface lies in itself already."""

import numpy as np

from ..axes import cross, dot
from ..listed import by_blocks
from ..triangle_mesh.sides import edges_of

# Edges that are looked at together: all of a heap may be near each of them.
_AT_ONCE = 512


class Tangles:
    """Tells which particles are where an edge cuts a triangle: what has no side there cannot be kept on it.

    triangles: corners, shape (triangle_count, 3).
    """

    def __init__(self, triangles):
        self._triangles, (self._edges, *_) = triangles, edges_of(triangles)

    def among(self, particles, x):
        """Those of edges and triangles that cut each other at x [m], shape (3, particle_count), and hold particles."""
        from scipy.spatial import cKDTree

        sides = [of[np.isin(of, particles).any(axis=1)] for of in (self._edges, self._triangles)]
        if not all(map(len, sides)):
            return particles[:0]
        corners = [x.take(of, axis=1) for of in sides]
        middles = [of.mean(axis=2) for of in corners]
        reach = sum(
            np.sqrt(dot(away, away)).max()
            for away in (of - middle[..., None] for of, middle in zip(corners, middles, strict=True))
        )
        tree = cKDTree(middles[1].T)

        def of_block(few):
            pairs = cKDTree(middles[0][:, few].T).sparse_distance_matrix(tree, reach, output_type="ndarray")
            edges, triangles = sides[0][few][pairs["i"]], sides[1][pairs["j"]]
            apart = np.flatnonzero((edges[:, :, None] != triangles[:, None]).all(axis=(1, 2)))
            rows = np.concatenate([edges[apart], triangles[apart]], axis=1).T
            return rows[:, _cut(*(x.take(row, axis=1) for row in rows))]

        return np.unique(by_blocks(of_block, len(sides[0]), _AT_ONCE))


def _cut(p, q, a, b, c):
    """Mask of segments pq that go through triangles abc, all of shape (3, count)."""
    normal, way = cross(b - a, c - a), q - p
    turns = [dot(way, cross(one - p, other - p)) for one, other in ((a, b), (b, c), (c, a))]
    inside = (np.minimum.reduce(turns) > 0.0) | (np.maximum.reduce(turns) < 0.0)
    return inside & (dot(normal, p - a) * dot(normal, q - a) < 0.0)
