# SPDX-License-Identifier: GPL-3.0-or-later
"""What begins overlapped: nearer than it should keep, on top of each other, or crossed."""

from typing import Any

import numpy as np

from .initial_overlap import InitialOverlap
from .rising import Rising
from .tangles import Tangles


class Starts:
    """What particles keep of their distances where a simulation begins, and how that grows.

    What two of them keep begins at what they have and grows at a bounded speed; what crosses has no contacts until it
    has parted.

    search: Search; network: SpringNetwork; masses: infinite of what is held [kg]; gravity: its size [m/s^2]; colliders:
    number of those that have triangles, which owns what is within; between: whether particles meet each other.
    leads: whether anything was in one of these in the last substep.
    """

    def __init__(self, search, network, masses, gravity, colliders, *, between):
        self._search, self._colliders, self._between = search, colliders, between
        self._rising = Rising(network, masses)
        self._tangles = Tangles(search.edges, network.surface.triangles, network.vertex_count)
        self._overlap = InitialOverlap(masses, search.asked_outside, gravity)
        self._begins_frame, self.leads = True, False

    def begun(self, x, t):
        """Positions [m] that a simulation begins with at t [s] in place of x, shape (n, 3), see `Rising`."""
        if self._colliders:
            self._overlap.begin(*self._search.near_obstacles(x, t))
        if not self._between:
            return x
        begun = self._rising.begun(self._search, x, t)
        self._tangles.begin(begun)
        return begun

    def begin_frame(self):
        """Begin a frame, where what has parted may touch again."""
        self._begins_frame = True

    def begin_search(self, start):
        """Take note of where a substep begins, shape (n, 3) [m]."""
        if self._between and self._begins_frame:
            self._tangles.begin_frame(start)
        self._begins_frame = False

    def kept_outside(self, inside, dt):
        """The Kept of a substep of dt [s], or None where all is kept; inside: by owners' numbers who is in what."""
        if not self._colliders:
            return None
        of_meshes = [of for number, of in inside.items() if number < self._colliders and len(of)]
        self.leads = bool(of_meshes)
        for particles in of_meshes:
            self._overlap.let_in(particles, self._search.least)
        return self._overlap.at(dt) if self._overlap.near else None

    def met(self, candidates, t):
        """Candidates, or None, that meet at t [s], with the distances that they keep."""
        return self._rising.kept(self._tangles.without(candidates, self._colliders), self._colliders, t)

    def rises(self, t):
        """Whether what is within keeps less than all of its distance at t [s]."""
        return self._between and self._rising.rises(t)

    def end(self, pressing, near, springs, a, dt):
        """End a substep of dt [s].

        pressing: Rows, or None of none, and their normal forces [N]; near: Touching, or None; springs: see `Before`
        [N/m]; a: of the formula [s].
        """
        if not (self._colliders and self._overlap.near):
            return
        (rows, normal), count = pressing, len(springs)
        candidates = None if near is None else near.candidates
        pushes: Any = np.zeros(count)
        corners: Any = np.zeros((0, 4), dtype=np.intp)
        distances: Any = np.zeros(0)
        if rows is not None:
            outside = rows.owners < self._colliders
            each = np.abs(rows.weights[outside]) * normal[outside, None]
            pushes = np.bincount(rows.corners.values[outside].ravel(), each.ravel(), count)
        if candidates is not None:
            outside = candidates.owners < self._colliders
            corners, distances = candidates.corners[outside], candidates.distances[outside]
        self._overlap.end(corners, distances, pushes, springs, a, dt)

    @property
    def history(self):
        """Of each of them, shape (n, 3)."""
        return tuple(of.history for of in self._rooms)

    def restore(self, arrays):
        """Go on from a `history`."""
        for of, history in zip(self._rooms, arrays, strict=True):
            of.restore(history)

    @property
    def _rooms(self):
        within = (self._rising, self._tangles) if self._between else ()
        return (*within, self._overlap) if self._colliders else within
