# SPDX-License-Identifier: GPL-3.0-or-later
"""Stencils that may touch in a substep: points and triangles, edges and edges, particles and shapes."""

from typing import NamedTuple

import numpy as np

from ..directions import lengths
from ..kernels import Indices
from ..kernels.stencils import nearness, time_of_impact
from ..topology import connected_parts
from .broad_phase import Ways
from .collision_filter import CollisionFilter
from .narrow import HALF_CIRCLE, Narrow
from .obstacles import sides_of
from .pair_search import Pairs, PairSearch
from .searched_ways import SearchedWays
from .sizes import extent, medians

# Distance that is kept at least, in parts of the cloth's sides: what has none between its sides has no side to be on.
_LEAST_REACH = 0.05

# The same in parts of the size of cloth and obstacles, of what has no sides.
_LEAST_OF_ALL = 1e-4

# Share of the margins about ways that is sure: what comes only nearly as near may be found or not, and so is decided in
# a few looks. A stencil takes 14 in a heap where it is all of them, 4.3 with this, and 3.5 with 0.8.
_SURE = 0.9


class Candidates(NamedTuple):
    """Stencils of four corners each, those of obstacles numbered after the particles.

    corners: shape (count, 4); kinds: see `kernels.stencils`; reach: the distance that is kept [m]; approach: the most
    that its ways bring a stencil nearer [m]; distances [m] and volumes [m^3] where the ways begin, see `nearness`;
    friction: coefficients; owners: numbers of the obstacles' colliders, one more within the cloth; keys: of the Pairs,
    rising.
    """

    corners: np.ndarray
    kinds: np.ndarray
    reach: np.ndarray
    approach: np.ndarray
    distances: np.ndarray
    volumes: np.ndarray
    friction: np.ndarray
    owners: np.ndarray
    keys: np.ndarray

    def meeting(self, count):
        """Pairs of particles, of so many in all: one of each of two that may touch each other, shape (count, 2)."""
        return self.corners[(self.corners < count).all(axis=1)][:, [0, 3]]


class Known(NamedTuple):
    """Pairs, and the distances that they keep at the most [m], shape (count,)."""

    pairs: Pairs
    reach: np.ndarray

    def chosen(self, which):
        """Those of some rows, indices or a mask."""
        return Known(self.pairs.chosen(which), self.reach[which])


