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


def morton_order(points):
    """Indices of points in the order of Morton's curve, by interleaved bits of their cells."""
    if len(points) == 0:
        return np.zeros(0, dtype=np.intp)
    low, size = points.min(axis=0), np.maximum(np.ptp(points, axis=0), np.finfo(float).tiny)
    # As many bits of the place along each axis as one number holds.
    bits = np.iinfo(np.int64).bits // len(size)
    cells = ((points - low) / size * (2**bits - 1)).astype(np.int64)
    code = np.zeros(len(points), dtype=np.int64)
    for bit in range(bits):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")


def slices(count):
    """How many slices the findings of so many boxes lie in."""
    return -(-count // SLICE)


def single(bounds):
    """Upper bounds in single precision, so much larger that no sum of a few rounds below what it is the sum of."""
    return (bounds + 5e-7 * np.abs(bounds)).astype(np.float32, order="C")


def levels_of(count):
    """How many levels a tree of so many leaves has."""
    return max(1, -(-(max(count, 1) - 1).bit_length() // 2))


def records(levels):
    """Where each level of so many begins, and the end of the last."""
    return [(4**level - 1) // 3 for level in range(levels + 1)]


def empty_nodes(levels):
    """The records of a tree of so many levels about nothing."""
    return np.full((records(levels)[-1], 12, 4), NOTHING, dtype=np.float32)


def boxes_about(points, wide, primitives):
    """Bounds of boxes about primitives: about their corners, and as far about these as about any of them."""
    bounds = points.take(primitives, axis=0).max(axis=1, initial=NOTHING)
    bounds[:, :6] += wide.take(primitives).max(axis=1, initial=NOTHING)[:, None]
    return bounds


def _points_example(random, size, *primitives):
    """Bounds of points on their ways, how wide they are, indices of them, their places, ways and margins, and a mask.

    primitives: how many corners those have.
    """
    n = 4 * size + 4
    x, ways = random.uniform(size=(3, n)), random.normal(scale=0.05, size=(3, n))
    margins = random.uniform(0.0, 0.05, n)
    bounds = single(np.concatenate([-x, x, -ways, ways]).T)
    of = [Indices(random.integers(0, n, (size, width)), n) for width in primitives]
    marked = random.random(n * int(random.integers(0, 2))) < 0.2
    return bounds, single(margins), of, (x, ways, margins), marked.astype(np.uint8)


def _tree_example(random, size):
    points, wide, (leaves,), _, marked = _points_example(random, size, int(random.integers(1, 4)))
    return points, wide, leaves, marked, empty_nodes(levels_of(size))


@kernel(
    "points:f4(n,12) wide:f4(n) of_leaves(c,q)<n marked:u1(g) -> nodes:f4(k,12,4) where g=0|n",
    over=None,
    example=_tree_example,
)
def refit(points, wide, of_leaves, marked, nodes):
    """Put a tree's records about primitives, the first of its leaves; those behind stay as they are: of NOTHING.

    points: bounds as of a box each; wide: how far about them [m]; marked: of the vertices, a mask of those about whose
    primitives alone it is put, and about NOTHING in the place of others, or of the length 0 for all.
    """
    levels = levels_of(len(of_leaves))
    begins, leaves = records(levels), boxes_about(points, wide, of_leaves)
    if len(marked):
        leaves[~marked[of_leaves].any(axis=1)] = NOTHING
    for level in reversed(range(levels)):
        count = -(-len(leaves) // 4)
        fours = np.full((4 * count, 12), NOTHING, dtype=np.float32)
        fours[: len(leaves)] = leaves
        each = fours.reshape(count, 4, 12)
        nodes[begins[level] : begins[level] + count] = each.transpose(0, 2, 1)
        leaves = np.maximum(np.maximum(each[:, 0], each[:, 1]), np.maximum(each[:, 2], each[:, 3]))


def _example(random, size):
    """A tree of four leaves or more about triangles or edges, and points or edges that are looked for in it."""
    kind, room, once = int(random.integers(0, 2)), 40, int(random.integers(0, 2))
    points, wide, (boxes, leaves), ways, marked = _points_example(random, size, 1 + kind, 3 - kind)
    nodes, others = empty_nodes(levels_of(size)), empty_nodes(levels_of(size) if len(marked) else 0)
    refit.definition(points, wide, leaves.values, np.empty(0, np.uint8), nodes)
    if len(marked):
        refit.definition(points, wide, leaves.values, marked, others)
    # Entries without a result are not written.
    written = np.zeros(slices(size), dtype=np.int64), np.zeros((slices(size), room, 2), dtype=np.int32)
    return points, wide, nodes, others, boxes, leaves, *ways, 0.05, marked, once, *written


@kernel(
    "points:f4(n,12) wide:f4(n) nodes:f4(k,12,4) others:f4(j,12,4) of_boxes(m,p)<n of_leaves(c,q)<n x(3,n) ways(3,n) "
    "margins(n) reach:f8 marked:u1(g) once:i8 -> counts:i8(s) found:i4(s,r,2) where j=0|k g=0|n",
    over="s",
    grain=4,
    example=_example,
)
def find_overlaps(
    points,
    wide,
    nodes,
    others,
    of_boxes,
    of_leaves,
    x,
    ways,
    margins,
    reach,
    marked,
    once,
    counts,
    found,
):
    """The stencils of boxes and leaves that may come as near as a reach [m] on their ways, and margins about them.

    of_boxes, of_leaves: corners of points and triangles, or of edges and edges; those that share one are none. Boxes
    are looked at first: two overlap at some time of their ways, by what they move against each other, so that what goes
    far together is not near for that; then the stencils themselves, see `nearness`. once: whether leaves count only
    where they have larger numbers than boxes. marked: of the vertices, a mask of those of whose stencils alone any are
    found, or of the length 0 for all; others: the tree about these alone, which is enough for what has none of them.
    counts: how many there are of every SLICE of boxes; found: a box and a leaf each, the first of them.
    """
    box, leaf = _overlaps(nodes, boxes_about(points, wide, of_boxes))
    kept = (leaf < len(of_leaves)) & ((leaf > box) | (not once))
    box, leaf = box[kept], leaf[kept]
    kept = (of_boxes[box][:, :, None] != of_leaves[leaf][:, None, :]).all(axis=(1, 2))
    box, leaf = box[kept], leaf[kept]
    corners = np.concatenate([of_boxes[box], of_leaves[leaf]], axis=1)
    if len(marked):
        kept = marked[corners].any(axis=1)
        box, leaf, corners = box[kept], leaf[kept], corners[kept]
    count = len(box)
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
