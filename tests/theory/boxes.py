# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed boxes of quads as meshes of solids."""

import numpy as np

from hooke.core.topology import lattice_faces


def box(size, spacing):
    """Points and quads of the outside of a box with one corner at the origin, edges about `spacing` long [m]."""
    counts = np.maximum(np.rint(np.divide(size, spacing)), 1).astype(int)
    faces = lattice_faces(tuple(counts + 1))
    axes = [np.linspace(0.0, side, count + 1) for side, count in zip(size, counts, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    used, numbers = np.unique(faces, return_inverse=True)
    return grid[used], numbers.reshape(faces.shape)


def turn(*angles):
    """Rotation about x, y and z by angles [rad], for rows of points from the right."""
    a, b, c = (np.array([np.cos(angle), np.sin(angle)]) for angle in angles)
    x = np.array([[1, 0, 0], [0, a[0], -a[1]], [0, a[1], a[0]]])
    y = np.array([[b[0], 0, b[1]], [0, 1, 0], [-b[1], 0, b[0]]])
    z = np.array([[c[0], -c[1], 0], [c[1], c[0], 0], [0, 0, 1]])
    return (z @ y @ x).T


def volume(x, faces):
    """Volume [m^3] that quads enclose."""
    a, b, c, d = (x[corner] for corner in faces.T)
    return (np.einsum("ij,ij->", a, np.cross(b, c)) + np.einsum("ij,ij->", a, np.cross(c, d))) / 6.0
