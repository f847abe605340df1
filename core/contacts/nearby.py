# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in patches that are near each other, and what of it is near, evaluated where it is asked for."""

from typing import Any

import numpy as np

from ..listed import by_blocks
from .elements import met_spheres, parted
from .outlines import beside, directed, separation

# Pairs that are looked at together: what that takes is a few MB, and fits the cache.
AT_ONCE = 1 << 13


class Nearby:
    """What is in pairs of leaves p and q that are near each other, on ways from x to end [m].

    patches: Patches; sides: Elements; x, end: shape (3, particle_count).
    """

    def __init__(self, patches, sides, x, end, p, q):
        self.x, self.end, self.p, self.q = x, end, p, q
        leaves = np.zeros(patches.count, dtype=bool)
        leaves[p], leaves[q] = True, True
        self._leaves, self._patches = np.flatnonzero(leaves), patches
        self._elements = {id(side): np.flatnonzero(leaves[side.patches]) for side in sides}
        self._spheres: dict[int, Any] = {}
        self._place: dict[int, np.ndarray] = {}
        self._outlines: dict[int, Any] = {}

    def elements(self, side):
        """Numbers of the Elements of one side, which rise."""
        return self._elements[id(side)]

    def place(self, side):
        """Place among them of every one of the Elements of one side, wrong for those elsewhere."""
        if id(side) not in self._place:
            self._place[id(side)] = _places(self.elements(side), len(side.corners))
        return self._place[id(side)]

    def met(self, one, other, pairs, reach):
        """Mask of pairs Found whose spheres come closer than reach [m]."""
        for side in (one, other):
            if id(side) not in self._spheres:
                self._spheres[id(side)] = side.spheres(self.elements(side), self.x, self.end)
        places, far = (self.place(one), self.place(other)), np.broadcast_to(reach, pairs.first.shape)

        def of_block(few):
            i, j = places[0][pairs.first[few]], places[1][pairs.second[few]]
            return met_spheres(self._spheres[id(one)], self._spheres[id(other)], i, j, far[few])

        return by_blocks(of_block, len(pairs.first), AT_ONCE)

    def close(self, kind, one, other, pairs, reach):
        """Mask of pairs Found that no direction between them keeps farther apart than reach [m] all the way."""
        far = np.broadcast_to(reach, pairs.first.shape)

        def of_block(few):
            rows = np.concatenate([one.columns[:, pairs.first[few]], other.columns[:, pairs.second[few]]])
            return ~parted(kind, rows, self.x, self.end, far[few])

        return by_blocks(of_block, len(pairs.first), AT_ONCE)

    def apart(self, p, q):
        """How far directions keep leaves p and q apart [m], and which keeps them so farthest."""
        self._outline([directed(at) for at in (self.x, self.end)])
        return separation(self._outlines[0], self._outlines[0], self._leaf_places[p], self._leaf_places[q])

    def _outline(self, places):
        self._places = places
        self._leaf_places = _places(self._leaves, self._patches.count)
        self._outlines[0] = [self._patches.outlines(self._leaves, at) for at in self._places]

    def beside(self, side, listed, facing, reach, best):
        """Those of listed elements that no direction keeps farther than reach from a leaf, and their numbers.

        listed: elements and numbers, places in a list of leaves `facing`, of `reach` [m], and of the
        `best` directions after `apart`, or None for the axes alone.
        """
        if not self._outlines:
            self._outline((self.x, self.end))
        if id(side) not in self._outlines:
            self._outlines[id(side)] = side.outlines(self.elements(side), self._places)
        elements, numbers = listed
        i, j = self.place(side)[elements], self._leaf_places[facing][numbers]
        first = None if best is None else best[numbers]
        kept = beside(self._outlines[id(side)], self._outlines[0], i, j, reach[numbers], first)
        return elements[kept], numbers[kept]


def _places(numbers, count):
    """Place of every number below count in a list, 0 of those that are not in it."""
    places = np.zeros(count, dtype=np.intp)
    places[numbers] = np.arange(len(numbers))
    return places
