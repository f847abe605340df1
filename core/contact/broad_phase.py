# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase: boxes of triangles and edges that overlap while they move."""

from typing import NamedTuple

import numpy as np

from ..kernels import Indices
from ..kernels.overlaps import NOTHING, find_overlaps, records, refit, single, slices

# How many stencils of a slice of boxes there is room for before it is known how many there are.
_ROOM = 256

# Cells along an axis of the curve that leaves are in the order of.
_CELLS = 1 << 10


class Ways(NamedTuple):
    """Positions where straight ways begin, these, and margins about them, see `kernels.stencils.nearness`.

    starts, ways: shape (3, vertex_count) [m]; margins: shape (vertex_count,) [m].
    """

    starts: np.ndarray
    ways: np.ndarray
    margins: np.ndarray


class MovingBoxes(NamedTuple):
    """Boxes that move in a straight line: where they begin, and how far all that is in them goes.

    bounds: upper bounds of -x, of x, of minus the way and of the way, shape (count, 12), in single precision [m].
    """

    bounds: np.ndarray

    @classmethod
    def about(cls, points, wide, ways):
        """About points on their ways, shape (count, 3) both, and so far around them, shape (count, 1) [m]."""
        return cls(single(np.concatenate([wide - points, wide + points, -ways, ways], axis=1)))

    def of(self, primitives):
        """Boxes about primitives, vertex indices of shape (count, corners)."""
        corners = [self.bounds.take(corner, axis=0) for corner in primitives.T]
        found = corners[0]
        for other in corners[1:]:
            np.maximum(found, other, out=found)
        return MovingBoxes(found)

    def chosen(self, which):
        """Those of some rows."""
        return MovingBoxes(self.bounds.take(which, axis=0))

    def swept(self):
        """Corners of boxes about all the way [m]."""
        below, above, back, forth = np.split(self.bounds, 4, axis=1)
        return -below - np.maximum(back, 0.0), above + np.maximum(forth, 0.0)

    def meet(self, box):
        """Which of them lie at some time in another box, corners of shape (3,) each [m]: their numbers."""
        low, high = self.swept()
        return np.flatnonzero(((low <= box[1]) & (high >= box[0])).all(axis=1))


class BoundingVolumeHierarchy:
    """A tree of MovingBoxes about primitives, whose shape stays while they move.

    primitives: vertex indices, shape (count, corners); points [m], shape (point_count, 3): where they lie, in the order
    of Morton's curve, that what is near each other is near in the tree.
    primitives: the same in this order.
    """

    def __init__(self, primitives, points):
        self.primitives = Indices(primitives[morton_order(points[primitives].mean(axis=1))], len(points))
        self._levels = max(1, int(np.ceil(np.log2(max(len(primitives), 1)) / 2.0)))
        self._nodes = np.full((records(self._levels)[-1], 12, 4), NOTHING, dtype=np.float32)
        self._leaves = np.full((4**self._levels, 12), NOTHING, dtype=np.float32)
        self._room = _ROOM

    def refit(self, boxes):
        """Put it about MovingBoxes of the vertices."""
        own, bounds = self._leaves[: len(self.primitives.values)], boxes.of(self.primitives.values).bounds
        if not np.array_equal(own, bounds):
            own[:] = bounds
            refit(self._nodes, self._levels, self._leaves)

    def stencils(self, primitives, boxes, ways, reach, *, once=False):
        """Corners of the stencils of primitives and those of the tree that may come as near as a reach [m].

        primitives: Indices, in an order in which neighbours are near; boxes: MovingBoxes about them; ways: Ways of the
        vertices. once: whether they are those of the tree: each two are one.
        """
        of_tree, count = self.primitives, len(primitives.values)
        after = np.arange(count, dtype=np.int32) if once else np.full(count, -1, dtype=np.int32)
        of_boxes = boxes.bounds, primitives, of_tree
        counts = np.empty(slices(count), dtype=np.int64)
        while True:
            found = np.empty((len(counts), self._room, 2), dtype=np.int32)
            find_overlaps(self._nodes, *of_boxes, *ways, reach, after, counts, found)
            most = int(counts.max(initial=0))
            enough, self._room = most <= self._room, max(_ROOM, most + most // 8)
            if enough:
                break
        one, other = found[np.arange(found.shape[1]) < counts[:, None]].T
        return np.concatenate([primitives.values.take(one, axis=0), of_tree.values.take(other, axis=0)], axis=1)


def morton_order(points):
    """Indices of points in the order of Morton's curve, by interleaved bits of their cells."""
    if len(points) == 0:
        return np.zeros(0, dtype=np.intp)
    low, size = points.min(axis=0), np.maximum(np.ptp(points, axis=0), np.finfo(float).tiny)
    cells = np.minimum((points - low) / size * _CELLS, _CELLS - 1).astype(np.int64)
    code = np.zeros(len(points), dtype=np.int64)
    for bit in range(_CELLS.bit_length() - 1):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")
