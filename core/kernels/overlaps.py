# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes that overlap, found by a bounding volume hierarchy.

The hierarchy is a complete binary tree of boxes in one array: node i has the children 2 i and 2 i + 1, the root is 1,
and the last half are leaves, of a power of two. Leaves of nothing have a lower corner above their upper one. Boxes are
rows of their two corners.
"""

import numpy as np

from .kernel import kernel
from .signature import Indices


def _tree(random, size):
    """Corners of a tree of 2 leaves or more, and of boxes that are looked for in it."""
    leaves = 1 << max(1, int(size).bit_length())
    nodes = np.full((2, 2 * leaves, 3), np.inf)
    nodes[1] *= -1.0
    middles, half = random.uniform(size=(size, 3)), random.uniform(0.0, 0.2, (size, 3))
    nodes[:, leaves : leaves + size] = middles - half, middles + half
    for node in range(leaves - 1, 0, -1):
        nodes[0, node] = nodes[0, 2 * node : 2 * node + 2].min(axis=0)
        nodes[1, node] = nodes[1, 2 * node : 2 * node + 2].max(axis=0)
    low = random.uniform(size=(size, 3))
    return *nodes, low, low + random.uniform(0.0, 0.2, (size, 3))


def _count_example(random, size):
    return *_tree(random, size), np.empty(size, dtype=np.int64)


@kernel(
    "node_low(k,3) node_high(k,3) low(m,3) high(m,3) -> counts:i8(m)",
    over="m",
    grain=256,
    example=_count_example,
)
def count_overlaps(node_low, node_high, low, high, counts):
    """How many leaves of a tree each box overlaps; what touches does."""
    counts[:] = np.bincount(_overlaps(node_low, node_high, low, high)[0], minlength=len(low))


def _list_example(random, size):
    tree = _tree(random, size)
    counts = np.empty(size, dtype=np.int64)
    count_overlaps.definition(*tree, counts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return *tree, Indices(starts, int(starts[-1]) + 1), np.empty(int(starts[-1]), dtype=np.int32)


@kernel(
    "node_low(k,3) node_high(k,3) low(m,3) high(m,3) starts(m+1)<=e -> found:i4(e)",
    over="m",
    grain=256,
    example=_list_example,
)
def list_overlaps(node_low, node_high, low, high, starts, found):
    """The leaves of a tree that each box overlaps, in order, from its start on; starts: by `count_overlaps`."""
    found[:] = _overlaps(node_low, node_high, low, high)[1]


def _overlaps(node_low, node_high, low, high):
    """Boxes and leaves that overlap, in the order of boxes and then of leaves."""
    leaves = len(node_low) // 2
    boxes, nodes = np.arange(len(low)), np.ones(len(low), dtype=np.intp)
    while True:
        met = ((node_low[nodes] <= high[boxes]) & (low[boxes] <= node_high[nodes])).all(axis=1)
        boxes, nodes = boxes[met], nodes[met]
        if len(nodes) == 0 or nodes[0] >= leaves:
            return boxes, nodes - leaves
        boxes = np.repeat(boxes, 2)
        nodes = np.column_stack([2 * nodes, 2 * nodes + 1]).ravel()
