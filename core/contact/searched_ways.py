# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways whose pairs were looked for, and which vertices have left them."""

from typing import Any

import numpy as np

from .broad_phase import Ways

# Substeps that are searched at once, and margins about their ways, in parts of those of one: where particles go on as
# they do, and where they do not: in a heap that falls a search that is for nothing in the next substep finds 77,000
# pairs in 34 ms by the first, 38,000 in 22 ms by the second.
_AHEAD, _AT_ONCE = (2, 2.0), (1, 1.25)

# The share of the particles from which on, if they leave the ways that were searched, all is searched again.
_MANY = 0.3

# Share of its room about the ways that were searched from which on a particle is searched again when another left it.
_GOES_ALONG = 0.5

# Share of the coordinates by which what obstacles do as before is rounded.
_ROUNDING = 1e-12


class SearchedWays:
    """Ways and margins about them in which all pairs are known: as long as vertices keep to them none is looked for.

    count: of the particles, which come before the obstacles' vertices; distances: what particles keep from obstacles
    [m], shape (count,).
    room: about the ways of particles, beside margins [m]: the wider, the longer they serve.
    distances: for which pairs were looked for.
    """

    def __init__(self, count, distances):
        self._count, self.room, self.distances = count, 0.0, distances
        # Where the ways began, those of a substep, and margins about them; whose obstacles acted; where the last
        # substep began.
        self._known: Any = None
        self._acting = np.zeros(0, dtype=bool)
        self._start, self._ahead = np.zeros((0, 3)), _AHEAD

    def left(self, start, end, margins, acting, distances):
        """How many substeps of those that were searched have passed, and a mask of the vertices off their ways then.

        None in its place where most are, or obstacles are. start, end: of the substep's ways, shape (vertex_count, 3)
        [m]; margins: about them [m]; acting: of the obstacles' vertices, a mask; distances: as those of the class.
        """
        if self._known is None or not np.array_equal(self._acting, acting):
            return 0, None
        grown = np.maximum(distances - self.distances, 0.0)
        found, (count, wider) = [], self._ahead
        for gone in range(count):
            off, room = self._off(start, end, margins, gone, wider)
            off[: self._count] += grown
            left = off > room
            if left.any():
                # Particles that are about to leave go along: each search costs, however few it is for.
                left = off > _GOES_ALONG * room
            found.append((int(left.sum()), gone, left))
            if not found[-1][0]:
                break
        number, gone, left = min(found, key=lambda of: of[:2])
        return gone, None if number > _MANY * self._count or left[self._count :].any() else left

    def begin(self, start, end, margins, acting, distances):
        """Search all ways of a substep, see `left`."""
        self._look_ahead(start, end, margins)
        self._known, self._acting = (start, end - start, self._about(margins)), acting
        self.distances = distances

    def replace(self, left, gone, start, end, margins, distances):
        """Search the ways of the vertices that have left theirs, see `left`."""
        begun, ways, about = (of.copy() for of in self._known)
        ways[left] = end[left] - start[left]
        begun[left], about[left] = start[left] - gone * ways[left], self._about(margins)[left]
        self._known = begun, ways, about
        self.distances = np.where(left[: self._count], distances, self.distances)

    def end(self, start):
        """Note where the substep began."""
        self._start = start

    def ways(self):
        """Where the ways begin, and the Ways of as many substeps as are searched at once."""
        begun, ways, about = self._known
        count, wider = self._ahead
        return begun, Ways(np.ascontiguousarray(begun.T), np.ascontiguousarray(count * ways.T), wider * about)

    def _about(self, margins):
        about = margins.copy()
        about[: self._count] += self.room
        return about

    def _off(self, start, end, margins, gone, wider):
        """How far off the known ways each vertex is after so many substeps, and how far it may be [m]."""
        begun, ways, about = self._known
        off = np.abs(start - begun - gone * ways)
        np.maximum(off, np.abs(end - begun - (gone + 1) * ways), out=off)
        # Row by row: NumPy takes ten times as long for the largest of three.
        off = np.maximum(np.maximum(off[:, 0], off[:, 1]), off[:, 2])
        return off, wider * about - margins + _ROUNDING * np.abs(begun).max(initial=0.0)

    def _look_ahead(self, start, end, margins):
        """Decide how far ahead is searched: by whether what was known a substep ago would have served in this one."""
        if self._known is None or np.array_equal(start, self._start):
            return
        off, room = self._off(start, end, margins, 1, _AHEAD[1])
        self._ahead = _AHEAD if np.count_nonzero(off > room) <= _MANY * self._count else _AT_ONCE
