# SPDX-License-Identifier: GPL-3.0-or-later
"""Which points and triangles, and which edges, come near each other on their ways."""

from typing import NamedTuple

import numpy as np

from ..kernels import Indices
from ..kernels.overlaps import NOTHING, morton_order
from ..kernels.stencils import EDGE_EDGE, POINT_TRIANGLE
from .broad_phase import ALL, BoundingVolumeHierarchy, MovingPoints

# How far edges may be stretched before what is small beside the distance that it keeps might come through.
_STRETCHED = 1.25


class Pairs(NamedTuple):
    """Stencils of four corners each, see `kernels.stencils`.

    corners: shape (count, 4); kinds: shape (count,); rows: of the CollisionFilter, by which they meet; keys: numbers by
    whose order they are in the same order whenever they were found.
    """

    corners: np.ndarray
    kinds: np.ndarray
    rows: np.ndarray
    keys: np.ndarray

    @classmethod
    def joined(cls, several):
        """All of several."""
        nothing = (
            np.zeros((0, 4), np.int32),
            np.zeros(0, np.uint8),
            np.zeros(0, np.intp),
            np.zeros(0, np.int64),
        )
        return cls(*map(np.concatenate, zip(nothing, *several, strict=True)))

    def chosen(self, which):
        """Those of some rows, indices or a mask."""
        return Pairs(*(of[which] for of in self))


class _Look(NamedTuple):
    """Primitives that are looked for in a tree, of a kind.

    outside: whether one of them is an obstacle's, which has the corner `obstacle`, and particles the others.
    """

    primitives: Indices
    tree: BoundingVolumeHierarchy
    kind: int
    outside: bool
    particles: slice = slice(0, 4)
    obstacle: int = 3


def _wide(points, primitives, kept):
    """Mask of the edges or triangles that may come through where their corners keep such distances [m]."""
    corners = points[primitives]
    sides = corners - np.roll(corners, 1, axis=1)
    squares = np.sort(np.einsum("pcj,pcj->pc", sides, sides), axis=1)
    # No point is farther from the nearest corner: of a triangle whose angles are acute, the middle of its circle.
    off = 0.25 * squares[:, -1]
    if primitives.shape[1] == 3:
        area = 2.0 * (squares[:, 0] + squares[:, 1]) * squares[:, 2] - (squares[:, 1] - squares[:, 0]) ** 2
        area -= squares[:, 2] ** 2
        acute = squares[:, 2] < squares[:, 0] + squares[:, 1]
        off[acute] = squares[acute].prod(axis=1) / area[acute]
    return _STRETCHED * np.sqrt(off) > kept[primitives].min(axis=1, initial=np.inf)


class PairSearch:
    """Finds Pairs between a cloth and obstacles, and within the cloth.

    Of what is small beside the distance that it keeps from obstacles only the particles meet them: where a corner is
    nowhere farther than that, all of it stays off what its corners stay off.

    Particles that nothing is joined to meet each other, and strands, as edges whose ends are the same.

    points [m], triangles, sides, of these and strands, and the strands alone: of the cloth at rest; obstacles:
    Obstacles; collision_filter: CollisionFilter; loose: particles that nothing is joined to, or None where the cloth
    does not meet itself.
    """

    def __init__(self, points, elements, obstacles, collision_filter, loose):
        triangles, sides, strands = elements
        self._count, self._owner, self._filter = len(points), obstacles.owner, collision_filter
        both, shift = np.concatenate([points, obstacles.at(0.0)]), len(points)

        def ordered(primitives):
            return Indices(primitives[morton_order(both[primitives].mean(axis=1))], len(both))

        particles, faces, edges = (
            ordered(of) for of in (np.arange(len(points), dtype=np.intp)[:, None], triangles, sides)
        )
        kept = collision_filter.kept_outside()
        wide_faces, wide_edges = (ordered(of[_wide(points, of, kept)]) for of in (triangles, sides))
        corners, other_faces, other_edges = (
            ordered(of + shift) for of in (obstacles.points[:, None], obstacles.triangles, obstacles.edges)
        )
        self._looks = [
            _Look(particles, BoundingVolumeHierarchy(other_faces), POINT_TRIANGLE, True, slice(0, 1), 1),
            _Look(wide_edges, BoundingVolumeHierarchy(other_edges), EDGE_EDGE, True, slice(0, 2), 2),
            _Look(corners, BoundingVolumeHierarchy(wide_faces), POINT_TRIANGLE, True, slice(1, 4), 0),
        ]
        self._most = max(len(both), *map(len, (triangles, sides, obstacles.triangles, obstacles.edges)))
        # Mean distances are kept between two particles.
        self._within = np.maximum(0.5 * collision_filter.kept_between(), NOTHING)
        self._outside = collision_filter.most_outside()
        if loose is not None:
            alone = ordered(np.column_stack([loose, loose]))
            self._looks += [
                _Look(particles, BoundingVolumeHierarchy(faces), POINT_TRIANGLE, False),
                _Look(edges, BoundingVolumeHierarchy(edges), EDGE_EDGE, False),
                _Look(alone, BoundingVolumeHierarchy(alone), EDGE_EDGE, False),
                # Sides of triangles are seen with these.
                _Look(alone, BoundingVolumeHierarchy(ordered(strands)), EDGE_EDGE, False),
            ]
        self._looks = [of for of in self._looks if of.primitives.shape[0] and of.tree.primitives.shape[0]]

    def pairs(self, start, ways, acting, again=None, outside=None):
        """The Pairs that come as near as they keep on Ways.

        start: where these begin, shape (vertex_count, 3) [m]; acting: of the obstacles' vertices, a mask; again: of all
        vertices, a mask of particles whose pairs are looked for alone, or None; outside: what particles keep from
        obstacles [m], shape (n,), or None for all that they are to keep.
        """
        of_ways = MovingPoints.of(start, ways.ways.T)
        about = {
            True: self._about(ways.margins, self._outside if outside is None else outside),
            False: self._about(ways.margins, self._within),
        }
        boxes = {True: about[True].copy(), False: about[False]}
        boxes[True][self._count :][~acting] = NOTHING
        points = {of: of_ways.around(boxes[of]) for of in about}
        ways = {of: ways._replace(margins=about[of]) for of in about}
        marked = ALL if again is None else again.view(np.uint8)
        found = []
        for number, look in enumerate(self._looks):
            if acting.any() or not look.outside:
                how = look.primitives, points[look.outside], ways[look.outside], 0.0, marked
                found.append(self._meeting(look, number, *look.tree.overlaps(*how)))
        return Pairs.joined(found)

    def _about(self, margins, kept):
        """How far off its way every vertex may be, and what particles keep beside that [m]."""
        about = margins.copy()
        about[: self._count] += np.maximum(kept, 0.0)
        return about

    def _meeting(self, look, number, one, other):
        """Pairs of primitives and what is in the tree, by their numbers, of what meets."""
        corners = np.concatenate([look.primitives.values[one], look.tree.primitives.values[other]], axis=1)
        kinds = np.full(len(corners), look.kind, dtype=np.uint8)
        keys = (number * self._most + one.astype(np.int64)) * self._most + other
        if look.outside:
            rows = self._owner[corners[:, look.obstacle] - self._count]
            if self._filter.all_meet:
                return Pairs(corners, kinds, rows, keys)
            meets = self._filter.meet(rows[:, None], corners[:, look.particles]).all(axis=1)
        else:
            rows = self._filter.between(corners[:, 0], corners[:, 3])
            meets = rows >= 0
        found = Pairs(corners, kinds, rows, keys)
        return found if meets.all() else found.chosen(meets)
