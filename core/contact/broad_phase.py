# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase: boxes of triangles and edges that overlap."""

import numpy as np

from ..kernels import Indices
from ..kernels.overlaps import count_overlaps, list_overlaps

# Cells along an axis of the curve that leaves are in the order of.
_CELLS = 1 << 10


class BoundingVolumeHierarchy:
    """A tree of boxes about primitives, whose shape stays while they move.

    primitives: vertex indices, shape (count, corners); points [m], shape (point_count, 3): where they lie, in the order
    of Morton's curve, that what is near each other is near in the tree.
    """

    def __init__(self, primitives, points):
        order = _morton_order(points[primitives].mean(axis=1)) if len(primitives) else np.zeros(0, int)
        self._order, self._corners = order, np.ascontiguousarray(primitives[order].T)
        self._leaves = 1 << max(1, (len(primitives) - 1).bit_length())
        self._low = np.full((2 * self._leaves, 3), np.inf)
        self._high = np.full((2 * self._leaves, 3), -np.inf)

    def refit(self, low, high):
        """Put it about boxes of the vertices, rows of lower and of upper corners [m]."""
        count, first, corners = self._corners.shape[1], self._leaves, self._corners
        of_leaves = slice(first, first + count)
        self._low[of_leaves] = np.minimum.reduce([low.take(corner, axis=0) for corner in corners])
        self._high[of_leaves] = np.maximum.reduce([high.take(corner, axis=0) for corner in corners])
        while first > 1:
            pairs = slice(first, 2 * first)
            first //= 2
            level = slice(first, 2 * first)
            np.minimum(self._low[pairs][::2], self._low[pairs][1::2], out=self._low[level])
            np.maximum(self._high[pairs][::2], self._high[pairs][1::2], out=self._high[level])

    def overlaps(self, low, high):
        """Boxes and primitives that overlap, a row number and an index each, in order of the boxes."""
        low, high = np.ascontiguousarray(low), np.ascontiguousarray(high)
        counts = np.empty(len(low), dtype=np.int64)
        count_overlaps(self._low, self._high, low, high, counts)
        starts = np.concatenate([[0], np.cumsum(counts)])
        found = np.empty(int(starts[-1]), dtype=np.int32)
        list_overlaps(self._low, self._high, low, high, Indices(starts, int(starts[-1]) + 1), found)
        return np.repeat(np.arange(len(low)), counts), self._order[found]


def _morton_order(points):
    """Indices of points in the order of Morton's curve, by interleaved bits of their cells."""
    low, size = points.min(axis=0), np.maximum(np.ptp(points, axis=0), np.finfo(float).tiny)
    cells = np.minimum((points - low) / size * _CELLS, _CELLS - 1).astype(np.int64)
    code = np.zeros(len(points), dtype=np.int64)
    for bit in range(_CELLS.bit_length() - 1):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")
