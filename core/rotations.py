# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations: the nearest one, of matrices and of bodies."""

import numpy as np


def nearest_rotation(matrix):
    """The rotation nearest to a matrix, or to each of some, of shape (…, 3, 3), which turns nothing inside out.

    Kabsch 1976, "A solution for the best rotation to relate two sets of vectors".
    """
    u, _, v = np.linalg.svd(matrix)
    u[..., -1] *= np.sign(np.linalg.det(u @ v))[..., None]
    return u @ v


def rotation(arms, at):
    """The rotation that takes arms about their mean, shape (3, count), nearest to `at` but for a shift."""
    return nearest_rotation(np.einsum("ij,kj->ik", at - at.mean(axis=1, keepdims=True), arms))
