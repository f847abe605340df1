# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances between the middles of a grid's cells, where they are known."""

import numpy as np

from ..directions import lengths_and_directions

# Cells between a position and the middles that its distance is interpolated from, at most.
_ACROSS = 2.0


class Interpolation:
    """Distances that are linear along each axis between the middles of cells.

    low, high: corners of the grid, shape (3,); size: of a cell [m]; values: distances at the middles, an axis each [m].
    Outside the grid the distance is that by way of its closest point.
    """

    def __init__(self, low, high, size, values):
        self._low, self._high, self._size, self._values = low, high, size, values
        self._last = np.array(values.shape) - 1.000001

    def __call__(self, x):
        """Distances at x, shape (count, 3), and their gradients as unit normals."""
        inside = np.clip(x, self._low, self._high)
        # fmin and fmax, unlike clip, let what is no number lie in a cell: its distance is no number either.
        u = np.fmin(np.fmax((inside - self._low) / self._size - 0.5, 0.0), self._last)
        lower = u.astype(np.int64)
        (fx, fy, fz) = (u - lower).T
        i, j, k = lower.T
        _, ny, nz = self._values.shape
        first = (i * ny + j) * nz + k
        v = [self._values.take(first + (a * ny + b) * nz + c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
        v00, v01, v10, v11 = (v[n] + fx * (v[n + 4] - v[n]) for n in range(4))
        v0, v1 = v00 + fy * (v10 - v00), v01 + fy * (v11 - v01)
        gx = [v[n + 4] - v[n] for n in range(4)]
        gx0, gx1 = gx[0] + fy * (gx[2] - gx[0]), gx[1] + fy * (gx[3] - gx[1])
        gy0, gy1 = v10 - v00, v11 - v01
        gradient = np.stack([gx0 + fz * (gx1 - gx0), gy0 + fz * (gy1 - gy0), v1 - v0], axis=1)
        distances, normals = v0 + fz * (v1 - v0), lengths_and_directions(gradient)[1]
        outside = np.flatnonzero((x != inside).any(axis=1))
        if len(outside):
            # By way of the closest point of the grid: seen from there, the two parts are never less than square.
            way = x[outside] - inside[outside] + distances[outside, None] * normals[outside]
            beyond = np.linalg.norm(x[outside] - inside[outside], axis=1)
            distances[outside], normals[outside] = (
                np.hypot(beyond, distances[outside]),
                lengths_and_directions(way)[1],
            )
        return distances, normals
