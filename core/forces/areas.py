# SPDX-License-Identifier: GPL-3.0-or-later
"""The area that every particle offers the air."""

import numpy as np

from .reach import lengths


def particle_areas(body, diameter):
    """Every particle's share of its triangles at rest, and of strands' length times diameter [m^2], shape (n,)."""
    network = body.network
    x, triangles, strands = network.points, body.triangles, body.strands
    a, b, c = (x[column] for column in triangles.T)
    sizes = lengths(np.cross(b - a, c - a)) / 6.0
    widths = 0.5 * diameter * lengths(x[strands[:, 1]] - x[strands[:, 0]])
    count = network.vertex_count
    areas = np.bincount(triangles.ravel(), np.repeat(sizes, 3), count)
    return areas + np.bincount(strands.ravel(), np.repeat(widths, 2), count)
