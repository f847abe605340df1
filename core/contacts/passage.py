# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets nothing pass through anything in a substep, whatever moved it."""

import numpy as np

from .crossings import crosses, distances
from .pair_kinds import Points
from .proximity import REACH
from .tangles import Tangles
from .zones import moved_as_one

# Thicknesses that are left of what would pass through.
_TOUCH = 1e-3

# How often what still would pass through is held together, with what it then would pass through.
_ZONES = 8


class Passage:
    """Follows what may pass through each other on the ways that were really taken, and moves as one what would.

    triangles: of the surface, shape (triangle_count, 3); proximity: Proximity; thickness: the least [m]; masses: of the
    particles [kg], endless of what does not move by itself.
    """

    def __init__(self, triangles, proximity, thickness, masses):
        self._proximity, self._masses, self._touch = proximity, masses, _TOUCH * thickness
        self._reach = REACH * thickness
        self._tangles = Tangles(triangles)

    def kept_apart(self, before, x, known=None, clear=None):
        """Positions [m] where what would pass through something goes with it, x itself where nothing would.

        before: State at the start; x: shape (3, particle_count); known: as in `Proximity.passing`; clear: ends of ways
        from there on which nothing passes through anything, or None: what has been moved since is held there, and what
        would pass through it goes the way that it goes.
        """
        start, masses = np.ascontiguousarray(before.x.T), self._masses
        if clear is not None:
            # By a surface: taken along by the rest, it would go through that.
            masses = np.where((x != clear).any(axis=0), np.inf, masses)
        together = np.zeros((4, 0), dtype=np.intp)
        for turn in range(_ZONES):
            through = self._through(start, x, known, clear)
            if not through.size:
                break
            if turn >= _ZONES // 2:
                # Zones run into others all the time, and what surfaces hold into each other: what is about them goes
                # with them.
                masses = self._masses
                near = np.concatenate([through, *self._near(before, start, x)], axis=1)
                through = near[:, np.isin(near, np.append(together, through)).any(axis=0)]
            together = np.concatenate([together, through], axis=1)
            if turn == _ZONES - 1:
                together = np.zeros((4, x.shape[1]), dtype=np.intp)
                together[0] = np.arange(x.shape[1])
            x = moved_as_one(start, x, together, masses)
        return x

    def _near(self, before, start, x):
        """Particles of what is near each other at the start, shape (4, count), by kind."""
        for kind, rows in self._rows(self._proximity.candidates(before.x, x.T)):
            yield rows[:, distances(kind, start.take(rows, axis=1)) < self._reach]

    def _rows(self, found):
        """Kinds and particles, shape (4, count), of what was Found by kind."""
        return [
            (kind, np.ascontiguousarray(self._proximity.rows(kind, of_kind).T))
            for kind, of_kind in found.items()
            if kind is not Points and len(of_kind.first)
        ]

    def _through(self, start, x, known, clear):
        """Particles of pairs that pass through each other from start to x [m], shape (4, count)."""
        elsewhere = None if clear is None else (x != clear).any(axis=0)
        ways = self._rows(self._proximity.passing(start, x, self._touch, known, elsewhere))
        of_ways = [rows[:, crosses(kind, rows, start, x, self._touch)] for kind, rows in ways]
        through = np.concatenate([np.zeros((4, 0), dtype=np.intp), *of_ways], axis=1)
        if not through.size:
            return through
        tangled = self._tangles.among(np.unique(through), start)
        return through[:, ~np.isin(through, tangled).any(axis=0)]
