# SPDX-License-Identifier: GPL-3.0-or-later
"""Stencils that may touch in a substep: points and triangles, edges and edges, particles and shapes."""

from typing import Any, NamedTuple

import numpy as np

from ..directions import lengths
from ..kernels import Indices
from ..kernels.stencils import EDGE_EDGE, POINT_TRIANGLE, closest_points, most_approach
from ..listed import chosen
from .broad_phase import BoundingVolumeHierarchy
from .obstacles import sides_of

# Distance that is kept at least, in parts of the cloth's sides: what has none between its sides has no side to be on.
_LEAST_REACH = 0.05

# Ways of substeps that are searched at once.
_AHEAD = 3.0


class Candidates(NamedTuple):
    """Stencils of four corners each, those of obstacles numbered after the particles.

    corners: shape (count, 4); kinds: see `kernels.stencils`; reach: the distance that is kept [m]; approach: the most
    that its ways bring a stencil nearer [m]; friction: coefficients.
    """

    corners: np.ndarray
    kinds: np.ndarray
    reach: np.ndarray
    approach: np.ndarray
    friction: np.ndarray


class Search:
    """Finds Candidates between a cloth and obstacles, and within the cloth.

    points [m], triangles and strands: of the cloth at rest; obstacles: Obstacles; between: SelfCollision, or None.
    side: of the cloth's triangles, the median [m].
    """

    def __init__(self, points, triangles, strands, obstacles, between):
        self._count, self._obstacles, self._between = len(points), obstacles, between
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
        self._per_particle(between)
        self._known: Any = None
        self._pairs: Any = None

    def _per_particle(self, between):
        """Distances kept and coefficients of friction, of every collider a row, and of the cloth itself."""
        rows = [*self._obstacles.colliders, *([between] if between else [])]
        count, least = self._count, _LEAST_REACH * self.side
        reach = np.array([np.broadcast_to(of.thickness, count) for of in rows]).reshape(-1, count)
        self._reach = np.maximum(reach, least)
        self._friction = np.array([np.broadcast_to(of.friction, count) for of in rows]).reshape(-1, count)

    def candidates(self, start, end, margins, acting):
        """Those that may come nearer than they keep on straight ways, or None.

        start, end: of all vertices, those of obstacles last, shape (vertex_count, 3) [m]; margins: how far off its way
        each may be [m], shape (vertex_count,); acting: of the obstacles' vertices, a mask. Pairs are looked for anew
        only where a way leaves the boxes that were searched last: what is found is the same.
        """
        boxes = self._boxes_of(start, end)
        if not self._searched(boxes, margins, acting):
            # Farther and wider, that what goes on as it does need not be searched in every substep.
            ahead, wide = start + _AHEAD * (end - start), 2.0 * margins[:, None]
            boxes = [
                (np.minimum(low, lower) - wide[: len(low)], np.maximum(high, upper) + wide[: len(low)])
                for (low, high), (lower, upper) in zip(boxes, self._boxes_of(start, ahead), strict=True)
            ]
            self._known, self._pairs = (boxes, acting), self._all_pairs(boxes, acting)
        if self._pairs is None:
            return None
        return self._near(np.ascontiguousarray(start.T), np.ascontiguousarray((end - start).T), margins)

    def _boxes_of(self, start, end):
        """Corners of boxes about all ways, and about those of the cloth beside its mean motion [m]."""
        boxes = [(np.minimum(start, end), np.maximum(start, end))]
        if self._between is not None:
            start, end = (of[: self._count] - of[: self._count].mean(axis=0) for of in (start, end))
            boxes.append((np.minimum(start, end), np.maximum(start, end)))
        return boxes

    def _searched(self, boxes, margins, acting):
        """Whether boxes, and margins about them, are within those that were searched last."""
        if self._known is None or not np.array_equal(self._known[1], acting):
            return False
        wide = margins[:, None]
        return all(
            (low - wide[: len(low)] >= known[0]).all() and (high + wide[: len(low)] <= known[1]).all()
            for (low, high), known in zip(boxes, self._known[0], strict=True)
        )

    def _all_pairs(self, boxes, acting):
        """Corners and kinds of what overlaps, or None."""
        count, found = self._count, []
        if acting.any():
            low, high = (of.copy() for of in boxes[0])
            low[count:][~acting], high[count:][~acting] = np.inf, -np.inf
            found += self._with_obstacles(low, high)
        if self._between is not None:
            found += self._within(*boxes[1])
        found = [of for of in found if len(of[0])]
        if not found:
            return None
        kinds = [np.full(len(corners), kind, dtype=np.uint8) for corners, kind in found]
        return Indices(np.concatenate([corners for corners, _ in found]), len(boxes[0][0])), np.concatenate(
            kinds
        )

    def _near(self, start, ways, margins):
        """Of the pairs the Candidates that ways, and margins about them, bring as near as they keep."""
        corners, kinds = self._pairs
        count, approach, least = len(kinds), np.empty(len(kinds)), np.empty(len(kinds))
        most_approach(ways, margins, corners, kinds, approach)
        closest_points(
            start, corners, kinds, np.empty((count, 4)), np.empty((3, count)), least, np.empty(count)
        )
        near = np.flatnonzero((least <= self._reach.max() + approach) & (least > 0.0))
        of_near = self._told(corners.values[near], kinds[near], approach[near])
        found = chosen(of_near, least[near] <= of_near.reach + of_near.approach)
        most_approach(
            ways, np.zeros(len(margins)), Indices(found.corners, len(margins)), found.kinds, found.approach
        )
        return found if len(found.kinds) else None

    def _with_obstacles(self, low, high):
        """Particles with triangles, edges with edges, and points of obstacles with triangles of the cloth."""
        count, faces, edges = self._count, self._triangles, self._edges
        reach = self._reach[: len(self._obstacles.colliders)].max(initial=0.0)
        low[count:] -= reach
        high[count:] += reach
        about = low[count:].min(axis=0), high[count:].max(axis=0)
        particles = np.flatnonzero(_overlap((low[:count], high[:count]), about))
        of_edges, of_faces = (_boxes(low, high, of) for of in (edges, faces))
        edges, of_edges = _kept(edges, of_edges, about)
        if len(particles) + len(edges) == 0:
            return []
        for tree in self._of_obstacles:
            tree.refit(low, high)
        triangles, other_edges = self._of_obstacles
        box, other = triangles.overlaps(low[particles], high[particles])
        found = [_stencils(particles[box, None], self._obstacle_triangles[other], POINT_TRIANGLE)]
        box, other = other_edges.overlaps(*of_edges)
        found.append(_stencils(edges[box], self._obstacle_edges[other], EDGE_EDGE))
        if len(faces):
            points = self._obstacles.points + count
            cloth = of_faces[0].min(axis=0), of_faces[1].max(axis=0)
            points = points[_overlap((low[points], high[points]), cloth)]
            tree = self._of_cloth[0]
            tree.refit(low, high)
            box, other = tree.overlaps(low[points], high[points])
            found.append(_stencils(points[box, None], faces[other], POINT_TRIANGLE))
        return found

    def _within(self, low, high):
        """Pairs of the cloth with itself that share no corner."""
        reach = 0.5 * self._reach[-1][:, None]
        low, high = low - reach, high + reach
        triangles, edges = self._of_cloth
        triangles.refit(low, high)
        edges.refit(low, high)
        box, other = triangles.overlaps(low, high)
        apart = (self._triangles[other] != box[:, None]).all(axis=1)
        found = [self._meeting(_stencils(box[apart, None], self._triangles[other[apart]], POINT_TRIANGLE))]
        own = self._edges
        box, other = edges.overlaps(*_boxes(low, high, own))
        once = box < other
        one, two = own[box[once]], own[other[once]]
        apart = (one[:, :, None] != two[:, None, :]).all(axis=(1, 2))
        found.append(self._meeting(_stencils(one[apart], two[apart], EDGE_EDGE)))
        return found

    def _meeting(self, stencils):
        """Those between bodies that collide, if only some do."""
        bodies, (corners, kind) = self._between.bodies, stencils
        if bodies is None:
            return stencils
        one, other = bodies[corners[:, 0]], bodies[corners[:, 3]]
        meets = one != other
        if self._between.meeting is not None:
            meets &= np.asarray(self._between.meeting)[one, other]
        return corners[meets], kind

    def _told(self, corners, kinds, approach):
        """Candidates with what particles and colliders say of them."""
        own, owner = corners < self._count, self._obstacles.owner
        within, last = np.where(own, corners, 0), corners.max(axis=1) - self._count
        row = np.full(len(corners), len(self._reach) - 1)
        row[last >= 0] = owner[last[last >= 0]]
        share = own / own.sum(axis=1, keepdims=True)

        def mean(of):
            return np.einsum("mk,mk->m", share, of[row[:, None], within])

        return Candidates(corners, kinds, mean(self._reach), approach, mean(self._friction))


def _stencils(first, second, kind):
    return np.concatenate([first, second], axis=1), kind


def _boxes(low, high, primitives):
    """Corners of the boxes about primitives [m]."""
    lower, upper = ([of.take(corner, axis=0) for corner in primitives.T] for of in (low, high))
    return np.minimum.reduce(lower), np.maximum.reduce(upper)


def _overlap(boxes, about):
    return (boxes[0] <= about[1]).all(axis=1) & (boxes[1] >= about[0]).all(axis=1)


def _kept(primitives, boxes, about):
    """Primitives whose boxes overlap the one about all obstacles, and these."""
    met = np.flatnonzero(_overlap(boxes, about))
    return primitives[met], tuple(box[met] for box in boxes)
