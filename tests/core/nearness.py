# SPDX-License-Identifier: GPL-3.0-or-later
"""How near particles are to triangles, and edges to edges; which edges go through which triangles."""

import numpy as np

from hooke.core.kernels import Indices
from hooke.core.kernels.stencils import EDGE_EDGE, POINT_TRIANGLE, closest_points
from hooke.core.topology import unique_edges
from hooke.core.triangle_mesh.sides import sides_of


def triangle_distances(x, rows):
    """Distances [m] of particles, the first of each row of four, from the triangles of the others; x: (n, 3) [m]."""
    return _distances(x, rows, POINT_TRIANGLE)


def edge_distances(x, rows):
    """Distances [m] of edges, the first two of each row of four, from the edges of the others; x: (n, 3) [m]."""
    return _distances(x, rows, EDGE_EDGE)


def _distances(x, rows, kind):
    count = len(rows)
    distances, kinds = np.empty(count), np.full(count, kind, dtype=np.uint8)
    others = np.empty((count, 4)), np.empty((3, count)), distances, np.empty(count)
    closest_points(np.ascontiguousarray(x.T), Indices(np.asarray(rows), len(x)), kinds, *others)
    return distances


def crossings(x, triangles):
    """How often an edge of triangles goes through one of them that it has no corner with; x: (n, 3) [m].

    Möller and Trumbore 1997, "Fast, minimum storage ray-triangle intersection".
    """
    edges = unique_edges(sides_of(triangles))
    a, b, c = (x[triangles[:, corner]] for corner in range(3))
    count = 0
    for one, other in edges:
        way, to = x[other] - x[one], x[one] - a
        across = np.cross(way, c - a)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = 1.0 / np.einsum("ij,ij->i", b - a, across)
            u, beside = scale * np.einsum("ij,ij->i", to, across), np.cross(to, b - a)
            v, share = scale * (beside @ way), scale * np.einsum("ij,ij->i", c - a, beside)
            within = (u > 0.0) & (v > 0.0) & (u + v < 1.0) & (share > 0.0) & (share < 1.0)
        count += int((within & (triangles != one).all(axis=1) & (triangles != other).all(axis=1)).sum())
    return count
