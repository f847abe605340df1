# SPDX-License-Identifier: GPL-3.0-or-later
"""The sheet every contestant simulates: a square grid of 2 m and 1 kg, hung at two corners, 24 frames a second."""

import numpy as np

SIZE, MASS, STIFFNESS, FPS = 2.0, 1.0, 1e4, 24
# Of the springs across faces and beyond the next vertex, as factors of STIFFNESS: Hooke's own defaults.
SHEAR, BENDING = 1.0, 0.05


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


def network(quads):
    """The sheet as a SpringNetwork, the same that Hooke's modifier makes of it with its default settings."""
    from hooke.core import SpringNetwork

    points, faces, pinned = grid(quads)
    pins = np.zeros(len(points))
    pins[pinned] = 1.0
    stiffness = {
        "structural": STIFFNESS,
        "shear": SHEAR * STIFFNESS,
        "bending": BENDING * STIFFNESS,
    }
    return SpringNetwork.from_mesh(points, edges(faces), faces, **stiffness, mass=MASS, pins=pins)


def stretches(x, points, sides):
    """|length / rest length - 1| of every edge at positions x [m], shape (edge_count,)."""
    rest, length = (np.linalg.norm(p[sides[:, 0]] - p[sides[:, 1]], axis=1) for p in (points, x))
    return np.abs(length / rest - 1.0)


def distance(x, y):
    """Root mean square of the distances between two sets of positions [m]."""
    return float(np.sqrt(np.mean(np.sum((x - y) ** 2, axis=1))))
