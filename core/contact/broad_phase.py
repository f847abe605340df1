# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase: boxes of triangles and edges that overlap while they move."""

from typing import NamedTuple

import numpy as np

from ..kernels.overlaps import find_overlaps

# How many overlaps of a box there is room for before it is known how many there are.
_ROOM = 24

# Cells along an axis of the curve that leaves are in the order of.
_CELLS = 1 << 10


class MovingBoxes(NamedTuple):
    """Boxes that move in a straight line: what each is about, where it begins, and how far all of it goes.

    low, high: corners at the start, and of the ways, shape (count, 3) [m].
    """

    low: np.ndarray
    high: np.ndarray
    least_way: np.ndarray
    most_way: np.ndarray

    def of(self, primitives):
        """Boxes about primitives, vertex indices of shape (count, corners)."""
        corners = primitives.T
        return MovingBoxes(
            *(
                reduced.reduce([of.take(corner, axis=0) for corner in corners])
                for of, reduced in zip(self, (np.minimum, np.maximum, np.minimum, np.maximum), strict=True)
            )
        )

    def chosen(self, which):
        """Those of some rows."""
        return MovingBoxes(*(of.take(which, axis=0) for of in self))

    def swept(self):
        """Corners of boxes about all the way [m]."""
        return self.low + np.minimum(self.least_way, 0.0), self.high + np.maximum(self.most_way, 0.0)


class BoundingVolumeHierarchy:
    """A tree of MovingBoxes about primitives, whose shape stays while they move.

    primitives: vertex indices, shape (count, corners); points [m], shape (point_count, 3): where they lie, in the order
    of Morton's curve, that what is near each other is near in the tree.
    """

    def __init__(self, primitives, points):
        order = _morton_order(points[primitives].mean(axis=1)) if len(primitives) else np.zeros(0, int)
        self._order, self._primitives = order, np.ascontiguousarray(primitives[order])
        self._leaves = 1 << max(1, (len(primitives) - 1).bit_length())
        self._place = np.empty(len(order), dtype=np.int64)
        self._place[order] = np.arange(len(order))
        self._nodes = np.full((2 * self._leaves, 4, 3), np.inf)
        self._nodes[:, 1::2] *= -1.0

    def refit(self, boxes):
        """Put it about MovingBoxes of the vertices."""
        count, first, nodes = len(self._primitives), self._leaves, self._nodes
        nodes[first : first + count] = np.stack(boxes.of(self._primitives), axis=1)
        while first > 1:
            of_level, first = nodes[first : 2 * first], first // 2
            for column, reduce in enumerate((np.minimum, np.maximum) * 2):
                reduce(of_level[::2, column], of_level[1::2, column], out=nodes[first : 2 * first, column])

    def overlaps(self, boxes, *, once=False):
        """MovingBoxes and primitives that overlap on their ways, a row number and an index each, in order of boxes.

        once: whether the boxes are about the primitives themselves: of each two, one is found with the other.
        """
        rows = np.stack(boxes, axis=1).reshape(-1, 12)
        after = self._place if once else np.full(len(rows), -1)
        counts, found = np.empty(len(rows), dtype=np.int64), np.empty((len(rows), _ROOM), dtype=np.int32)
        nodes = self._nodes.reshape(-1, 12)
        find_overlaps(nodes, rows, after, counts, found)
        most = counts.max(initial=0)
        if most > _ROOM:
            many = np.flatnonzero(counts > _ROOM)
            wider = np.empty((len(rows), most), dtype=np.int32)
            wider[:, :_ROOM] = found
            of_many = np.empty((len(many), most), dtype=np.int32)
            find_overlaps(nodes, rows[many], after[many], np.empty(len(many), dtype=np.int64), of_many)
            wider[many], found = of_many, wider
        listed = found[np.arange(found.shape[1]) < counts[:, None]]
        return np.repeat(np.arange(len(counts)), counts), self._order[listed]


def _morton_order(points):
    """Indices of points in the order of Morton's curve, by interleaved bits of their cells."""
    low, size = points.min(axis=0), np.maximum(np.ptp(points, axis=0), np.finfo(float).tiny)
    cells = np.minimum((points - low) / size * _CELLS, _CELLS - 1).astype(np.int64)
    code = np.zeros(len(points), dtype=np.int64)
    for bit in range(_CELLS.bit_length() - 1):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")
