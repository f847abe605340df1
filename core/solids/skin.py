# SPDX-License-Identifier: GPL-3.0-or-later
"""The particles on a solid's surface: what its surroundings touch, about as dense as its lattice whatever the mesh."""

from typing import Any, NamedTuple

import numpy as np

from ..listed import distinct_rows

# Longest side of a triangle, in cells: long ones are halved.
_LONGEST = 1.25
# Vertices are kept as they are, up to so many for every cell's side squared of the surface; denser ones are thinned
# out to one in a cube of this side, in cells.
_DENSEST, _CUBE = 6.0, 0.5


class Skin(NamedTuple):
    """Particles on the surface of a solid.

    vertices: of the mesh that are particles; halves: of each round of halving the pairs of particles between which
    more are, by their numbers so far, a list of arrays of shape (count, 2); triangles: of particles, shape (count, 3).
    """

    vertices: np.ndarray
    halves: list[Any]
    triangles: np.ndarray

    def spread(self, values, least=False):
        """Values of all particles from those of the mesh's vertices, one row each; least: of two the lower, no mean."""
        out = np.asarray(values)[self.vertices]
        for pairs in self.halves:
            one, other = out[pairs[:, 0]], out[pairs[:, 1]]
            out = np.concatenate([out, np.minimum(one, other) if least else 0.5 * (one + other)])
        return out


def skin_of(points, triangles, size, apart, kept):
    """The Skin of triangles, shape (count, 3), on a lattice with cells of some size [m].

    points [m]: of all vertices; apart: whole number of every vertex: where it differs, none stands for the other;
    kept: mask of the vertices that others need as particles.
    """
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = 0.5 * np.linalg.norm(normals, axis=1).sum()
    vertices = np.unique(triangles)
    numbers = np.full(len(points), -1)
    if len(vertices) > _DENSEST * area / size**2:
        vertices, numbers = _thinned(points, triangles, normals, _CUBE * size, apart, kept, vertices)
    else:
        numbers[vertices] = np.arange(len(vertices))
    mine = numbers[triangles]
    whole = (mine[:, 0] != mine[:, 1]) & (mine[:, 1] != mine[:, 2]) & (mine[:, 2] != mine[:, 0])
    mine = mine[whole]
    _, first = distinct_rows(np.sort(mine, axis=1), return_index=True)
    halves, mine = _halved(points[vertices], mine[np.sort(first)], _LONGEST * size)
    return Skin(vertices, halves, mine)


def _thinned(points, triangles, normals, cube, apart, kept, vertices):
    """Vertices that stand for those about them, and the number of the one that does for each vertex.

    Those of one cube whose normals point alike; Rossignac, Borrel 1993, "Multi-resolution 3D approximations for
    rendering complex scenes". The one that sticks out farthest stands for all.
    """
    sums = np.column_stack(
        [np.bincount(triangles.ravel(), np.repeat(along, 3), len(points)) for along in normals.T]
    )
    n = sums[vertices] / np.maximum(np.linalg.norm(sums[vertices], axis=1), 1e-300)[:, None]
    axis = np.abs(n).argmax(axis=1)
    side = 2 * axis + (n[np.arange(len(n)), axis] > 0.0)
    x = points[vertices]
    places = np.floor((x - x.min(axis=0)) / cube).astype(np.intp)
    keys = np.column_stack([places, side, apart[vertices], np.where(kept[vertices], vertices, -1)])
    _, cluster = np.unique(keys, axis=0, return_inverse=True)
    cluster = cluster.ravel()
    count = np.bincount(cluster)
    means = [
        np.column_stack([np.bincount(cluster, along) for along in of.T]) / count[:, None] for of in (x, n)
    ]
    from_mean = x - means[0][cluster]
    out = np.einsum("ij,ij->i", from_mean, means[1][cluster])
    worth = out - 0.1 * np.linalg.norm(from_mean, axis=1)
    order = np.lexsort([-worth, cluster])
    first = order[np.concatenate([[0], np.flatnonzero(np.diff(cluster[order])) + 1])]
    ascending = np.argsort(vertices[first])
    numbers = np.full(len(points), -1)
    ranks = np.empty(len(first), dtype=np.intp)
    ranks[ascending] = np.arange(len(first))
    numbers[vertices] = ranks[cluster]
    return vertices[first[ascending]], numbers


def _halved(x, triangles, longest):
    """Pairs of every round between which particles are added, and triangles none of whose sides is too long."""
    halves: list[Any] = []
    while True:
        sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]], axis=2)
        far = np.linalg.norm(x[sides[..., 0]] - x[sides[..., 1]], axis=2) > longest
        if not far.any():
            return halves, triangles
        pairs, number = distinct_rows(sides[far], return_inverse=True)
        middle = np.full(far.shape, -1)
        middle[far] = len(x) + number.ravel()
        x = np.concatenate([x, 0.5 * (x[pairs[:, 0]] + x[pairs[:, 1]])])
        halves.append(pairs)
        triangles = _split(triangles, middle, far)


def _split(triangles, middle, far):
    """Triangles with middles of sides put in; the side of each corner leads to the next."""
    count, parts = far.sum(axis=1), [triangles[~far.any(axis=1)]]
    # Turned so that the first side is halved, and of two halved ones the second is too.
    for turn in range(3):
        order = [(turn + step) % 3 for step in range(3)]
        (a, b, c), (p, q, r), (one, two, _) = (of[:, order].T for of in (triangles, middle, far))
        rows = (count == 1) & one
        parts += [np.column_stack(of)[rows] for of in ((a, p, c), (p, b, c))]
        rows = (count == 2) & one & two
        parts += [np.column_stack(of)[rows] for of in ((p, b, q), (a, p, q), (a, q, c))]
        if turn == 0:
            rows = count == 3
            parts += [np.column_stack(of)[rows] for of in ((a, p, r), (p, b, q), (r, q, c), (p, q, r))]
    return np.concatenate(parts)
