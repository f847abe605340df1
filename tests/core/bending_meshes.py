# SPDX-License-Identifier: GPL-3.0-or-later
"""Flat meshes to bend: quads, triangles of three kinds, both mixed, and irregular ones."""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import spsolve

from hooke.core.forces import spring_energy, spring_forces, stiffness_matrix
from hooke.core.topology import Polygons

KINDS = ("quads", "triangles", "alternating", "mixed", "irregular quads", "irregular triangles")


def flat(columns, rows, spacing, kind):
    """Points [m] and Polygons of a grid in x and y, vertex (i, j) at i * (rows + 1) + j."""
    x, y = np.meshgrid(np.arange(columns + 1), np.arange(rows + 1), indexing="ij")
    points = spacing * np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    indices = np.arange(x.size).reshape(x.shape)
    corners = indices[:-1, :-1], indices[1:, :-1], indices[1:, 1:], indices[:-1, 1:]
    quads = np.stack(corners, axis=-1).reshape(-1, 4)
    rng = np.random.default_rng(3)
    if kind.startswith("irregular"):
        inner = ((x > 0) & (x < columns) & (y > 0) & (y < rows)).ravel()
        points[inner, :2] += 0.12 * spacing * rng.uniform(-1, 1, (np.count_nonzero(inner), 2))
    if kind.endswith("quads"):
        return points, Polygons.from_faces(quads)
    one = np.stack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]], axis=1)
    other = np.stack([quads[:, [0, 1, 3]], quads[:, [1, 2, 3]]], axis=1)
    turned = np.indices((columns, rows)).sum(axis=0).ravel() % 2 == 1
    if kind == "alternating":
        one[turned] = other[turned]
    if kind == "mixed":
        cut = rng.random(len(quads)) < 0.5
        return points, Polygons.from_faces([*quads[~cut], *one[cut].reshape(-1, 3)])
    return points, Polygons.from_faces(one.reshape(-1, 3))


def at_equilibrium(network, forces, x, loads=10):
    """Where springs balance forces [N], from x [m] by Newton's method on the core's own formulas, load by load."""
    for share in np.arange(1, loads + 1) / loads:
        x = _balanced(network, share * forces, x)
    return x


def _balanced(network, forces, x, tolerance=1e-6):
    rows, shift = (3 * network.free[:, None] + np.arange(3)).ravel(), 1e-3

    def value(x):
        return spring_energy(network, x) - np.sum(forces * x)

    def left(x):
        return (spring_forces(network, x) + forces).ravel()[rows]

    for _ in range(200):
        pull = left(x)
        if np.linalg.norm(pull) < tolerance * np.linalg.norm(forces):
            return x
        matrix = stiffness_matrix(network, x).tocsr()[rows][:, rows]
        while True:
            moved = x.copy()
            moved.reshape(-1)[rows] += spsolve((matrix + shift * sparse.identity(len(rows))).tocsc(), pull)
            # Where rounding hides what is gained, the forces tell.
            nearer = np.linalg.norm(left(moved)) < 0.5 * np.linalg.norm(pull)
            if nearer or value(moved) < value(x):
                break
            shift = max(4.0 * shift, 1e-8)
        x, shift = moved, 0.1 * shift
    raise AssertionError("no equilibrium was found")
