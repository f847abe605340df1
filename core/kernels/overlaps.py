# SPDX-License-Identifier: GPL-3.0-or-later
"""Moving boxes that overlap, found by a bounding volume hierarchy.

The hierarchy is a complete binary tree of boxes in one array: node i has the children 2 i and 2 i + 1, the root is 1,
and the last half are leaves, of a power of two. Leaves of nothing have a lower corner above their upper one. Boxes are
rows of their two corners where they begin, and of the least and most of the ways of what is in them.
"""

import numpy as np

from .kernel import kernel
from .signature import Indices

_NODES = "node_low(k,3) node_high(k,3) node_least(k,3) node_most(k,3)"
_BOXES = "low(m,3) high(m,3) least(m,3) most(m,3)"


def _tree(random, size):
    """Nodes of a tree of 2 leaves or more, and boxes that are looked for in it."""
    leaves = 1 << max(1, int(size).bit_length())
    nodes = np.full((4, 2 * leaves, 3), np.inf)
    nodes[1::2] *= -1.0
    nodes[:, leaves : leaves + size] = _some(random, size)
    for node in range(leaves - 1, 0, -1):
        for own, reduced in zip(nodes, (np.min, np.max) * 2, strict=True):
            own[node] = reduced(own[2 * node : 2 * node + 2], axis=0)
    return *nodes, *_some(random, size)


def _some(random, size):
    """Boxes of random places and ways."""
    middles, ways = random.uniform(size=(size, 3)), random.normal(scale=0.2, size=(size, 3))
    half, wide = random.uniform(0.0, 0.1, (size, 3)), random.uniform(0.0, 0.1, (size, 3))
    return middles - half, middles + half, ways - wide, ways + wide


def _count_example(random, size):
    return *_tree(random, size), np.empty(size, dtype=np.int64)


@kernel(f"{_NODES} {_BOXES} -> counts:i8(m)", over="m", grain=256, example=_count_example)
def count_overlaps(node_low, node_high, node_least, node_most, low, high, least, most, counts):
    """How many leaves of a tree each box overlaps at some time of their ways, by what they move against each other.

    What touches does. A box and a leaf move in straight lines at the same time: that they go far together is nothing.
    """
    nodes, boxes = (node_low, node_high, node_least, node_most), (low, high, least, most)
    counts[:] = np.bincount(_overlaps(nodes, boxes)[0], minlength=len(low))


def _list_example(random, size):
    tree = _tree(random, size)
    counts = np.empty(size, dtype=np.int64)
    count_overlaps.definition(*tree, counts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return *tree, Indices(starts, int(starts[-1]) + 1), np.empty(int(starts[-1]), dtype=np.int32)


@kernel(
    f"{_NODES} {_BOXES} starts(m+1)<=e -> found:i4(e)",
    over="m",
    grain=256,
    example=_list_example,
)
def list_overlaps(node_low, node_high, node_least, node_most, low, high, least, most, starts, found):
    """The leaves of a tree that each box overlaps, in order, from its start on; starts: by `count_overlaps`."""
    nodes, boxes = (node_low, node_high, node_least, node_most), (low, high, least, most)
    found[:] = _overlaps(nodes, boxes)[1]


def _overlaps(of_nodes, of_boxes):
    """Boxes and leaves that overlap, in the order of boxes and then of leaves."""
    leaves = len(of_nodes[0]) // 2
    boxes, nodes = np.arange(len(of_boxes[0])), np.ones(len(of_boxes[0]), dtype=np.intp)
    while True:
        node_low, node_high, node_least, node_most = (of[nodes] for of in of_nodes)
        low, high, least, most = (of[boxes] for of in of_boxes)
        # Nothing has ways from infinity to less, which stay as they are.
        with np.errstate(invalid="ignore"):
            begins = node_low + np.minimum(node_least - most, 0.0) <= high
            ends = low <= node_high + np.maximum(node_most - least, 0.0)
        met = (begins & ends).all(axis=1) & (node_low <= node_high).all(axis=1)
        boxes, nodes = boxes[met], nodes[met]
        if len(nodes) == 0 or nodes[0] >= leaves:
            return boxes, nodes - leaves
        boxes = np.repeat(boxes, 2)
        nodes = np.column_stack([2 * nodes, 2 * nodes + 1]).ravel()
