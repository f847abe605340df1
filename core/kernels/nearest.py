# SPDX-License-Identifier: GPL-3.0-or-later
"""The triangle that is nearest to a point, found by the bounding volume hierarchy of `overlaps`."""

import numpy as np

from .kernel import kernel
from .overlaps import empty_nodes, levels_of, refit, single
from .signature import Indices
from .stencils import POINT_TRIANGLE, closest_points

# Points that are looked at at once: some hundred boxes each are some tens of megabytes.
_AT_ONCE = 16384

# Triangles as near but for rounding are tested, too: of several equally near ones the first is found.
_AS_NEAR = 1.0 + 8.0 * np.finfo(float).eps


def nodes_about(x, of_leaves):
    """The records of a tree about triangles, Indices of vertices x, shape (3, n)."""
    still = np.zeros_like(x)
    nodes = empty_nodes(levels_of(len(of_leaves.values)))
    bounds = single(np.concatenate([-x, x, still, still]).T)
    refit(bounds, np.zeros(x.shape[1], np.float32), of_leaves, np.empty(0, np.uint8), nodes)
    return nodes


def _example(random, size):
    x = random.normal(size=(3, 3 * size))
    of_leaves = Indices(random.permutation(3 * size).reshape(size, 3), 3 * size)
    points = random.normal(size=(3, 2 * size))
    return x, of_leaves, nodes_about(x, of_leaves), points, np.empty(2 * size, np.int32)


@kernel(
    "x(3,n) of_leaves(c,3)<n nodes:f4(k,12,4) points(3,m) -> leaves:i4(m)",
    over="m",
    grain=256,
    example=_example,
)
def nearest_triangles(x, of_leaves, nodes, points, leaves):
    """Numbers of the leaves whose triangles are nearest to points, of several equally near the first.

    x: vertices; of_leaves: their indices, in the order of the tree; nodes: its records about them, see `nodes_about`.
    """
    for begin in range(0, points.shape[1], _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        leaves[some] = _nearest(x, of_leaves, nodes, points[:, some])


def _nearest(x, of_leaves, nodes, points):
    """The leaves, level by level: what is in a box is nearer than its farthest corner."""
    count, deepest = points.shape[1], (len(nodes) - 1) // 4
    which, record = np.arange(count), np.zeros(count, dtype=np.intp)
    most = np.full(count, np.inf)
    while True:
        low, high = -nodes[record, :3].astype(float), nodes[record, 3:6].astype(float)
        at = points[:, which].T[:, :, None]
        near = np.square(np.maximum(np.maximum(low - at, at - high), 0.0)).sum(axis=1)
        far = np.square(np.maximum(np.abs(low - at), np.abs(high - at))).sum(axis=1)
        np.minimum.at(most, which, far.min(axis=1))
        pair, lane = np.nonzero(near <= _AS_NEAR * most[which][:, None])
        which, below = which[pair], 4 * record[pair] + 1 + lane
        if record[0] >= deepest:
            break
        record = below
    leaf = below - (4 * deepest + 1)
    which, leaf = which[leaf < len(of_leaves)], leaf[leaf < len(of_leaves)]
    stencils = np.column_stack([x.shape[1] + which, of_leaves[leaf]])
    distances, kinds = np.empty(len(leaf)), np.full(len(leaf), POINT_TRIANGLE, np.uint8)
    of_stencils = np.concatenate([x, points], axis=1), stencils, kinds
    written = np.empty((len(leaf), 4)), np.empty((3, len(leaf))), distances, np.empty(len(leaf))
    closest_points.definition(*of_stencils, *written)
    order = np.lexsort((leaf, distances, which))
    first = np.append(True, np.diff(which[order]) > 0)
    return leaf[order[first]]
