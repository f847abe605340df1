# SPDX-License-Identifier: GPL-3.0-or-later
"""What begins at the same place is put beside each other: what lies in a triangle has no side."""

import numpy as np

from ..directions import lengths_and_directions
from ..triangle_mesh.triangles import ROUNDING
from .surface_sides import outwards

# Share of the thickness to which what coincides is put apart: far more than rounding, so that sides are certain, and so
# little that nobody sees it.
APART = 0.01


def put_apart(x, corners, distances, triangles, parts, thickness):
    """Positions [m] of particles, shape (particle_count, 3), in which parts that coincide are beside each other.

    A particle on another part's triangle is on neither side of it. Each of these parts goes a hundredth of the
    thickness at most along its own normals, another way each.

    corners: of pairs near x, shape (count, 4); distances: of each [m]; triangles: shape (count, 3); parts: part of
    every particle; thickness: of every particle [m].
    """
    same = distances < ROUNDING * np.abs(x).max(initial=0.0)
    same &= parts[corners[:, 0]] != parts[corners[:, 3]]
    particles = np.unique(corners[same])
    if len(particles) == 0:
        return x
    numbers, place = np.unique(parts[particles], return_inverse=True)
    far = APART * thickness[particles] * place / len(numbers)
    # Where a particle is in no triangle, any direction will do that strands are seldom along.
    normals = outwards(np.ascontiguousarray(x.T), triangles)[:, particles].T
    _, n = lengths_and_directions(normals, np.array([0.6, 0.48, 0.64]))
    apart = x.copy()
    apart[particles] += far[:, None] * n
    return apart


def put_beside(x, corners, distances, obstacles, parts, masses, thickness):
    """Positions [m] of particles, shape (particle_count, 3), in which none lies in an obstacle's triangle.

    Each goes by a hundredth of the thickness to the side that the centre of its part is on, or along the obstacle's
    normal where the centre is on none.

    corners: of pairs near x, shape (count, 4), obstacles' vertices numbered after the particles; distances: of each
    [m]; obstacles: their vertices [m], shape (count, 3), and triangles of their indices; parts: part of every
    particle; masses [kg]; thickness: of every particle [m].
    """
    same = distances < ROUNDING * np.abs(x).max(initial=0.0)
    rows, place = np.nonzero(same[:, None] & (corners < len(x)))
    if len(rows) == 0:
        return x
    particles, first = np.unique(corners[rows, place], return_index=True)
    touched = corners[rows[first]].max(axis=1) - len(x)
    vertices, triangles = obstacles
    normals = outwards(np.ascontiguousarray(vertices.T), triangles)[:, touched].T
    _, n = lengths_and_directions(normals, np.array([0.0, 0.0, 1.0]))
    total = np.bincount(parts, masses)[parts[particles]]
    centres = np.column_stack([np.bincount(parts, masses * of)[parts[particles]] / total for of in x.T])
    heights = np.einsum("ij,ij->i", n, centres - x[particles])
    side = np.where(heights < -ROUNDING * np.abs(x).max(), -1.0, 1.0)
    beside = x.copy()
    beside[particles] += (APART * thickness[particles] * side)[:, None] * n
    return beside
