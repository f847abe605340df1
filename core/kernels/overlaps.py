# SPDX-License-Identifier: GPL-3.0-or-later
"""Moving boxes that overlap, found by a bounding volume hierarchy.

The hierarchy is a complete binary tree of boxes in one array: node i has the children 2 i and 2 i + 1, the root is 1,
and the last half are leaves, of a power of two. A row is a box: upper bounds of -x and of x where it begins, and of
minus the ways and the ways of what is in it, so that a box about boxes has the largest. Of nothing all are -infinity.
"""

import numpy as np

from .kernel import kernel


def _example(random, size):
    """Nodes of a tree of 2 leaves or more, and boxes that are looked for in it."""
    leaves, room = 1 << max(1, int(size).bit_length()), 5
    nodes = np.full((2 * leaves, 12), -np.inf)
    nodes[leaves : leaves + size] = _some(random, size)
    for node in range(leaves - 1, 0, -1):
        nodes[node] = nodes[2 * node : 2 * node + 2].max(axis=0)
    after = random.integers(-1, size + 1, size).astype(np.int64)
    # What is not found is not written.
    found = np.zeros((size, room), np.int32)
    return nodes, _some(random, size), after, np.empty(size, dtype=np.int64), found


def _some(random, size):
    """Boxes of random places and ways."""
    middles, ways = random.uniform(size=(size, 3)), random.normal(scale=0.2, size=(size, 3))
    half, wide = random.uniform(0.0, 0.1, (size, 3)), random.uniform(0.0, 0.1, (size, 3))
    return np.concatenate([half - middles, half + middles, wide - ways, wide + ways], axis=1)


@kernel(
    "nodes(k,12) boxes(m,12) after:i8(m) -> counts:i8(m) found:i4(m,r)", over="m", grain=256, example=_example
)
def find_overlaps(nodes, boxes, after, counts, found):
    """The leaves of a tree that each box overlaps at some time of their ways, by what they move against each other.

    What touches does. A box and a leaf move in straight lines at the same time: that they go far together is nothing.
    Only leaves behind a number, `after`, count. counts: how many there are; found: the first of them, in order.
    """
    leaves, wanted = len(nodes) // 2, np.arange(len(boxes))
    at = np.ones(len(boxes), dtype=np.intp)
    while len(at) and at[0] < leaves:
        wanted, at = _met(nodes, boxes, wanted, at)
        wanted, at = np.repeat(wanted, 2), np.column_stack([2 * at, 2 * at + 1]).ravel()
    wanted, at = _met(nodes, boxes, wanted, at)
    behind = at - leaves > after[wanted]
    wanted, leaf = wanted[behind], at[behind] - leaves
    counts[:] = np.bincount(wanted, minlength=len(boxes))
    place = np.arange(len(wanted)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = place < found.shape[1]
    found[wanted[kept], place[kept]] = leaf[kept]


def _met(of_nodes, of_boxes, boxes, nodes):
    """Boxes and nodes that overlap."""
    below, above, back, forth = np.split(of_nodes[nodes], 4, axis=1)
    low, high, least, most = np.split(of_boxes[boxes], 4, axis=1)
    begins = -below - np.maximum(back + most, 0.0) <= high
    ends = -low <= above + np.maximum(forth + least, 0.0)
    met = (begins & ends & (-below <= above)).all(axis=1)
    return boxes[met], nodes[met]
