# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase: boxes of triangles and edges that overlap while they move."""

from typing import Any, NamedTuple

import numpy as np

from ..kernels.overlaps import empty_nodes, find_overlaps, refit, refit_some, single, slices


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

    def swept(self):
        """Corners of boxes about all the way [m]."""
        below, above, back, forth = np.split(self.bounds, 4, axis=1)
        return -below - np.maximum(back, 0.0), above + np.maximum(forth, 0.0)

    def meet(self, lowest, highest):
        """Which of them lie at some time in another box, corners of shape (3,) each [m]: their numbers."""
        low, high = self.swept()
        return np.flatnonzero(((low <= highest) & (high >= lowest)).all(axis=1))


class MovingPoints:
    """Points on their ways, of which `MovingBoxes` are made, as far around primitives as around any of their corners.

    points, ways: shape (count, 3); wide: how far around them, shape (count,) [m].
    """

    def __init__(self, points, wide, ways):
        self._bounds = single(np.concatenate([-points, points, -ways, ways, wide[:, None]], axis=1))

    def boxes(self, primitives):
        """MovingBoxes about primitives, vertex indices of shape (count, corners)."""
        first, *others = primitives.T
        found = self._bounds.take(first, axis=0)
        for corner in others:
            np.maximum(found, self._bounds.take(corner, axis=0), out=found)
        found[:, :6] += found[:, 12:]
        return MovingBoxes(np.ascontiguousarray(found[:, :12]))


class BoundingVolumeHierarchy:
    """A tree of MovingBoxes about primitives, whose shape stays while they move.

    primitives: Indices of vertices, shape (count, corners), in an order in which neighbours are near, see
    `morton_order`; room: for how many stencils of a slice of boxes, before it is known how many there are.
    """

    def __init__(self, primitives, room=1):
        self.primitives = primitives
        self._levels = max(1, int(np.ceil(np.log2(max(len(primitives.values), 1)) / 2.0)))
        self._nodes, self._room = empty_nodes(self._levels), room
        self._bounds: Any = None

    def refit(self, points, which=None):
        """Put it about MovingPoints, the vertices; which: numbers of those that alone have others, or None."""
        if which is None:
            bounds = points.boxes(self.primitives.values).bounds
            if self._bounds is None or not np.array_equal(bounds, self._bounds):
                self._bounds = bounds
                refit(self._nodes, self._levels, bounds)
        elif len(which):
            bounds = self._bounds[which] = points.boxes(self.primitives.values[which]).bounds
            refit_some(self._nodes, self._levels, which, bounds)

    def among(self, which):
        """A tree of some of the primitives, by their numbers."""
        return BoundingVolumeHierarchy(self.primitives.chosen(which), self._room)

    def box(self):
        """Corners of a box about all that is in it, on all of its way [m]."""
        low, high = MovingBoxes(self._nodes[:1].max(axis=2)).swept()
        return low[0], high[0]

    def overlaps(self, primitives, boxes, ways, reach, after=None):
        """Numbers of primitives, and of those of the tree, whose stencils may come as near as a reach [m].

        primitives: Indices, in an order in which neighbours are near; boxes: MovingBoxes about them; ways: Ways of the
        vertices. after: of each primitive the number in the tree behind which others count, or None for all.
        """
        of_tree, count = self.primitives, len(primitives.values)
        behind = np.full(count, -1, dtype=np.int32) if after is None else after.astype(np.int32)
        counts = np.empty(slices(count), dtype=np.int64)
        while True:
            found = np.empty((len(counts), self._room, 2), dtype=np.int32)
            find_overlaps(self._nodes, boxes.bounds, primitives, of_tree, *ways, reach, behind, counts, found)
            most = int(counts.max(initial=0))
            enough, self._room = most <= self._room, max(self._room, most + most // 8)
            if enough:
                break
        # Of every slice as many as it has.
        begins = np.arange(len(counts)) * found.shape[1] - (np.cumsum(counts) - counts)
        which = np.arange(int(counts.sum())) + np.repeat(begins, counts)
        one, other = found.reshape(-1, 2).take(which, axis=0).T
        return one, other


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
