# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether meshes go through each other, told by signed volumes."""

import numpy as np


def through(x, edges, corners, triangles):
    """Whether an edge goes through a triangle of another mesh, by signed volumes (Möller and Trumbore 1997)."""
    p, q = (x[edges[:, end]][:, None] for end in (0, 1))
    a, b, c = (corners[triangles[:, corner]][None] for corner in range(3))

    def volume(a, b, c, d):
        return np.einsum("...i,...i->...", np.cross(b - a, c - a), d - a)

    apart = volume(a, b, c, p) * volume(a, b, c, q) < 0.0
    turns = np.sign([volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)]).sum(axis=0)
    return bool((apart & (np.abs(turns) == 3.0)).any())
