# SPDX-License-Identifier: GPL-3.0-or-later
"""The area that every particle offers the air."""

import numpy as np

from .reach import lengths, units


def particle_areas(body, diameter):
    """Every particle's share of its triangles at rest, and of strands' length times diameter [m^2], shape (n,)."""
    network = body.network
    x, triangles, strands = network.points, body.triangles, body.strands
    sizes = thirds(body)
    widths = 0.5 * diameter * lengths(x[strands[:, 1]] - x[strands[:, 0]])
    count = network.vertex_count
    areas = np.bincount(triangles.ravel(), np.repeat(sizes, 3), count)
    return areas + np.bincount(strands.ravel(), np.repeat(widths, 2), count)


def thirds(body):
    """A third of every triangle's area at rest [m^2], shape (count,)."""
    return lengths(_normals(body.network.points, body.triangles)) / 6.0


def across_triangles(triangles, sizes, x, pressure):
    """Forces on particles at x of a pressure of which every triangle feels what is across it [N], shape (n, 3).

    triangles: shape (count, 3); sizes: their `thirds`; pressure: at the particles [N/m^2], shape (n, 3).
    """
    normals = units(_normals(x, triangles))
    forces = np.zeros_like(x)
    for corner in triangles.T:
        pushes = (sizes * np.einsum("ij,ij->i", pressure[corner], normals))[:, None] * normals
        for axis in range(3):
            forces[:, axis] += np.bincount(corner, pushes[:, axis], len(x))
    return forces


def _normals(x, triangles):
    """Normals of triangles, twice as long as their areas."""
    a, b, c = (x[column] for column in triangles.T)
    return np.cross(b - a, c - a)
