# SPDX-License-Identifier: GPL-3.0-or-later
"""A bounding volume hierarchy of triangles, whose shape stays while they move."""

from functools import partial

import numpy as np

from ..kernels import Indices
from ..kernels.nearest import nearest_triangles, nodes_about
from ..kernels.overlaps import morton_order


class TriangleTree:
    """The order of triangles by which those are near each other in a tree that are so at first.

    x: vertices, shape (vertex_count, 3) [m]; triangles: their indices, shape (triangle_count, 3).
    """

    def __init__(self, x, triangles):
        a, b, c = triangles.T
        # Corner by corner: all of them at once would be the most memory that a collider takes.
        self._order = morton_order((x[a] + x[b] + x[c]) / 3.0)
        self._leaves = Indices(triangles[self._order], len(x))

    def about(self, x):
        """A callable points -> indices of the nearest triangles, with vertices at x; both of shape (count, 3) [m]."""
        rows = np.ascontiguousarray(x.T)
        return partial(self._nearest, rows, nodes_about(rows, self._leaves))

    def _nearest(self, x, nodes, points):
        leaves = np.empty(len(points), dtype=np.int32)
        nearest_triangles(x, self._leaves, nodes, np.ascontiguousarray(points.T, dtype=float), leaves)
        return self._order[leaves]
