# SPDX-License-Identifier: GPL-3.0-or-later
"""Moving boxes that overlap, found by a bounding volume hierarchy.

The hierarchy is a complete binary tree of boxes in one array: node i has the children 2 i and 2 i + 1, the root is 1,
and the last half are leaves, of a power of two. A row is a box: its lower and upper corner where it begins, and the
least and most of the ways of what is in it. Leaves of nothing have a lower corner above their upper one.
"""

import numpy as np

from .kernel import kernel


def _example(random, size):
    """Nodes of a tree of 2 leaves or more, and boxes that are looked for in it."""
    leaves, room = 1 << max(1, int(size).bit_length()), 5
    nodes = np.full((2 * leaves, 4, 3), np.inf)
    nodes[:, 1::2] *= -1.0
    nodes[leaves : leaves + size] = _some(random, size)
    for node in range(leaves - 1, 0, -1):
        for column, reduced in enumerate((np.min, np.max) * 2):
            nodes[node, column] = reduced(nodes[2 * node : 2 * node + 2, column], axis=0)
    after = random.integers(-1, size + 1, size).astype(np.int64)
    boxes = _some(random, size).reshape(size, 12)
    # What is not found is not written.
    found = np.zeros((size, room), np.int32)
    return nodes.reshape(-1, 12), boxes, after, np.empty(size, dtype=np.int64), found


def _some(random, size):
    """Boxes of random places and ways."""
    middles, ways = random.uniform(size=(size, 3)), random.normal(scale=0.2, size=(size, 3))
    half, wide = random.uniform(0.0, 0.1, (size, 3)), random.uniform(0.0, 0.1, (size, 3))
    return np.stack([middles - half, middles + half, ways - wide, ways + wide], axis=1)


@kernel(
    "nodes(k,12) boxes(m,12) after:i8(m) -> counts:i8(m) found:i4(m,r)", over="m", grain=256, example=_example
)
def find_overlaps(nodes, boxes, after, counts, found):
    """The leaves of a tree that each box overlaps at some time of their ways, by what they move against each other.

    What touches does. A box and a leaf move in straight lines at the same time: that they go far together is nothing.
    Only leaves behind a number, `after`, count. counts: how many there are; found: the first of them, in order.
    """
    leaves, wanted = len(nodes) // 2, np.arange(len(boxes))
    of_nodes, of_boxes = nodes.reshape(-1, 4, 3), boxes.reshape(-1, 4, 3)
    at = np.ones(len(boxes), dtype=np.intp)
    while len(at) and at[0] < leaves:
        wanted, at = _met(of_nodes, of_boxes, wanted, at)
        wanted, at = np.repeat(wanted, 2), np.column_stack([2 * at, 2 * at + 1]).ravel()
    wanted, at = _met(of_nodes, of_boxes, wanted, at)
    behind = at - leaves > after[wanted]
    wanted, leaf = wanted[behind], at[behind] - leaves
    counts[:] = np.bincount(wanted, minlength=len(boxes))
    place = np.arange(len(wanted)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = place < found.shape[1]
    found[wanted[kept], place[kept]] = leaf[kept]


def _met(of_nodes, of_boxes, boxes, nodes):
    """Boxes and nodes that overlap."""
    node_low, node_high, node_least, node_most = of_nodes[nodes].transpose(1, 0, 2)
    low, high, least, most = of_boxes[boxes].transpose(1, 0, 2)
    # Nothing has ways from infinity to less, which stay as they are.
    with np.errstate(invalid="ignore"):
        begins = node_low + np.minimum(node_least - most, 0.0) <= high
        ends = low <= node_high + np.maximum(node_most - least, 0.0)
    met = (begins & ends).all(axis=1) & (node_low <= node_high).all(axis=1)
    return boxes[met], nodes[met]