class Search:
    """Finds Candidates between a cloth and obstacles, and within the cloth.

    points [m], triangles and strands: of the cloth at rest; obstacles: Obstacles, of those ContactOf colliders;
    between: ContactOf of each SelfCollision; from_seam: see Narrow; loose: mask of the particles that nothing is joined
    to, shape (n,), or None for none.
    kept_outside: what particles keep from obstacles at the most [m], of every collider, shape (collider_count,);
    asked_outside: the same of every particle, shape (n,); least: what these keep at least [m]; edges: of the cloth.
    sides: of the triangles of its part, the median, of every particle [m]; obstacles: as given.
    """

    def __init__(self, points, triangles, strands, obstacles, between, from_seam=None, loose=None):
        self._count, self.obstacles = len(points), obstacles
        triangles = np.asarray(triangles, dtype=np.intp)
        strands = np.asarray(strands, dtype=np.intp)
        edges = self.edges = np.concatenate([sides_of(triangles), strands])
        ends = points[edges.T]
        self.sides = medians(connected_parts(edges, len(points)), edges[:, 0], lengths(ends[1] - ends[0]))
        loose = np.zeros(len(points), dtype=bool) if loose is None else loose
        surface = loose.copy()
        surface[triangles], surface[edges] = True, True
        size = extent(np.concatenate([points, obstacles.at(0.0)]))
        self.least = np.maximum(_LEAST_REACH * self.sides, _LEAST_OF_ALL * size)
        self._filter = CollisionFilter(obstacles.colliders, between, surface, self.least)
        self.kept_outside = self._filter.reach[: len(obstacles.colliders)].max(axis=1, initial=0.0)
        self.asked_outside = self._filter.most_outside()
        elements, alone = (triangles, edges, strands), np.flatnonzero(loose) if between else None
        self._search = PairSearch(points, elements, obstacles, self._filter, alone)
        self._narrow = self._narrow_of(points, edges, from_seam) if between else None
        self._searched = SearchedWays(len(points), self.asked_outside)
        self._take([])

    def candidates(self, start, end, margins, acting, least=None):
        """Those that may come nearer than they keep on straight ways, or None.

        start, end: of all vertices, those of obstacles last, shape (vertex_count, 3) [m]; margins: how far off its way
        each may be [m], shape (vertex_count,); acting: of the obstacles' vertices, a mask; least: Kept of particles
        that do not keep all that they are to keep from obstacles, or None. Pairs are looked for anew
        only of what leaves the ways that were searched last, and margins about them: what is found is the same.
        """
        if self._narrow is None and not acting.any():
            return None
        margins = margins / _SURE
        now, soon = (self.asked_outside,) * 2 if least is None else least
        searched = self._searched
        gone, left = searched.left(start, end, margins, acting, now)
        if left is None:
            searched.begin(start, end, margins, acting, soon)
            # Two lists of all pairs would be more memory than all else.
            self._take([])
            self._take([self._looked_for(acting)])
        elif left.any():
            searched.replace(left, gone, start, end, margins, soon)
            kept = ~np.logical_or.reduce([left.take(of) for of in self._known.pairs.corners.T])
            self._take([self._known.chosen(kept), self._looked_for(acting, left)])
        searched.end(start)
        ways = Ways(np.ascontiguousarray(start.T), np.ascontiguousarray((end - start).T), margins)
        return self._near(ways, least) if len(self._known.reach) else None

    def widen(self, room):
        """Search a room about ways beside margins [m]: the wider, the longer what is found serves."""
        self._searched.room = room

    def apart(self, start, end, t, dt):
        """Whether a box about all ways is apart from one about all obstacles, in a substep of dt [s] that ends at t.

        start, end: of the particles' ways, shape (n, 3) [m]. Not asked for as long as any pair is near.
        """
        if len(self._known.reach):
            return False
        low, high = self.obstacles.box(t, dt)
        reach = self._filter.reach.max()
        lowest, highest = np.minimum(start, end).min(axis=0), np.maximum(start, end).max(axis=0)
        return bool(((lowest - reach > high) | (highest + reach < low)).any())

    @property
    def kept_between(self):
        """Largest distances of particles from each other [m], shape (n,)."""
        return self._filter.kept_between()

    def near_obstacles(self, x, t):
        """Corners of the stencils that are near obstacles at t [s] at x, shape (n, 3), and their distances [m]."""
        found, distances = self._around(x, np.zeros(len(x)), t, self.obstacles.acting(t))
        outside = found.rows < len(self.obstacles.colliders)
        return found.corners[outside], distances[outside]

    def near_each_other(self, x):
        """Corners of the cloth's own stencils that are near at x, shape (3, n), distances, and what they keep [m]."""
        found, distances = self._around(x.T, np.zeros(len(x.T)))
        keeps = self._filter.mean(self._filter.reach, found.rows, found.corners)
        if self._narrow is not None:
            keeps = self._narrow.kept(found, keeps)
        return found.corners, distances, keeps

    def _around(self, points, margins, t=0.0, acting=None):
        """Pairs that are as near as they keep, with margins about that, at points at t [s]; distances [m].

        acting: of the obstacles' vertices, a mask; None for the cloth's own pairs alone.
        """
        everyone = np.concatenate([points, self.obstacles.at(t)])
        starts, about = np.ascontiguousarray(everyone.T), np.zeros(len(everyone))
        about[: len(points)] = margins
        ways = Ways(starts, np.zeros_like(starts), about)
        acting = np.zeros(len(self.obstacles), dtype=bool) if acting is None else acting
        found = self._search.pairs(everyone, ways, acting)
        return found, _nearness(ways, Indices(found.corners, len(everyone)), found.kinds)[0]

    def _narrow_of(self, points, edges, from_seam):
        """The Narrow of a cloth at rest, where its parts hang together by edges."""
        parts, kept = connected_parts(edges, len(points)), np.maximum(self.kept_between, 0.0)
        found, apart = self._around(points, 0.5 * (HALF_CIRCLE - 1.0) * kept)
        which = parts[found.corners[:, 0]] == parts[found.corners[:, 3]]
        return Narrow(found.keys[which], apart[which], from_seam)

    def _looked_for(self, acting, left=None):
        """The Known of the searched ways, or of those of some vertices alone, a mask."""
        begun, ways = self._searched.ways()
        pairs = self._search.pairs(begun, ways, acting, left, self._searched.distances)
        reach = self._filter.mean(self._filter.reach, pairs.rows, pairs.corners)
        if self._narrow is not None:
            reach = self._narrow.kept(pairs, reach)
        stencils = Indices(pairs.corners, self._count + len(self.obstacles))
        distances, approaches, _ = _nearness(ways, stencils, pairs.kinds)
        return Known(pairs, reach).chosen(
            np.flatnonzero((distances <= reach + approaches[1]) & (reach > 0.0))
        )

    def _take(self, several):
        """Take several Known, in an order that does not tell when they were found."""
        pairs = Pairs.joined([of.pairs for of in several])
        known = Known(pairs, np.concatenate([np.zeros(0), *(of.reach for of in several)]))
        # Stable sorting merges what is in order already.
        known = known.chosen(np.argsort(pairs.keys, kind="stable"))
        self._stencils = Indices(known.pairs.corners, self._count + len(self.obstacles))
        self._known = known._replace(pairs=known.pairs._replace(corners=self._stencils.values))

    def _near(self, ways, least):
        """Of the pairs the Candidates that Ways bring as near as they keep."""
        (corners, kinds, rows, keys), reach = self._known
        distances, approaches, volumes = _nearness(ways, self._stencils, kinds)
        near = np.flatnonzero((distances <= reach + approaches[1]) & (distances > 0.0))
        corners, kinds, rows, reach = corners.take(near, axis=0), kinds[near], rows[near], reach[near]
        distances, approaches, volumes = distances[near], approaches.take(near, axis=1), volumes[near]
        if least is not None:
            outside = np.flatnonzero(rows < len(self.obstacles.colliders))
            reach[outside] = np.minimum(reach[outside], least.of(corners.take(outside, axis=0)))
        kept = _come_near(ways, corners, kinds, distances, approaches, reach)
        if not kept.any():
            return None
        which = np.flatnonzero(kept)
        corners, rows = corners.take(which, axis=0), rows[which]
        of_ways = reach[which], approaches[0, which], distances[which], volumes[which]
        laws = self._filter.mean(self._filter.friction, rows, corners), self._filter.owners(rows)
        return Candidates(corners, kinds[which], *of_ways, *laws, keys[near[which]])


def _nearness(ways, corners, kinds):
    """Distances, approaches and volumes of stencils on Ways, see `nearness`."""
    count = len(kinds)
    found = np.empty(count), np.empty((2, count)), np.empty(count)
    nearness(*ways, corners, kinds, *found)
    return found


def _come_near(ways, corners, kinds, distances, approaches, reach):
    """Mask of the stencils that come as near as they keep and margins on Ways, which are `distances` apart before [m].

    approaches: without and with these margins, see `nearness`, of which a share is sure. What they bound alone is
    looked at on its way, so that it is not told by what else was near enough to be looked at.
    """
    kept = (distances <= reach + approaches[1]) & (reach > 0.0)
    margins = approaches[1] - approaches[0]
    far = np.flatnonzero(kept & (distances > reach + margins))
    if len(far):
        shares, of_far = np.empty(len(far)), Indices(corners[far], ways.starts.shape[1])
        reach, margins = reach[far], margins[far]
        sure = reach + _SURE * margins, reach + margins
        time_of_impact(ways.starts, ways.ways, of_far, kinds[far], distances[far], *sure, shares)
        kept[far] = shares < 1.0
    return kept
