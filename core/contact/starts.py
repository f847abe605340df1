# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts with overlaps: nearer than the distance, on top of each other, or crossed."""

import numpy as np

from ..directions import lengths
from ..topology import connected_parts, network_parts
from .coincident import APART, put_apart, put_beside
from .initial_overlap import InitialOverlap
from .tangles import Tangles


class Starts:
    """Distances of particles at the start of a simulation, and their growth.

    What two of them keep begins at what they have and grows at a bounded speed and by a bounded force; what crosses has
    no contacts until it has parted.

    search: Search; network: SpringNetwork; masses: infinite of what is held [kg]; gravity: its size [m/s^2]; colliders:
    number of those that have triangles, which owns what is within; between: whether particles meet each other.
    leads: whether anything was in one of these in the last substep.
    """

    def __init__(self, search, network, masses, gravity, colliders, *, between):
        self._search, self._network, self._held = search, network, np.isinf(masses)
        self._colliders, self._between = colliders, between
        self._tangles = Tangles(search.edges, network.surface.triangles, network.vertex_count)
        ends = network.points[search.edges.T]
        edges = search.edges.T, lengths(ends[1] - ends[0])
        self._outside = InitialOverlap(masses, search.asked_outside, search.least, gravity, edges=edges)
        kept_between = np.maximum(search.kept_between, 0.0)
        self._within = InitialOverlap(masses, kept_between, kept_between, gravity, pins_gain=True)
        self._begins_frame, self.leads = True, False

    def begun(self, x, t):
        """Positions [m] to begin with at t [s] in place of x, shape (n, 3): parts that coincide are put apart."""
        if self._colliders:
            x = self._beside(x, t)
            self._outside.begin(*self._search.near_obstacles(x, t))
        if not self._between:
            return x
        network, kept = self._network, self._search.kept_between
        corners, distances, keeps = self._search.near_each_other(np.ascontiguousarray(x.T))
        near = np.flatnonzero(distances < keeps)
        shares = np.maximum(distances[near] / keeps[near], APART)
        self._within.begin(corners[near], self._within.between(corners[near], shares))
        parts = connected_parts(network.edges, network.vertex_count)
        apart = put_apart(x, corners, distances, network.surface.triangles, parts, kept)
        begun = x if apart is x else np.where(self._held[:, None], x, apart)
        self._tangles.begin(begun)
        return begun

    def _beside(self, x, t):
        """Positions [m] in place of x in which nothing that may move lies in an obstacle's triangle."""
        search, masses, parts = self._search, self._network.masses, network_parts(self._network)
        obstacles = search.obstacles
        corners, distances = search.near_obstacles(x, t)
        of_obstacles = obstacles.at(t), obstacles.triangles
        beside = put_beside(x, corners, distances, of_obstacles, parts, masses, search.asked_outside)
        return x if beside is x else np.where(self._held[:, None], x, beside)

    def begin_frame(self):
        """Begin a frame, where what has parted may touch again."""
        self._begins_frame = True

    def begin_search(self, start):
        """Take note of where a substep begins, shape (n, 3) [m]."""
        if self._between and self._begins_frame:
            self._tangles.begin_frame(start)
        self._begins_frame = False

    def kept_outside(self, inside, dt):
        """The Kept of a substep of dt [s], or None for full distances; inside: particles inside, by owners' numbers."""
        if not self._colliders:
            return None
        of_meshes = [of for number, of in inside.items() if number < self._colliders and len(of)]
        self.leads = bool(of_meshes)
        for particles in of_meshes:
            self._outside.let_in(particles, self._search.least)
        return self._outside.at(dt) if self._outside.near else None

    def met(self, candidates):
        """Candidates, or None, that meet, with the distances that they keep."""
        candidates = self._tangles.without(candidates, self._colliders)
        if candidates is None or not self.rises:
            return candidates
        which, reach = np.flatnonzero(candidates.owners == self._colliders), candidates.reach.copy()
        reach[which] *= self._within.shares(candidates.corners[which])
        return candidates._replace(reach=reach)

    @property
    def rises(self):
        """Whether anything within keeps less than all of its distance."""
        return self._between and self._within.rising

    def end(self, pressing, near, springs, a, dt):
        """End a substep of dt [s].

        pressing: Rows, or None of none, and their normal forces [N]; near: Touching, or None; springs: see `Before`
        [N/m]; a: of the formula [s].
        """
        of_time = springs, a, dt
        candidates = None if near is None else near.candidates
        if self._colliders and self._outside.near:
            corners, distances, _ = _apart(candidates, lambda owners: owners < self._colliders)
            pushes = _pushes(pressing, lambda owners: owners < self._colliders, len(springs))
            self._outside.end(corners, distances, pushes, *of_time)
        if self.rises:
            corners, distances, reach = _apart(candidates, lambda owners: owners == self._colliders)
            kept = reach / self._within.shares(corners)
            pushes = _pushes(pressing, lambda owners: owners == self._colliders, len(springs))
            self._within.end(corners, self._within.between(corners, distances / kept), pushes, *of_time)

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
        within = (self._within, self._tangles) if self._between else ()
        return (*within, self._outside) if self._colliders else within


def _apart(candidates, owned):
    """Corners, distances and reaches [m] of Candidates, or None, whose owners are of those."""
    if candidates is None:
        return np.zeros((0, 4), dtype=np.intp), np.zeros(0), np.zeros(0)
    which = owned(candidates.owners)
    return candidates.corners[which], candidates.distances[which], candidates.reach[which]


def _pushes(pressing, owned, count):
    """Normal forces on each of so many particles [N] of those Rows, or None, whose owners are of those."""
    rows, normal = pressing
    if rows is None:
        return np.zeros(count)
    which = owned(rows.owners)
    each = np.abs(rows.weights[which]) * normal[which, None]
    return np.bincount(rows.corners.values[which].ravel(), each.ravel(), count)
