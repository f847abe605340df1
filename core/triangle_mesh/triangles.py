# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles in one pose: what of them is closest to points."""

from typing import NamedTuple

import numpy as np

from ..kernels import Indices
from ..kernels.stencils import POINT_TRIANGLE, closest_points

# Of distances, beside coordinates: eight of single precision, in which these come.
ROUNDING = 1e-6


class Closest(NamedTuple):
    """Points of triangles that are closest to others.

    rows: which of the others, rising, shape (count,); triangles: shape (count,); weights: barycentric, shape
    (3, count); distances: at least 0 [m], shape (count,); offsets: from the triangles' points, shape (3, count).
    """

    rows: np.ndarray
    triangles: np.ndarray
    weights: np.ndarray
    distances: np.ndarray
    offsets: np.ndarray


class Triangles:
    """Triangles in one pose.

    x: vertices, shape (vertex_count, 3) [m]; corners: their indices, shape (triangle_count, 3).
    a: the first corners; ab, ac: from these to the others; each of shape (3, triangle_count). scale: of the
    coordinates [m].
    """

    def __init__(self, x, corners):
        self._x, self._corners = np.ascontiguousarray(x.T), corners
        self.a, b, c = (self._x.take(corners[:, corner], axis=1) for corner in range(3))
        self.ab, self.ac = b - self.a, c - self.a
        self.scale = max(float(np.abs(of).max()) for of in (self.a, b, c))

    def each(self, x, rows, triangles):
        """Closest to points, rows of x, shape (count, 3), each of one triangle."""
        count = len(rows)
        # Corners of these alone: all vertices of a body would be copied for a few points beside it.
        corners = self._x.take(self._corners[triangles], axis=1)
        each = np.concatenate([x[rows].T[:, :, None], corners], axis=2).reshape(3, -1)
        stencils = Indices(np.arange(4 * count).reshape(-1, 4), 4 * count)
        weights, normals, distances = np.empty((count, 4)), np.empty((3, count)), np.empty(count)
        kinds = np.full(count, POINT_TRIANGLE, np.uint8)
        closest_points(each, stencils, kinds, weights, normals, distances, np.empty(count))
        return Closest(rows, triangles, np.ascontiguousarray(-weights.T[1:]), distances, distances * normals)
