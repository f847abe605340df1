# SPDX-License-Identifier: GPL-3.0-or-later
"""Flat meshes to bend: quads, triangles of four kinds, both mixed, and irregular ones."""

import numpy as np
from scipy.spatial import Delaunay

from hooke.core.topology import Polygons

KINDS = (
    "quads",
    "triangles",
    "alternating",
    "mixed",
    "irregular quads",
    "irregular triangles",
    "random triangles",
)
# Of the spacing: how far points of irregular meshes are from the grid, and those of random triangles.
_OFF, _FAR_OFF = 0.12, 0.35


def flat(columns, rows, spacing, kind):
    """Points [m] and Polygons of a grid in x and y, vertex (i, j) at i * (rows + 1) + j.

    triangles have one diagonal, alternating ones turn from quad to quad; random ones are Delaunay's of shaken points.
    """
    x, y = np.meshgrid(np.arange(columns + 1), np.arange(rows + 1), indexing="ij")
    points = spacing * np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    indices = np.arange(x.size).reshape(x.shape)
    corners = indices[:-1, :-1], indices[1:, :-1], indices[1:, 1:], indices[:-1, 1:]
    quads = np.stack(corners, axis=-1).reshape(-1, 4)
    rng = np.random.default_rng(3)
    if kind.startswith(("irregular", "random")):
        # The first two columns stay in line, so that they can be clamped.
        inner = ((x > 1) & (x < columns) & (y > 0) & (y < rows)).ravel()
        off = spacing * (_FAR_OFF if kind.startswith("random") else _OFF)
        points[inner, :2] += off * rng.uniform(-1, 1, (np.count_nonzero(inner), 2))
    if kind.endswith("quads"):
        return points, Polygons.from_faces(quads)
    if kind == "random triangles":
        return points, Polygons.from_faces(Delaunay(points[:, :2]).simplices)
    one = np.stack([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]], axis=1)
    other = np.stack([quads[:, [0, 1, 3]], quads[:, [1, 2, 3]]], axis=1)
    turned = np.indices((columns, rows)).sum(axis=0).ravel() % 2 == 1
    if kind == "alternating":
        one[turned] = other[turned]
    if kind == "mixed":
        cut = rng.random(len(quads)) < 0.5
        return points, Polygons.from_faces([*quads[~cut], *one[cut].reshape(-1, 3)])
    return points, Polygons.from_faces(one.reshape(-1, 3))
