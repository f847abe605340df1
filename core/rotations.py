# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations: the nearest one, and those of an axis and an angle."""

import numpy as np


def nearest_rotation(matrix):
    """The rotation nearest to a matrix, or to each of some, of shape (…, 3, 3), which turns nothing inside out.

    Kabsch 1976, "A solution for the best rotation to relate two sets of vectors".
    """
    u, _, v = np.linalg.svd(matrix)
    u[..., -1] *= np.sign(np.linalg.det(u @ v))[..., None]
    return u @ v


def turned(arms, turn):
    """Arms, shape (3, count), turned by a rotation vector [rad] (Rodrigues)."""
    angle = np.linalg.norm(turn)
    if angle == 0.0:
        return arms
    x, y, z = turn / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return arms + np.sin(angle) * (cross @ arms) + (1.0 - np.cos(angle)) * (cross @ (cross @ arms))
