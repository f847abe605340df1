# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh of a cube, where none is given."""

import numpy as np


def cube(side=2.0):
    """Points about the origin, shape (8, 3) [m], and triangles wound outwards, shape (12, 3)."""
    points = np.stack(np.meshgrid(*[[-side / 2, side / 2]] * 3, indexing="ij"), axis=-1).reshape(8, 3)
    quads = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    return points, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
