# SPDX-License-Identifier: GPL-3.0-or-later
"""Stencils that may touch in a substep: points and triangles, edges and edges, particles and shapes."""

from typing import Any, NamedTuple

import numpy as np

from ..directions import lengths
from ..kernels import Indices
from ..kernels.stencils import EDGE_EDGE, POINT_TRIANGLE, closest_points, nearness
from ..listed import chosen
from .broad_phase import BoundingVolumeHierarchy, MovingBoxes
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
        self._triangles = np.asarray(triangles, dtype=np.intp)
        self._edges = np.concatenate([sides_of(self._triangles), strands]).astype(np.intp)
        both = np.concatenate([points, obstacles.at(0.0)])
        shift = self._count
        self._of_cloth = tuple(BoundingVolumeHierarchy(of, points) for of in (self._triangles, self._edges))
        self._of_obstacles = tuple(
            BoundingVolumeHierarchy(of + shift, both) for of in (obstacles.triangles, obstacles.edges)
        )
        self._obstacle_edges, self._obstacle_triangles = obstacles.edges + shift, obstacles.triangles + shift
        ends = points[self._edges.T]
        self.side = float(np.median(lengths(ends[1] - ends[0]))) if len(self._edges) else 0.0
        surface = np.zeros(len(points), dtype=bool)
        surface[self._triangles], surface[self._edges] = True, True
        least = _LEAST_REACH * self.side
        self._filter = CollisionFilter(obstacles.colliders, between, surface, least)
        # Mean distances are kept between two particles.
        self._about = 0.5 * self._filter.kept_between() if between else None
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

    @property
    def kept_between(self):
        """What particles keep from each other at the most [m], shape (n,)."""
        return 2.0 * self._about

    def near_each_other(self, x):
        """Corners of the cloth's own stencils that are as near as they keep at x, shape (3, n), and distances [m]."""
        points = np.ascontiguousarray(x.T)
        about = self._about[:, None] * np.ones(3)
        found = self._within(MovingBoxes.about(points, about, np.zeros_like(points)))
        kinds = np.concatenate([np.full(len(corners), kind, dtype=np.uint8) for corners, kind in found])
        corners = Indices(np.concatenate([corners for corners, _ in found]), len(points))
        distances = np.empty(len(kinds))
        closest_points(
            x,
            corners,
            kinds,
            np.empty((len(kinds), 4)),
            np.empty((3, len(kinds))),
            distances,
            distances + 0.0,
        )
        return corners.values, distances

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
        count, found, reach = self._count, [], margins[:, None] * np.ones(3)
        if acting.any():
            about = reach.copy()
            about[count:] += self._filter.reach[: len(self._obstacles.colliders)].max(initial=0.0)
            about[count:][~acting] = -np.inf
            found += self._with_obstacles(MovingBoxes.about(start, about, ways))
        if self._about is not None:
            about = reach[:count] + self._about[:, None]
            start, ways = start[:count], ways[:count]
            found += self._within(MovingBoxes.about(start, about, ways))
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

    def _with_obstacles(self, boxes):
        """Particles with triangles, edges with edges, and points of obstacles with triangles of the cloth."""
        count, faces, edges = self._count, self._triangles, self._edges
        low, high = boxes.swept()
        acting = low[count:, 0] <= high[count:, 0]
        about = low[count:][acting].min(axis=0), high[count:][acting].max(axis=0)
        particles = np.flatnonzero(_overlap((low[:count], high[:count]), about))
        met = np.flatnonzero(_overlap(_boxes(low, high, edges), about))
        if len(particles) + len(met) == 0:
            return []
        edges = edges[met]
        for tree in self._of_obstacles:
            tree.refit(boxes)
        triangles, other_edges = self._of_obstacles
        box, other = triangles.overlaps(boxes.chosen(particles))
        stencils = _stencils(particles[box, None], self._obstacle_triangles[other], POINT_TRIANGLE)
        found = [self._met(stencils, slice(0, 1), 1)]
        box, other = other_edges.overlaps(boxes.of(edges))
        stencils = _stencils(edges[box], self._obstacle_edges[other], EDGE_EDGE)
        found.append(self._met(stencils, slice(0, 2), 2))
        if len(faces):
            points = self._obstacles.points + count
            cloth = low[:count].min(axis=0), high[:count].max(axis=0)
            points = points[_overlap((low[points], high[points]), cloth)]
            tree = self._of_cloth[0]
            tree.refit(boxes)
            box, other = tree.overlaps(boxes.chosen(points))
            stencils = _stencils(points[box, None], faces[other], POINT_TRIANGLE)
            found.append(self._met(stencils, slice(1, 4), 0))
        return found

    def _met(self, stencils, particles, vertex):
        """Of stencils those whose particles, a slice of the corners, meet the collider of a vertex, a corner."""
        corners, kind = stencils
        if self._filter.all_meet:
            return stencils
        owner = self._obstacles.owner[corners[:, vertex] - self._count]
        meets = self._filter.meet(owner[:, None], corners[:, particles]).all(axis=1)
        return corners[meets], kind

    def _within(self, boxes):
        """Pairs of the cloth with itself that share no corner."""
        triangles, edges = self._of_cloth
        triangles.refit(boxes)
        edges.refit(boxes)
        box, other = triangles.overlaps(boxes)
        apart = np.flatnonzero((self._triangles[other] != box[:, None]).all(axis=1))
        found = [self._meeting(_stencils(box[apart, None], self._triangles[other[apart]], POINT_TRIANGLE))]
        own = self._edges
        box, other = edges.overlaps(boxes.of(own), once=True)
        one, two = own.take(box, axis=0), own.take(other, axis=0)
        apart = np.flatnonzero((one[:, :, None] != two[:, None, :]).all(axis=(1, 2)))
        found.append(self._meeting(_stencils(one[apart], two[apart], EDGE_EDGE)))
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


def _stencils(first, second, kind):
    return np.concatenate([first, second], axis=1), kind


def _boxes(low, high, primitives):
    """Corners of the boxes about primitives [m]."""
    lower, upper = ([of.take(corner, axis=0) for corner in primitives.T] for of in (low, high))
    return np.minimum.reduce(lower), np.maximum.reduce(upper)


def _overlap(boxes, about):
    return (boxes[0] <= about[1]).all(axis=1) & (boxes[1] >= about[0]).all(axis=1)
