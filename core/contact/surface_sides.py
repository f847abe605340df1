# SPDX-License-Identifier: GPL-3.0-or-later
"""On which side of a surface its particles are touched: what lies between two plies bears on one and is borne by the
other."""

import numpy as np

from ..kernels import Indices


def outwards(x, triangles):
    """Normals of vertices at x, shape (3, n) [m], weighted by the areas of their triangles [m^2], 0 of no triangle."""
    a, b, c = (x[:, triangles[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a, axis=0)
    corners, count = triangles.T.ravel(), x.shape[1]
    return np.stack([np.bincount(corners, np.tile(row, 3), count) for row in normals])


def sided(rows, normals):
    """Corners of Rows as Indices of fields of both sides, those of the back after those of the front.

    normals: of `outwards`; what has none is touched in front.
    """
    corners, n = rows.corners.values, normals.shape[1]
    along = np.einsum("am,amk->mk", rows.normals, normals[:, corners]) * rows.weights
    return Indices(np.where(along < 0.0, corners + n, corners), 2 * n)
