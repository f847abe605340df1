# SPDX-License-Identifier: GPL-3.0-or-later
"""The openings of a triangle mesh, and fans that close them."""

import numpy as np

from .orientation import components
from .sides import edges_of, sides_of


class Openings:
    """Loops of edges that only one triangle has, each closed by a fan about the middle of the loop.

    corners: of triangles, shape (triangle_count, 3), the same number for the same place; triangles: the same as indices
    of points, of which there are point_count.
    fans: triangles of all fans, shape (count, 3); their middles are the points after the last.
    """

    def __init__(self, corners, triangles, point_count):
        edges, sharing = edges_of(corners)
        open_sides = sharing[edges] == 1
        self._rim = sides_of(triangles)[open_sides]
        start, end = sides_of(corners)[open_sides].T
        _, self._loop = np.unique(
            components(start, end, int(corners.max(initial=0)) + 1)[start], return_inverse=True
        )
        self.fans = np.column_stack([self._rim[:, ::-1], point_count + self._loop])

    def middles(self, x):
        """Means of the loops' vertices, shape (opening_count, 3)."""
        vertices = x[self._rim[:, 0]]
        sums = [np.bincount(self._loop, axis) for axis in vertices.T]
        return np.stack(sums, axis=1) / np.bincount(self._loop)[:, None]
