# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase: boxes of triangles and edges that overlap while they move."""

from typing import NamedTuple

import numpy as np

from ..kernels.overlaps import find_overlaps

# How many overlaps of a box there is room for, at least and at most, before it is known how many there are.
_ROOM, _MOST_ROOM = 16, 96

# Cells along an axis of the curve that leaves are in the order of.
_CELLS = 1 << 10


class MovingBoxes(NamedTuple):
    """Boxes that move in a straight line: where they begin, and how far all that is in them goes.

    bounds: upper bounds of -x, of x, of minus the way and of the way, shape (count, 12) [m].
    """

    bounds: np.ndarray

    @classmethod
    def about(cls, points, wide, ways):
        """About points and so far around them, shape (count, 3) both [m], on their ways."""
        return cls(np.concatenate([wide - points, wide + points, -ways, ways], axis=1))

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
        self._nodes, self._room = np.full((2 * self._leaves, 12), -np.inf), _ROOM

    def refit(self, boxes):
        """Put it about MovingBoxes of the vertices."""
        first, nodes = self._leaves, self._nodes
        nodes[first : first + len(self._primitives)] = boxes.of(self._primitives).bounds
        while first > 1:
            pairs = nodes[first : 2 * first].reshape(-1, 24)
            first //= 2
            np.maximum(pairs[:, :12], pairs[:, 12:], out=nodes[first : 2 * first])

    def overlaps(self, boxes, *, once=False):
        """MovingBoxes and primitives that overlap on their ways, a row number and an index each, in order of boxes.

        once: whether the boxes are about the primitives themselves: of each two, one is found with the other.
        """
        rows, nodes = boxes.bounds, self._nodes
        after = self._place if once else np.full(len(rows), -1)
        room, counts = self._room, np.empty(len(rows), dtype=np.int64)
        found = np.empty((len(rows), room), dtype=np.int32)
        find_overlaps(nodes, rows, after, counts, found)
        most = counts.max(initial=0)
        # As the next time is like this one.
        self._room = int(np.clip(most + 4, _ROOM, _MOST_ROOM))
        if most > room:
            many = np.flatnonzero(counts > room)
            wider = np.empty((len(rows), most), dtype=np.int32)
            wider[:, :room] = found
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
