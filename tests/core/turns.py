# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns by rotation vectors."""

import numpy as np


def turned(arms, turn):
    """Arms, shape (3, count), turned by a rotation vector [rad] (Rodrigues)."""
    angle = np.linalg.norm(turn)
    if angle == 0.0:
        return arms
    x, y, z = turn / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return arms + np.sin(angle) * (cross @ arms) + (1.0 - np.cos(angle)) * (cross @ (cross @ arms))
