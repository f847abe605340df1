# SPDX-License-Identifier: GPL-3.0-or-later
"""Sides for what coincides where a simulation begins."""

import numpy as np

from ..triangle_mesh.posed import ROUNDING

# Share of the thickness to which what coincides is put apart: with a tenth a side is as certain, and what lay flat is
# seen to move.
APART = 0.01

# Where a particle is in no triangle, one direction is as good as another.
_ANY = np.array([0.6, 0.48, 0.64])


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
    apart = x.copy()
    apart[particles] += far[:, None] * _normals(x, triangles)[particles]
    return apart


def _normals(x, triangles):
    """Unit normals of particles, of the triangles around each."""
    a, b, c = (x[corners] for corners in triangles.T)
    crossed = np.cross(b - a, c - a)
    normals = np.column_stack(
        [np.bincount(triangles.T.ravel(), np.tile(column, 3), len(x)) for column in crossed.T]
    )
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(lengths > 0.0, normals / np.where(lengths > 0.0, lengths, 1.0), _ANY)
