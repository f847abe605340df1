# SPDX-License-Identifier: GPL-3.0-or-later
"""The broad phase: boxes of triangles and edges that overlap while they move."""

from typing import NamedTuple

import numpy as np

from ..kernels.overlaps import empty_nodes, find_overlaps, levels_of, refit, single, slices

# The mask of no vertices, where all are looked for.
ALL = np.empty(0, dtype=np.uint8)


class Ways(NamedTuple):
    """Positions where straight ways begin, these, and margins about them, see `kernels.stencils.nearness`.

    starts, ways: shape (3, vertex_count) [m]; margins: shape (vertex_count,) [m].
    """

    starts: np.ndarray
    ways: np.ndarray
    margins: np.ndarray


class MovingPoints(NamedTuple):
    """Points on their ways as boxes are made about them, see `kernels.overlaps`.

    bounds: shape (count, 12); wide: how far around them boxes reach, shape (count,) [m]; in single precision.
    """

    bounds: np.ndarray
    wide: np.ndarray

    @classmethod
    def of(cls, points, ways):
        """Those of points that go straight ways, shape (count, 3) [m], with nothing around them."""
        bounds = single(np.concatenate([-points, points, -ways, ways], axis=1))
        return cls(bounds, np.zeros(len(points), np.float32))

    def around(self, wide):
        """The same with boxes as far around primitives as around any of their corners, shape (count,) [m]."""
        return self._replace(wide=single(wide))


class BoundingVolumeHierarchy:
    """A tree of boxes about primitives, whose shape stays while they move.

    primitives: Indices of vertices, shape (count, corners), in an order in which neighbours are near, see
    `morton_order`; room: for how many stencils of a slice of boxes, before it is known how many there are.
    """

    def __init__(self, primitives, room=1):
        self.primitives, self._room = primitives, room
        # About all, and about those alone that were marked last.
        self._nodes, self._marked = (empty_nodes(levels_of(len(primitives.values))) for _ in range(2))

    def overlaps(self, primitives, points, ways, reach, marked=ALL):
        """Numbers of primitives, and of those of the tree, whose stencils may come as near as a reach [m].

        The tree is put about MovingPoints, the vertices, first.

        primitives: Indices, in an order in which neighbours are near; where they are those of the tree, each stencil is
        found once; ways: Ways of the vertices; marked: a mask of the vertices of whose stencils alone any are found.
        """
        of_tree, once = self.primitives, primitives is self.primitives
        refit(*points, of_tree, ALL, self._nodes)
        others = self._marked if len(marked) else self._marked[:0]
        if len(marked):
            refit(*points, of_tree, marked, others)
        counts = np.empty(slices(len(primitives.values)), dtype=np.int64)
        of_both = *points, self._nodes, others, primitives, of_tree, *ways, reach, marked, once
        while True:
            found = np.empty((len(counts), self._room, 2), dtype=np.int32)
            find_overlaps(*of_both, counts, found)
            most = int(counts.max(initial=0))
            enough, self._room = most <= self._room, max(self._room, most + most // 8)
            if enough:
                break
        # Of every slice as many as it has.
        begins = np.arange(len(counts)) * found.shape[1] - (np.cumsum(counts) - counts)
        which = np.arange(int(counts.sum())) + np.repeat(begins, counts)
        one, other = found.reshape(-1, 2).take(which, axis=0).T
        return one, other
