# SPDX-License-Identifier: GPL-3.0-or-later
"""Stencils that may touch in a substep: points and triangles, edges and edges, particles and shapes."""

from typing import NamedTuple

import numpy as np

from ..kernels import Indices
from ..kernels.stencils import EDGE_EDGE, POINT_TRIANGLE, closest_points, most_approach
from ..listed import chosen
from .broad_phase import BoundingVolumeHierarchy
from .obstacles import sides_of


class Candidates(NamedTuple):
    """Stencils of four corners each, those of obstacles numbered after the particles.

    corners: shape (count, 4); kinds: see `kernels.stencils`; reach: the distance that is kept [m]; approach: the most
    that its ways bring a stencil nearer [m]; friction: coefficients; restitution: shares of the speed of approach.
    """

    corners: np.ndarray
    kinds: np.ndarray
    reach: np.ndarray
    approach: np.ndarray
    friction: np.ndarray
    restitution: np.ndarray


class Search:
    """Finds Candidates between a cloth and obstacles, and within the cloth.

    points [m], triangles and strands: of the cloth at rest; obstacles: Obstacles; between: SelfCollision, or None.
    """

    def __init__(self, points, triangles, strands, obstacles, between):
        self._count, self._obstacles, self._between = len(points), obstacles, between
        self._triangles = np.asarray(triangles, dtype=np.intp)
        self._edges = np.concatenate([sides_of(self._triangles), strands]).astype(np.intp)
        self._longest = float(_lengths(points[self._edges[:, 0]] - points[self._edges[:, 1]]).max(initial=0.0))
        both = np.concatenate([points, obstacles.at(0.0)])
        shift = self._count
        self._of_cloth = tuple(BoundingVolumeHierarchy(of, points) for of in (self._triangles, self._edges))
        self._of_obstacles = tuple(
            BoundingVolumeHierarchy(of + shift, both) for of in (obstacles.triangles, obstacles.edges)
        )
        self._obstacle_edges, self._obstacle_triangles = obstacles.edges + shift, obstacles.triangles + shift
        self._per_particle(between)

    def _per_particle(self, between):
        """Distances kept and coefficients of friction, of every collider a row, and of the cloth itself."""
        rows = [*self._obstacles.colliders, *([between] if between else [])]
        count = self._count
        self._reach = np.array([np.broadcast_to(of.thickness, count) for of in rows]).reshape(-1, count)
        self._friction = np.array([np.broadcast_to(of.friction, count) for of in rows]).reshape(-1, count)
        self._restitution = np.array([getattr(of, "restitution", 0.0) for of in rows])

    def candidates(self, start, end, margins, acting):
        """Those that may come nearer than they keep on straight ways.

        start, end: of all vertices, those of obstacles last, shape (vertex_count, 3) [m]; margins: how far off its way
        each may be [m], shape (vertex_count,); acting: of the obstacles' vertices, a mask.
        """
        low, high = np.minimum(start, end) - margins[:, None], np.maximum(start, end) + margins[:, None]
        count, found = self._count, []
        if len(acting) and acting.any():
            low[count:][~acting], high[count:][~acting] = np.inf, -np.inf
            found += self._with_obstacles(low, high)
        if self._between is not None:
            found += self._within(low, high)
        return self._near(np.ascontiguousarray(start.T), np.ascontiguousarray((end - start).T), margins, found)

    def _near(self, start, ways, margins, found):
        """Of (corners, kind) the Candidates that ways, and margins about them, bring as near as they keep, or None."""
        kinds = np.repeat(
            np.array([kind for _, kind in found], dtype=np.uint8), [len(corners) for corners, _ in found]
        )
        if len(kinds) == 0:
            return None
        corners = Indices(np.concatenate([corners for corners, _ in found]), start.shape[1])
        count, approach, least = len(kinds), np.empty(len(kinds)), np.empty(len(kinds))
        most_approach(ways, margins, corners, kinds, approach)
        closest_points(
            start, corners, kinds, np.empty((count, 4)), np.empty((3, count)), least, np.empty(count)
        )
        near = np.flatnonzero((least <= self._reach.max() + approach) & (least > 0.0))
        of_near = self._told(corners.values[near], kinds[near], approach[near])
        return chosen(of_near, least[near] <= of_near.reach + of_near.approach)

    def _with_obstacles(self, low, high):
        count = self._count
        reach = self._reach[: len(self._obstacles.colliders)].max(initial=0.0)
        bottom, top = low[count:].min(axis=0) - reach, high[count:].max(axis=0) + reach
        wide = self._longest
        near = ((low[:count] <= top + wide) & (high[:count] >= bottom - wide)).all(axis=1)
        if not near.any():
            return []
        low[count:] -= reach
        high[count:] += reach
        triangles, edges = self._of_obstacles
        triangles.refit(low, high)
        edges.refit(low, high)
        # Particles and triangles, edges and edges, and points of obstacles with triangles of the cloth.
        particles = np.flatnonzero(near)
        box, other = triangles.overlaps(low[particles], high[particles])
        found = [_stencils(particles[box, None], self._obstacle_triangles[other], POINT_TRIANGLE)]
        own = self._edges[near[self._edges].all(axis=1)]
        box, other = edges.overlaps(low[own].min(axis=1), high[own].max(axis=1))
        found.append(_stencils(own[box], self._obstacle_edges[other], EDGE_EDGE))
        own = self._triangles[near[self._triangles].all(axis=1)]
        if len(own):
            points = self._obstacles.points + count
            meant = (low[points] <= high[own].max(axis=(0, 1))) & (high[points] >= low[own].min(axis=(0, 1)))
            points = points[meant.all(axis=1)]
            tree = self._of_cloth[0]
            tree.refit(low, high)
            box, other = tree.overlaps(low[points], high[points])
            found.append(_stencils(points[box, None], self._triangles[other], POINT_TRIANGLE))
        return found

    def _within(self, low, high):
        """Pairs of the cloth with itself that share no corner."""
        count = self._count
        reach = 0.5 * self._reach[-1][:, None]
        low, high = low[:count] - reach, high[:count] + reach
        triangles, edges = self._of_cloth
        triangles.refit(low, high)
        edges.refit(low, high)
        box, other = triangles.overlaps(low, high)
        apart = (self._triangles[other] != box[:, None]).all(axis=1)
        found = [self._meeting(_stencils(box[apart, None], self._triangles[other[apart]], POINT_TRIANGLE))]
        own = self._edges
        box, other = edges.overlaps(low[own].min(axis=1), high[own].max(axis=1))
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

        laws = mean(self._friction), self._restitution[row]
        return Candidates(corners, kinds, mean(self._reach), approach, *laws)


def _stencils(first, second, kind):
    return np.concatenate([first, second], axis=1), kind


def _lengths(rows):
    return np.sqrt(np.einsum("ij,ij->i", rows, rows))
