# SPDX-License-Identifier: GPL-3.0-or-later
"""Flat discs to drape: quads of a grid that is fitted to circles, triangles of rings."""

import numpy as np
from scipy.spatial import Delaunay

from hooke.core.topology import Polygons

KINDS = ("quads", "triangles")


def disc(radius, table, spacing, kind):
    """Points [m] and Polygons of a disc about the origin, on which the edge of a table of a radius [m] is a line."""
    return (_quads if kind == "quads" else _triangles)(radius, table, spacing)


def _triangles(radius, table, spacing):
    """Delaunay's triangles of rings, one of which is the table's edge."""
    inner, outer = round(table / spacing), round((radius - table) / spacing)
    radii = np.concatenate(
        [np.arange(inner + 1) * table / inner, table + np.arange(1, outer + 1) * (radius - table) / outer]
    )
    points = [np.zeros((1, 2))]
    for number, r in enumerate(radii[1:]):
        count = max(6, round(2.0 * np.pi * r / spacing))
        # The golden angle keeps rings from lining up.
        angle = 2.0 * np.pi * np.arange(count) / count + 2.39996 * number
        points.append(r * np.column_stack([np.cos(angle), np.sin(angle)]))
    flat = np.concatenate(points)
    corners = Delaunay(flat).simplices
    a, b, c = flat[corners].transpose(1, 0, 2)
    area = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    return np.column_stack([flat, 0.0 * flat[:, 0]]), Polygons.from_faces(corners[area > 1e-3 * spacing**2])


def _quads(radius, table, spacing):
    """Quads of a grid; what is near a circle is moved onto it along its radius."""
    half = int(np.ceil(radius / spacing)) + 1
    steps = spacing * np.arange(-half, half + 1)
    x, y = np.meshgrid(steps, steps, indexing="ij")
    flat = np.column_stack([x.ravel(), y.ravel()])
    indices = np.arange(x.size).reshape(x.shape)
    around = indices[:-1, :-1], indices[1:, :-1], indices[1:, 1:], indices[:-1, 1:]
    quads = np.stack(around, axis=-1).reshape(-1, 4)
    r = np.linalg.norm(flat, axis=1)
    quads = quads[(r[quads] < radius + 0.5 * spacing).all(axis=1)]
    kept, quads = np.unique(quads, return_inverse=True)
    flat, r, quads = flat[kept], r[kept], quads.reshape(-1, 4)
    # The border: ends of sides that one quad has.
    sides = np.sort(np.stack([quads, np.roll(quads, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    sides, count = np.unique(sides, axis=0, return_counts=True)
    border = np.unique(sides[count == 1])
    flat[border] *= (radius / r[border])[:, None]
    near = np.flatnonzero(np.abs(r - table) < 0.35 * spacing)
    flat[near] *= (table / r[near])[:, None]
    return np.column_stack([flat, 0.0 * flat[:, 0]]), Polygons.from_faces(quads)
