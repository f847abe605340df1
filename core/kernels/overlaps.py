# SPDX-License-Identifier: GPL-3.0-or-later
"""Stencils between moving boxes that overlap, found by a bounding volume hierarchy.

The hierarchy is a complete tree of boxes by fours, in single precision: record i has the bounds of four boxes, and the
records 4 i + 1 to 4 i + 4 those of what is in them; those of the last level are leaves. A box is 12 upper bounds: of -x
and of x where it begins, and of minus the ways and the ways of what is in it, so that a box about boxes has the
largest.
"""

import numpy as np

from .kernel import kernel
from .signature import Indices
from .stencils import nearness

# Boxes whose findings lie next to each other, and those of them that the tree is gone through for at once.
SLICE, _GROUP = 64, 8

# An upper bound of nothing: with all that there is it overlaps nothing, and is no infinity that sums could make none.
NOTHING = -1e30


def slices(count):
    """How many slices the findings of so many boxes lie in."""
    return -(-count // SLICE)


def single(bounds):
    """Upper bounds in single precision, so much larger that no sum of a few rounds below what it is the sum of."""
    return (bounds + 5e-7 * np.abs(bounds)).astype(np.float32)


def records(levels):
    """Where each level of so many begins, and the end of the last."""
    return [(4**level - 1) // 3 for level in range(levels + 1)]


def empty_nodes(levels):
    """The records of a tree of so many levels about nothing."""
    return np.full((records(levels)[-1], 12, 4), NOTHING, dtype=np.float32)


def refit(nodes, levels, leaves):
    """Put a tree's records, shape (count, 12, 4), about the bounds of leaves, the first of all, shape (m, 12).

    The records behind those are left as they are: of NOTHING.
    """
    begins = records(levels)
    for level in reversed(range(levels)):
        count = -(-len(leaves) // 4)
        fours = np.full((4 * count, 12), NOTHING, dtype=np.float32)
        fours[: len(leaves)] = leaves
        each = fours.reshape(count, 4, 12)
        nodes[begins[level] : begins[level] + count] = each.transpose(0, 2, 1)
        leaves = np.maximum(np.maximum(each[:, 0], each[:, 1]), np.maximum(each[:, 2], each[:, 3]))


def refit_some(nodes, levels, which, bounds):
    """The same where leaves of some numbers, and no others, have other bounds."""
    begins = records(levels)
    for level in reversed(range(levels)):
        record, lane = np.divmod(which, 4)
        nodes[begins[level] + record, :, lane] = bounds
        which = np.unique(record)
        bounds = nodes[begins[level] + which].max(axis=2)


def _example(random, size):
    """A tree of four leaves or more about triangles or edges, and points or edges that are looked for in it."""
    kind, levels, room = int(random.integers(0, 2)), 1, 40
    while 4**levels < size:
        levels += 1
    n = 4 * size + 4
    x, ways = random.uniform(size=(3, n)), random.normal(scale=0.05, size=(3, n))
    margins = random.uniform(0.0, 0.05, n)
    boxes, leaves = (random.integers(0, n, (size, width)) for width in (1 + kind, 3 - kind))
    bounds = np.concatenate([margins - x, margins + x, -ways, ways]).T
    about = [single(bounds[of].max(axis=1, initial=NOTHING)) for of in (boxes, leaves)]
    nodes = empty_nodes(levels)
    refit(nodes, levels, about[1])
    after = np.sort(random.integers(-1, size + 1, size)).astype(np.int32)
    # What is not found is not written.
    written = np.zeros(slices(size), dtype=np.int64), np.zeros((slices(size), room, 2), dtype=np.int32)
    return nodes, about[0], Indices(boxes, n), Indices(leaves, n), x, ways, margins, 0.05, after, *written


@kernel(
    "nodes:f4(k,12,4) boxes:f4(m,12) of_boxes(m,p)<n of_leaves(c,q)<n x(3,n) ways(3,n) margins(n) reach:f8 after:i4(m) "
    "-> counts:i8(s) found:i4(s,r,2)",
    over="s",
    grain=4,
    example=_example,
)
def find_overlaps(nodes, boxes, of_boxes, of_leaves, x, ways, margins, reach, after, counts, found):
    """The stencils of boxes and leaves that may come as near as a reach [m] on their ways, and margins about them.

    of_boxes, of_leaves: corners of points and triangles, or of edges and edges; those that share one are none. Boxes
    are looked at first: two overlap at some time of their ways, by what they move against each other, so that what goes
    far together is not near for that; then the stencils themselves, see `nearness`. Only leaves behind a number,
    `after`, count, which rises. counts: how many there are of every SLICE of boxes; found: a box and a leaf each, the
    first of them.
    """
    box, leaf = _overlaps(nodes, boxes)
    kept = (leaf > after[box]) & (leaf < len(of_leaves))
    box, leaf = box[kept], leaf[kept]
    kept = (of_boxes[box][:, :, None] != of_leaves[leaf][:, None, :]).all(axis=(1, 2))
    box, leaf = box[kept], leaf[kept]
    count = len(box)
    corners = np.concatenate([of_boxes[box], of_leaves[leaf]], axis=1)
    kinds = np.full(count, of_boxes.shape[1] - 1, dtype=np.uint8)
    distances, approaches = np.empty(count), np.empty((2, count))
    nearness.definition(x, ways, margins, corners, kinds, distances, approaches, np.empty(count))
    near = distances <= reach + approaches[1]
    box, leaf = box[near], leaf[near]
    order = np.lexsort((leaf, box, leaf // 4, box // _GROUP))
    box, leaf = box[order], leaf[order]
    counts[:] = np.bincount(box // SLICE, minlength=len(counts))
    place = np.arange(len(box)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = place < found.shape[1]
    found[box[kept] // SLICE, place[kept]] = np.column_stack([box, leaf])[kept]


def _overlaps(nodes, boxes):
    """Boxes and leaves that overlap."""
    deepest, box = (len(nodes) - 1) // 4, np.arange(len(boxes))
    record = np.zeros(len(boxes), dtype=np.intp)
    while True:
        which, lane = np.nonzero(_meet(nodes[record], boxes[box]))
        below = 4 * record[which] + 1 + lane
        box = box[which]
        if len(record) == 0 or record[0] >= deepest:
            return box, below - (4 * deepest + 1)
        record = below


def _meet(four, box):
    """Which of four boxes each overlap one, shape (count, 4)."""
    low, high, least, most = np.split(four, 4, axis=1)
    below, above, back, forth = np.split(box[:, :, None], 4, axis=1)
    begins, ends = low + above, high + below
    meet = ((begins >= 0.0) | (begins + (least + forth) >= 0.0)) & (
        (ends >= 0.0) | (ends + (most + back) >= 0.0)
    )
    return meet.all(axis=1)
