# SPDX-License-Identifier: GPL-3.0-or-later
"""Stencils that may touch in a substep: points and triangles, edges and edges, particles and shapes."""

from typing import Any, NamedTuple

import numpy as np

from ..directions import lengths
from ..kernels import Indices
from ..kernels.stencils import EDGE_EDGE, POINT_TRIANGLE, nearness
from ..listed import chosen
from .broad_phase import NOTHING, BoundingVolumeHierarchy, MovingBoxes, Ways, morton_order
from .collision_filter import CollisionFilter
from .obstacles import sides_of

# Distance that is kept at least, in parts of the cloth's sides: what has none between its sides has no side to be on.
_LEAST_REACH = 0.05

# Substeps that are searched at once, and margins about their ways, in parts of those of one.
_AHEAD, _WIDER = 3, 3.0


class Candidates(NamedTuple):
    """Stencils of four corners each, those of obstacles numbered after the particles.

    corners: shape (count, 4); kinds: see `kernels.stencils`; reach: the distance that is kept [m]; approach: the most
    that its ways bring a stencil nearer [m]; distances [m] and volumes [m^3] where the ways begin, see `nearness`;
    friction: coefficients; owners: numbers of the obstacles' colliders, one more within the cloth.
    """

    corners: np.ndarray
    kinds: np.ndarray
    reach: np.ndarray
    approach: np.ndarray
    distances: np.ndarray
    volumes: np.ndarray
    friction: np.ndarray
    owners: np.ndarray


