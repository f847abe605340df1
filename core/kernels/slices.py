# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs by slices of vertices: each slice is written to by one thread, and in one order."""

from typing import NamedTuple

import numpy as np

from .lanes import VERTICES, slice_count
from .signature import Indices

# Springs by slices of vertices, see `in_slices`.
SPRINGS = "x(3,n) vertices(m,w)<n weights(q,w) inner(s+1)<=m touching(s+1)<=e touched(e)<m"


class Slices(NamedTuple):
    """Springs by slices of vertices, so that each slice is written to by itself.

    order: of the springs, those within slices first; inner: where in that order each slice's begin, and the last one's
    end; touching, touched: those that leave their slice, by slices that have one of their vertices.
    """

    order: np.ndarray
    inner: Indices
    touching: Indices
    touched: Indices


def in_slices(vertices, vertex_count):
    """Slices of springs between vertices, shape (spring_count, width), which keep their order within each."""
    count, slices = len(vertices), slice_count(vertex_count)
    place = np.asarray(vertices) // VERTICES
    leaves = (place != place[:, :1]).any(axis=1)
    order = np.lexsort((place[:, 0], leaves))
    inner = np.concatenate([[0], np.cumsum(np.bincount(place[~leaves, 0], minlength=slices))])
    crossing = place[order[inner[-1] :]]
    pairs = np.unique(crossing * count + np.arange(inner[-1], count)[:, None])
    slice_of, touched = np.divmod(pairs, max(count, 1))
    touching = np.concatenate([[0], np.cumsum(np.bincount(slice_of, minlength=slices))])
    return Slices(
        order, Indices(inner, count + 1), Indices(touching, len(touched) + 1), Indices(touched, count)
    )


def points(random, size):
    """Positions, and the vertices and weights of springs between them: edges, or wider ones of any weights."""
    # Of many vertices, so that there are several slices.
    n, m, width = (
        (12 if size > 99 else 2) * size + 2,
        9 * size * (size > 3) + size,
        int(random.choice([2, 4])),
    )
    vertices = random.integers(0, n, (m, width))
    near = random.random(m) < 0.5
    vertices[near] = (vertices[near, :1] + random.integers(0, 9, (near.sum(), width))) % n
    weights = np.array([[1.0, -1.0]]) if width == 2 else random.normal(size=(m, width))
    return random.normal(size=(3, n)), Indices(vertices, n), weights


def points_in_slices(random, size):
    """The same by slices: positions, vertices, weights, and what says which springs a slice has."""
    x, vertices, weights = points(random, size)
    slices = in_slices(vertices.values, x.shape[1])
    ordered = Indices(vertices.values[slices.order], x.shape[1])
    return x, ordered, weights if len(weights) == 1 else weights[slices.order], *slices[1:]


def add_to_vertices(vertices, weights, u, out):
    """Add vectors of springs, times their weights, at their vertices."""
    for corner, weight in zip(vertices.T, weights.T, strict=True):
        for total, row in zip(out, u, strict=True):
            total += np.bincount(corner, weight * row, len(total))
