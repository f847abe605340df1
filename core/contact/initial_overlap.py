# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances that particles keep where they begin nearer to something than they should keep."""

from typing import NamedTuple

import numpy as np

from ..kernels.contact_laws import INERTIAS, SPRINGS
from .clearance import OWN

# Distances that are gained in free room in a second: two plies then part at 13 a second, which they keep. At 10 what
# coincides bends by more than its distance; at 5 what 40 times its weight presses slips off while it has half of it.
_RATE = 7.0

# Weights of a particle that push it at most for the sake of a distance that it did not have at first. What lies on a
# surface is pushed by one, single particles at its edges by ten. A shirt of cotton around a chest is stretched by a
# thousandth with as many as this; with 2 a cloth on a plate trembles beside its edges, with 300 a fitted shirt takes
# five times as long a frame.
_PUSH = 30.0

# By how much more than its neighbour, in parts of the edge between them, a particle keeps at most: led to such
# distances an edge is stretched by half a hundredth. Without this bound a suit whose edges are 2 mm long, and which
# gains up to 3 mm in a substep, has 756 edges that are stretched by more than a tenth after six frames, with it 43.
_SLOPE = 0.1

# Acceleration that weighs particles where gravity does not [m/s^2].
STANDARD_GRAVITY = 9.81


# Substeps for which a search serves at the most.
_AHEAD = 2

_ONES = np.ones(4)


class Kept(NamedTuple):
    """Distances of every particle from obstacles now, and the largest while a search serves [m], shape (n,)."""

    now: np.ndarray
    soon: np.ndarray

    def of(self, corners):
        """Largest distances of stencils of some corners [m], shape (count,)."""
        count = len(self.now)
        of_all = np.append(self.now, 0.0).take(np.minimum(corners, count))
        return (of_all @ _ONES) / ((corners < count) @ _ONES)


class InitialOverlap:
    """The distance of each particle: at first no more than it has, later the full one, if there is room.

    A garment that fits lies nearer to the skin, and to what is worn over it, than cloth is to keep. Pushed out at once
    it would be stretched all around, and plies thrown apart. So a particle keeps what it has where the simulation
    begins. Where it is farther away it keeps more, at a bounded speed; where something holds it, it is pushed by a
    bounded force. Where it is pressed harder it gives way, as far as the least distance: a trouser leg that is loose
    at first is taut on a knee that bends. Particles that are held keep what they had from obstacles.

    masses: infinite of what is held [kg]; asked: distances that are to be kept [m], shape (n,), 0 of none; least: what
    they give way to at the most [m], shape (n,); gravity: its size [m/s^2]; pins_gain: whether what pins hold gains as
    well; edges: ends and lengths [m] of those along which the distance varies little, or None.
    """

    def __init__(self, masses, asked, least, gravity, *, pins_gain=False, edges=None):
        free = np.isfinite(masses)
        self._asked, self._held, self._speeds = asked, ~(free | pins_gain), _RATE * asked
        self._least, self._edges = np.minimum(least, asked), edges
        self._masses = np.where(free, masses, 0.0)
        self._most = _PUSH * max(gravity, STANDARD_GRAVITY) * self._masses
        self._floor = self._kept = asked
        self._gains = np.zeros(len(masses))

    def begin(self, corners, distances):
        """Begin where stencils, of which corners are given, shape (count, 4), are so far apart, see `end`."""
        self._kept = self._nearest(corners, distances)
        # Where all begins far enough away nothing gives way.
        far = (self._kept >= (1.0 - OWN) * self._asked).all()
        if far:
            self._kept = self._asked
        self._floor = self._asked if far else np.minimum(self._kept, self._least)
        self._gains = np.zeros(len(self._kept))

    def let_in(self, particles, enough):
        """Have particles that are in something keep no more than what they are out of it by [m], shape (n,)."""
        if self._floor is self._asked:
            self._floor, self._kept = self._asked.copy(), self._asked.copy()
        for of in (self._floor, self._kept):
            of[particles] = np.minimum(of[particles], enough[particles])

    @property
    def near(self):
        """Whether any particle began nearer than it should keep."""
        return bool((self._floor < self._asked).any())

    @property
    def rising(self):
        """Whether any particle keeps less than what is asked for."""
        return bool((self._kept < self._asked).any())

    def shares(self, corners):
        """Distances of stencils of particles, in parts of the full ones, shape (count,)."""
        kept = np.divide(self._kept, self._asked, out=np.ones(len(self._kept)), where=self._asked > 0.0)
        return kept[corners].mean(axis=1)

    def between(self, corners, shares):
        """Distances of such stencils as `end` has them, from those in parts of what they are to keep [m]."""
        return shares[:, None] * self._asked[corners]

    def at(self, dt):
        """The Kept of a substep of dt [s]."""
        return Kept(self._kept, np.minimum(self._kept + _AHEAD * dt * self._speeds, self._asked))

    def end(self, corners, distances, pushes, springs, a, dt):
        """End a substep of dt [s] in which stencils were so far apart [m], shape (count,), or (count, 4) at corners.

        pushes: normal forces on every particle [N]; springs: see `Before` [N/m]; a: of the formula [s].
        """
        firm = INERTIAS * self._masses / a**2 + SPRINGS * springs
        # By so much it is pushed by as much as it may be, where nothing gives way.
        least = np.divide(self._most, firm, out=np.zeros_like(firm), where=firm > 0.0)
        most = self._speeds * dt
        over = np.divide(pushes, self._most, out=np.zeros(len(pushes)), where=self._most > 0.0) - 1.0
        room = self._nearest(corners, distances) - self._kept
        # A particle that nothing presses goes on twice as fast, one that is pressed by as much as its push lacks.
        free = np.minimum(np.maximum(2.0 * self._gains, least), most)
        self._gains = np.where(pushes > 0.0, 0.0, free)
        gains = np.minimum(np.maximum(room, np.where(pushes > 0.0, -over * least, free)), most)
        moves = np.where(over > 0.0, -np.minimum(over * least, most), gains)
        kept = np.clip(self._even(self._kept + moves), self._floor, self._asked)
        self._kept = np.where(self._held, self._kept, kept)

    def _even(self, kept):
        """Distances [m] that vary no more than they may over one edge more."""
        if self._edges is None:
            return kept
        (one, other), lengths = self._edges
        even, more = kept.copy(), _SLOPE * lengths
        np.minimum.at(even, one, kept[other] + more)
        np.minimum.at(even, other, kept[one] + more)
        return even

    def _nearest(self, corners, distances):
        """The least distance of the stencils of every particle, no more than is asked for [m]."""
        found = np.append(self._asked, np.inf)
        distances = distances if distances.ndim == 2 else distances[:, None]
        np.minimum.at(found, np.minimum(corners, len(self._asked)), distances)
        return found[:-1]

    @property
    def history(self):
        """Distances that particles keep and give way to, and their gains in the last substep [m], shape (n, 3)."""
        return np.column_stack([self._kept, self._floor, self._gains])

    def restore(self, history):
        """Go on from a `history`; raises ValueError for numbers that are none of it."""
        kept, floor, gains = history.T
        if not ((floor >= 0.0) & (floor <= kept) & (kept < np.inf) & (gains >= 0.0) & (gains < np.inf)).all():
            raise ValueError("what particles keep is told by numbers that are none of it: restore a history")
        # Particles that were torn off since ask for less.
        self._kept, self._floor = (np.minimum(of, self._asked) for of in (kept, floor))
        self._gains = gains.copy()