class Search:
    """Finds Candidates between a cloth and obstacles, and within the cloth.

    points [m], triangles and strands: of the cloth at rest; obstacles: Obstacles, of those ContactOf colliders;
    between: ContactOf of each SelfCollision.
    side: of the cloth's triangles, the median [m].
    """

    def __init__(self, points, triangles, strands, obstacles, between):
        self._count, self._obstacles = len(points), obstacles
        edges = np.concatenate([sides_of(np.asarray(triangles)), strands]).astype(np.intp)
        both = np.concatenate([points, obstacles.at(0.0)])
        shift, every = self._count, len(both)

        def tree(primitives):
            return BoundingVolumeHierarchy(primitives, both)

        self._of_cloth = tree(np.asarray(triangles, dtype=np.intp)), tree(edges)
        self._of_obstacles = tree(obstacles.triangles + shift), tree(obstacles.edges + shift)
        self._particles = Indices(morton_order(points)[:, None], every)
        corners = obstacles.points + shift
        self._corners = Indices(corners[morton_order(both[corners])][:, None], every)
        ends = points[edges.T]
        self.side = float(np.median(lengths(ends[1] - ends[0]))) if len(edges) else 0.0
        surface = np.zeros(len(points), dtype=bool)
        surface[triangles], surface[edges] = True, True
        least = _LEAST_REACH * self.side
        self._filter = CollisionFilter(obstacles.colliders, between, surface, least)
        # Mean distances are kept between two particles.
        self._about = np.maximum(0.5 * self._filter.kept_between(), NOTHING) if between else None
        self._known: Any = None
        self._wide = False
        self._pairs: Any = None

    def candidates(self, start, end, margins, acting):
        """Those that may come nearer than they keep on straight ways, or None.

        start, end: of all vertices, those of obstacles last, shape (vertex_count, 3) [m]; margins: how far off its way
        each may be [m], shape (vertex_count,); acting: of the obstacles' vertices, a mask. Pairs are looked for anew
        only where something leaves the ways that were searched last, and margins about them: what is found is the same.
        """
        if not self._searched(start, end, margins, acting):
            ahead, wider = (_AHEAD, _WIDER) if self._served(start, end, margins, acting, _WIDER) else (1, 1.0)
            ways, self._wide = end - start, wider > 1.0
            self._known = start, ways, margins, acting
            self._pairs = self._all_pairs(start, ahead * ways, wider * margins, acting)
        if self._pairs is None:
            return None
        return self._near(np.ascontiguousarray(start.T), np.ascontiguousarray((end - start).T), margins)

    def _searched(self, start, end, margins, acting):
        """Whether ways, and margins about them, are within those that were searched last, at one time for all."""
        return self._served(start, end, margins, acting, _WIDER if self._wide else 1.0)

    def _served(self, start, end, margins, acting, wider):
        """Whether the last search would serve if it had been so much wider.

        Farther and wider, what goes on as it does need not be searched in every substep; what does not is searched
        for itself.
        """
        if self._known is None or not np.array_equal(self._known[3], acting):
            return False
        begun, ways, about, _ = self._known
        room = (wider * about - margins)[:, None]
        return any(
            (np.abs(start - begun - gone * ways) <= room).all()
            and (np.abs(end - begun - (gone + 1) * ways) <= room).all()
            for gone in range(_AHEAD if wider > 1.0 else 1)
        )

    def _all_pairs(self, start, ways, margins, acting):
        """Corners and kinds of what comes near, or None."""
        count, found, about = self._count, [], margins[:, None].copy()
        of_ways = Ways(np.ascontiguousarray(start.T), np.ascontiguousarray(ways.T), margins)
        if acting.any():
            about[count:] += self._filter.reach[: len(self._obstacles.colliders)].max(initial=0.0)
            about[count:][~acting] = NOTHING
            found += self._with_obstacles(MovingBoxes.about(start, about, ways), of_ways)
        if self._about is not None:
            about = margins[:, None].copy()
            about[:count] += self._about[:, None]
            found += self._within(MovingBoxes.about(start, about, ways), of_ways)
        found = [of for of in found if len(of[0])]
        if not found:
            return None
        kinds = [np.full(len(corners), kind, dtype=np.uint8) for corners, kind in found]
        return Indices(np.concatenate([corners for corners, _ in found]), len(margins)), np.concatenate(kinds)

    def _near(self, start, ways, margins):
        """Of the pairs the Candidates that ways, and margins about them, bring as near as they keep."""
        corners, kinds = self._pairs
        count = len(kinds)
        distances, approaches, volumes = np.empty(count), np.empty((2, count)), np.empty(count)
        nearness(start, ways, margins, corners, kinds, distances, approaches, volumes)
        near = np.flatnonzero((distances <= self._filter.reach.max() + approaches[1]) & (distances > 0.0))
        of_near = kinds[near], approaches[0, near], distances[near], volumes[near]
        found = self._told(corners.values.take(near, axis=0), *of_near)
        which = np.flatnonzero(found.distances <= found.reach + approaches[1, near])
        found = found if len(which) == len(near) else chosen(found, which)
        return found if len(found.kinds) else None

    def _with_obstacles(self, boxes, ways):
        """Particles with triangles, edges with edges, and points of obstacles with triangles of the cloth."""
        (faces, edges), (triangles, other_edges) = self._of_cloth, self._of_obstacles
        corners = boxes.of(self._corners.values)
        low, high = corners.swept()
        acting = low[:, 0] <= high[:, 0]
        about = low[acting].min(axis=0), high[acting].max(axis=0)
        found, particles = [], boxes.of(self._particles.values)
        low, high = particles.swept()
        cloth = low.min(axis=0), high.max(axis=0)
        for primitives, of_each, tree, meeting in (
            (self._particles, particles, triangles, (POINT_TRIANGLE, 0, 1)),
            (edges.primitives, boxes.of(edges.primitives.values), other_edges, (EDGE_EDGE, 0, 2)),
            (self._corners, corners, faces, (POINT_TRIANGLE, 1, 0)),
        ):
            near = of_each.meet(cloth if tree is faces else about)
            if len(near) and len(tree.primitives.values):
                tree.refit(boxes)
                which = primitives.chosen(near), of_each.chosen(near)
                kind, *met = meeting
                stencils = tree.stencils(*which, ways, self._filter.reach.max(initial=0.0))
                found.append(self._met((stencils, kind), *met))
        return found

    def _met(self, stencils, particle, vertex):
        """Of stencils those whose particle, the corner of a number, meets the collider of a vertex."""
        corners, kind = stencils
        owner = self._obstacles.owner[corners[:, vertex] - self._count]
        meets = self._filter.meet(owner, corners[:, particle])
        return (corners, kind) if meets.all() else (corners[meets], kind)

    def _within(self, boxes, ways):
        """Pairs of the cloth with itself that share no corner."""
        faces, edges = self._of_cloth
        reach, found = self._filter.reach.max(initial=0.0), []
        for primitives, tree, kind in ((self._particles, faces, POINT_TRIANGLE), (edges.primitives, edges, EDGE_EDGE)):
            tree.refit(boxes)
            of_each = boxes.of(primitives.values)
            stencils = tree.stencils(primitives, of_each, ways, reach, once=tree.primitives is primitives)
            found.append(self._meeting((stencils, kind)))
        return found

    def _meeting(self, stencils):
        """Those of particles that meet."""
        corners, kind = stencils
        meets = self._filter.between(corners[:, 0], corners[:, 3]) >= 0
        return (corners, kind) if meets.all() else (corners[meets], kind)

    def _told(self, corners, kinds, approach, distances, volumes):
        """Candidates with what particles and colliders say of them."""
        own, owner = corners < self._count, self._obstacles.owner
        within, last = np.where(own, corners, 0), corners.max(axis=1) - self._count
        row, outside = np.empty(len(corners), dtype=np.intp), last >= 0
        row[outside] = owner[last[outside]]
        row[~outside] = self._filter.between(corners[~outside, 0], corners[~outside, 3])
        share = own / own.sum(axis=1, keepdims=True)

        def mean(of):
            return np.einsum("mk,mk->m", share, of[row[:, None], within])

        of_ways = approach, distances, volumes
        laws = mean(self._filter.reach), *of_ways, mean(self._filter.friction)
        return Candidates(corners, kinds, *laws, np.minimum(row, len(self._obstacles.colliders)))
