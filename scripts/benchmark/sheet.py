# SPDX-License-Identifier: GPL-3.0-or-later
"""The sheet every subject simulates: a square grid of 2 m and 1 kg, hung at two corners, 24 frames a second."""

import numpy as np

SIZE, MASS, STIFFNESS, FPS = 2.0, 1.0, 1e4, 24
# Ways to spend ten solves a frame: substeps, iterations.
EFFORTS = ((1, 10), (10, 1))
# The first frames build the simulation and fill the caches.
WARM_UP = 3


def grid(quads):
    """Points [m], quads as vertex indices, and the two pinned corners, of a sheet in the plane z = 0."""
    line = np.linspace(-SIZE / 2, SIZE / 2, quads + 1)
    y, x = np.meshgrid(line, line, indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    corners = np.arange(x.size).reshape(x.shape)[:-1, :-1].ravel()
    return points, corners[:, None] + np.array([0, 1, quads + 2, quads + 1]), [0, quads]


def edges(faces):
    """The sides of all faces once, shape (edge_count, 2)."""
    sides = np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1).reshape(-1, 2)
    return np.unique(np.sort(sides, axis=1), axis=0)


def shape_columns(frames, points, edges):
    """Cells on how true the frames are: worst length / rest length of the edges, mean |length / rest length - 1|,
    and the sheet's mean height after 0.75 s of falling and swinging.

    frames: positions [m] of every frame after the first, shape (frame_count, vertex_count, 3).
    """
    rest = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)
    ratios = np.array([np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1) / rest for x in frames])
    height = frames[3 * FPS // 4 - 1][:, 2].mean()
    return f"{ratios.max():.3f}", f"{np.abs(ratios - 1.0).mean():.3%}", f"{height:.2f} m"


SHAPE_HEADINGS = ("worst stretch", "mean", "height at 0.75 s")
