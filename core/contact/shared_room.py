# SPDX-License-Identifier: GPL-3.0-or-later
"""Room between obstacles that keep more than there is: each keeps as much less."""

from typing import Any, NamedTuple

import numpy as np

from ..directions import lengths
from ..kernels.springs import point_differences
from ..kernels.stencils import closest_points
from .carrying import HALFWAY
from .contact_set import STIFF

# Share of their distance that those beside pins keep at least, twice that at which a stencil has met.
_LEAST = 0.2

# Cosine of the angle between two pushes below which they leave no way out: from 0 to -0.5 what is pinched comes out
# alike, but with 0 the sides of any groove below a right angle would be two.
_AGAINST = -0.5


class Sides(NamedTuple):
    """Where obstacles push particles to in a substep: normals, shape (3, count), gaps at its end if particles stay [m].

    depths: from which on they stiffen [m]; owners: numbers of the obstacles.
    """

    particles: np.ndarray
    normals: np.ndarray
    gaps: np.ndarray
    depths: np.ndarray
    owners: np.ndarray

    @classmethod
    def joined(cls, sides):
        """Several as one, in their order."""
        return cls(*(np.concatenate(of, axis=-1) for of in zip(*sides, strict=True)))

    def nearest(self, which, count):
        """Of some, indices, the one of the least gap at each of so many particles, -1 of none."""
        order: Any = which[np.argsort(self.gaps[which], kind="stable")[::-1]]
        found = np.full(count, -1)
        found[self.particles[order]] = order
        return found


def sides_of_stencils(candidates, vertices, own, start, ways):
    """The Sides of obstacles that are met by stencils: where they meet particles.

    Edges that leave a particle to two sides may well be pushed to both. candidates: Candidates; vertices: Indices of
    their corners in `start`, positions of everybody, shape (3, count) [m], of which those are `own` that are particles;
    ways: of what is held and of obstacles, shape (3, count) [m].
    """
    # A particle farther than both distances, and no nearer later, is on no side.
    near = candidates.distances < 2.0 * candidates.reach + lengths(ways.T).max(initial=0.0)
    which = np.flatnonzero(near & (own.sum(axis=1) == 1))
    corners, own, count = vertices.chosen(which), own.take(which, axis=0), len(which)
    weights, normals, apart = np.empty((count, 4)), np.empty((3, count)), np.empty(count)
    closest_points(start, corners, candidates.kinds[which], weights, normals, apart, np.empty(count))
    carried, reach = np.empty((3, count)), candidates.reach[which]
    point_differences(ways, corners, weights, carried)
    gaps = apart - reach + np.einsum("am,am->m", normals, carried)
    return Sides(corners.values[own], normals, gaps, STIFF * reach, candidates.owners[which])


# Particles, and numbers of what shuts them in.
NOBODY = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)


class _Lacking(NamedTuple):
    """Particles without room, the number of a side of each, the reduction of distances [m], and a mask: shut in.

    shut: indices of particles, and numbers of what shuts them in.
    """

    particles: np.ndarray
    sides: np.ndarray
    more: np.ndarray
    shut: tuple[np.ndarray, np.ndarray] = NOBODY


class SharedRoom:
    """Missing room between obstacles on two sides of a particle in a substep, and of single ones beside pins.

    Where they want more than there is no place is right, and what they press with has no bound: each keeps as much less
    as lets it press as deep as contacts stiffen from, or what lies under folds does. It is told by where the substep
    begins, where everybody is on his side of everything.

    sides: Sides, of particles of so many; grip: how deep they are pressed at most [m]; pins: Pins, or None; shut:
    particles to which less than half is left, and numbers of what shuts them in, shape (count,) both.
    """

    shut: Any

    def __init__(self, sides, count, grip, pins=None):
        self._number, self.shut = None, NOBODY
        # Two lack the sum of their distances: one that wants less than the other leaves is not concerned.
        some = np.flatnonzero(sides.gaps < -sides.gaps.min(initial=0.0))
        nearest = sides.nearest(some, count)
        lacking = [_between_two(sides, some, nearest, count, grip)]
        if pins is not None:
            lacking += _at_pins(sides, nearest, pins)
        # Of pins and who is beside them last, since that goes before.
        particles, of_sides, self._more = (
            np.concatenate(of) for of in zip(*(of[:3] for of in lacking), strict=True)
        )
        if len(particles) == 0:
            return
        self._number, self._normals = np.full(count, -1), sides.normals[:, of_sides]
        self._number[particles] = np.arange(len(particles))
        self.shut = tuple(np.concatenate(of) for of in zip(*(of.shut for of in lacking), strict=True))

    def of(self, rows):
        """Rows that share it."""
        if self._number is None:
            return rows
        outside = rows.with_obstacles()
        row, corner = np.nonzero(outside[:, None] & (rows.weights != 0.0))
        number = self._number[rows.corners.values[row, corner]]
        row, number = row[number >= 0], number[number >= 0]
        along = np.abs(np.einsum("am,am->m", rows.normals[:, row], self._normals[:, number]))
        more = np.zeros(len(rows.offsets))
        np.maximum.at(more, row, np.where(along > -_AGAINST, self._more[number], 0.0))
        return rows._replace(offsets=rows.offsets + more)


def _between_two(sides, some, nearest, count, grip):
    """Particles without room between the nearest of some Sides and another that pushes the other way."""
    one = nearest[sides.particles[some]]
    cosines = np.einsum("am,am->m", sides.normals[:, some], sides.normals[:, one])
    other = sides.nearest(some[cosines < _AGAINST], count)
    particles = np.flatnonzero(other >= 0)
    one, other = nearest[particles], other[particles]
    lacks = -(sides.gaps[one] + sides.gaps[other])
    more = 0.5 * lacks - np.minimum(np.minimum(sides.depths[one], sides.depths[other]), grip)
    which = np.flatnonzero(more > 0.0)
    particles, one, other, lacks, more = (of[which] for of in (particles, one, other, lacks, more))
    shut = lacks > HALFWAY / STIFF * (sides.depths[one] + sides.depths[other])
    owners = np.concatenate([sides.owners[of[shut]] for of in (one, other)])
    return _Lacking(particles, one, more, (np.tile(particles[shut], 2), owners))


def _at_pins(sides, nearest, pins):
    """Pins without room to the nearest of the Sides, all of it, and their neighbours, which reach farther."""
    held = np.flatnonzero(pins.held & (nearest >= 0))
    held = held[sides.gaps[nearest[held]] < 0.0]
    side, lacks = nearest[held], -sides.gaps[nearest[held]]
    shut = lacks > HALFWAY / STIFF * sides.depths[side]
    of_pins = _Lacking(held, side, lacks, (held[shut], sides.owners[side[shut]]))
    if len(held) == 0:
        return [of_pins]
    which, left = pins.near.lacks(held, lacks)
    side = nearest[pins.near.pins[which]]
    more = np.minimum(left, (1.0 - _LEAST) / STIFF * sides.depths[side])
    return [of_pins, _Lacking(pins.near.particles[which], side, more)]
