# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase: boxes of triangles and edges that overlap while they move."""

from typing import NamedTuple

import numpy as np

from ..kernels import Indices
from ..kernels.overlaps import count_overlaps, list_overlaps

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
        nothing = np.inf, -np.inf, np.inf, -np.inf
        self._boxes = MovingBoxes(*(np.full((2 * self._leaves, 3), value) for value in nothing))

    def refit(self, boxes):
        """Put it about MovingBoxes of the vertices."""
        count, first = len(self._primitives), self._leaves
        for own, of in zip(self._boxes, boxes.of(self._primitives), strict=True):
            own[first : first + count] = of
        while first > 1:
            pairs = slice(first, 2 * first)
            first //= 2
            level = slice(first, 2 * first)
            for own, reduce in zip(self._boxes, (np.minimum, np.maximum) * 2, strict=True):
                reduce(own[pairs][::2], own[pairs][1::2], out=own[level])

    def overlaps(self, boxes):
        """MovingBoxes and primitives that overlap on their ways, a row number and an index each, in order of boxes."""
        boxes = MovingBoxes(*map(np.ascontiguousarray, boxes))
        counts = np.empty(len(boxes.low), dtype=np.int64)
        count_overlaps(*self._boxes, *boxes, counts)
        starts = np.concatenate([[0], np.cumsum(counts)])
        found = np.empty(int(starts[-1]), dtype=np.int32)
        list_overlaps(*self._boxes, *boxes, Indices(starts, int(starts[-1]) + 1), found)
        return np.repeat(np.arange(len(counts)), counts), self._order[found]


def _morton_order(points):
    """Indices of points in the order of Morton's curve, by interleaved bits of their cells."""
    low, size = points.min(axis=0), np.maximum(np.ptp(points, axis=0), np.finfo(float).tiny)
    cells = np.minimum((points - low) / size * _CELLS, _CELLS - 1).astype(np.int64)
    code = np.zeros(len(points), dtype=np.int64)
    for bit in range(_CELLS.bit_length() - 1):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")
