# SPDX-License-Identifier: GPL-3.0-or-later
"""The axes along which a surface's normals point most."""

import numpy as np

# Rotation that the search begins with: axes half-way between a box's own are left nowhere.
_ANGLE = 0.1
_ROUNDS = 60
# How much more of the normals must lie along other axes for the world's not to be taken.
_BETTER = 1.02


def frame_of(corners):
    """Rows of a rotation: axes that most of the area has its normals along; the world's own where none do more.

    corners: of the triangles, shape (triangle_count, 3 corners, 3).

    The largest sum of A (n . r)^4 over areas, normals and axes, by fixed-point iteration; Hyvaerinen 1999, "Fast and
    Robust Fixed-Point Algorithms for Independent Component Analysis", whose axes are found alike.
    """
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    n = normals / np.maximum(areas, 1e-300)[:, None]
    c, s = np.cos(_ANGLE), np.sin(_ANGLE)
    frame = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    frame = frame @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    squares = (n[:, :, None] * n[:, None, :]).reshape(-1, 9)
    fourth = ((squares * areas[:, None]).T @ squares).reshape(3, 3, 3, 3)
    for _ in range(_ROUNDS):
        u, _, v = np.linalg.svd(np.einsum("abcd,ia,ib,ic->id", fourth, frame, frame, frame))
        turned = u @ v
        if np.abs(turned - frame).max() < 1e-14:
            break
        frame = turned
    frame = frame * np.sign(np.linalg.det(frame))
    worth = [np.einsum("abcd,ia,ib,ic,id->", fourth, *[axes] * 4) for axes in (frame, np.eye(3))]
    return frame if worth[0] > _BETTER * worth[1] else np.eye(3)
