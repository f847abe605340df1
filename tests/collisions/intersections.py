# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges that go through triangles, by signed volumes: what the subject `contact` judges by, no part of the core."""

import numpy as np
from scipy.spatial import cKDTree


def edges_through_triangles(x, edges, corners, triangles):
    """Pairs (edge, triangle) that cross, shape (count, 2).

    x [m]: of the edges' ends, edges: shape (edge_count, 2); corners [m]: of the triangles, triangles: shape (count, 3).
    An edge crosses where its ends lie on both sides of the triangle's plane and the line through it turns the same way
    about all three sides (Möller and Trumbore 1997, by volumes); what only touches, or lies in the plane, does not.
    What shares a corner with the triangle crosses nowhere else: give the same array twice for a mesh and itself.
    """
    pairs = _near(x[edges], corners[triangles])
    if x is corners:
        shared = (edges[pairs[:, 0], :, None] == triangles[pairs[:, 1], None, :]).any(axis=(1, 2))
        pairs = pairs[~shared]
    p, q = (x[edges[pairs[:, 0], end]] for end in (0, 1))
    a, b, c = (corners[triangles[pairs[:, 1], corner]] for corner in range(3))
    apart = _volume(a, b, c, p) * _volume(a, b, c, q) < 0.0
    turns = np.sign([_volume(p, q, a, b), _volume(p, q, b, c), _volume(p, q, c, a)])
    return pairs[apart & (np.abs(turns.sum(axis=0)) == 3.0)]


def crosses_itself(x, edges, triangles):
    """Whether a cloth at x [m] goes through itself."""
    return len(edges_through_triangles(x, edges, x, triangles)) > 0


def crosses_solid(x, edges, triangles, points, others):
    """Whether a cloth at x [m] and a collider, points [m] and triangles, go through each other, by edges of both."""
    through = edges_through_triangles(x, edges, points, others)
    return len(through) > 0 or len(edges_through_triangles(points, unique_sides(others), x, triangles)) > 0


def unique_sides(triangles):
    """Sides of triangles, each once, shape (count, 2)."""
    return np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)


def _volume(a, b, c, d):
    """Six times the signed volume of tetrahedra."""
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a)


def _near(ones, others):
    """Pairs whose boxes overlap, of those whose spheres do, by numbers, shape (count, 2); corners: (count, k, 3)."""
    middles, radii = zip(*(_spheres(corners) for corners in (ones, others)), strict=True)
    # By classes of size: one wide triangle would have every sphere searched as far as itself.
    size = np.floor(np.log2(np.maximum(radii[1], 1e-9)))
    found = [np.zeros((0, 2), dtype=np.intp)]
    trees = cKDTree(middles[0])
    for of_size in np.unique(size):
        chosen = np.flatnonzero(size == of_size)
        reach = radii[0].max(initial=0.0) + radii[1][chosen].max()
        near = trees.sparse_distance_matrix(cKDTree(middles[1][chosen]), reach, output_type="ndarray")
        found.append(np.column_stack([near["i"], chosen[near["j"]]]))
    pairs = np.concatenate(found)
    one, other = ones[pairs[:, 0]], others[pairs[:, 1]]
    overlap = (one.min(axis=1) <= other.max(axis=1)) & (other.min(axis=1) <= one.max(axis=1))
    return pairs[overlap.all(axis=1)]


def _spheres(corners):
    middles = corners.mean(axis=1)
    return middles, np.linalg.norm(corners - middles[:, None], axis=2).max(axis=1, initial=0.0)
