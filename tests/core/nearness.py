# SPDX-License-Identifier: GPL-3.0-or-later
"""How near particles are to triangles, and edges to edges."""

import numpy as np

from hooke.core.kernels import Indices
from hooke.core.kernels.stencils import EDGE_EDGE, POINT_TRIANGLE, closest_points


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
