# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs that may touch in one substep, and their contacts at a position."""

from typing import Any

import numpy as np

from ..directions import lengths
from ..kernels import Indices
from ..kernels.springs import point_differences
from ..kernels.stencils import closest_points, time_of_impact
from ..triangle_mesh.triangles import ROUNDING
from .contact_set import STIFF, ContactSet, Rows
from .shared_room import NOBODY, SharedRoom, Sides, sides_of_stencils

# Share of its distance, or of what it keeps where that is less, that a stencil is not to come nearer than on its way.
KEEP = 0.1

# How often what is put out of one shape, and so into another, is put out of that: where two overlap it never ends.
_PUT_OUT = 8

# Share of the distance that is kept from which on what is loose has met: what passes it so near is in its way.
_MEETS = 0.9


class Touching:
    """Stencils that may touch in a substep, with the side of each that it began on.

    candidates: Candidates or None; shapes: ShapeRows; start: positions of particles; before and
    after: of obstacles at both ends of the substep, shape (3, count) [m]; grip, pins: see SharedRoom.
    shapes: ShapeRows; motion: of the obstacles' vertices, shape (3, count) [m]; stiffened: whether anything was; shut:
    see SharedRoom.
    """

    def __init__(self, candidates, shapes, start, before, after, *, grip=np.inf, pins=None):
        self.candidates, self.shapes, self.start = candidates, shapes, start
        self._obstacles, self._count = (before, after), start.shape[1]
        self._pins = pins
        self._known: Any = (None, None)
        self._impacts_at: Any = (None, None)
        self.stiffened = False
        if candidates is not None:
            self._begin(candidates)
        self._room = self._shared_room(grip)
        self.shut = NOBODY if self._room is None else self._room.shut

    def _shared_room(self, grip):
        """The SharedRoom, or None where nothing has two sides."""
        sides = [shape.sides() for shape in self.shapes]
        if self._pins is not None:
            sides += self._pins.sides
        if self.candidates is not None and self._of_obstacles is not None:
            of_stencils = self.candidates, self._vertices, self._own
            of_cloth = np.zeros_like(self.start) if self._pins is None else self._pins.ways
            ways = np.concatenate([of_cloth, self.motion], axis=1)
            sides.append(sides_of_stencils(*of_stencils, self._all_start, ways))
        elif len(sides) < 2:
            # A single shape has one side.
            return None
        return SharedRoom(Sides.joined(sides), self._count, grip, self._pins)

    def _begin(self, candidates):
        before, after = self._obstacles
        self._all_start, self._end = np.concatenate([self.start, before], axis=1), np.ascontiguousarray(after)
        self.motion = after - before
        self._vertices = Indices(candidates.corners, self._all_start.shape[1])
        self._close: Any = None
        self._firmness = np.ones(len(candidates.kinds))
        self._met = np.zeros(len(candidates.kinds), dtype=bool)
        # What does not press yet is in the set within what its way may bring it nearer, and how deep it stiffens from.
        self._bands = candidates.reach + STIFF * candidates.reach + candidates.approach
        self._own = self._vertices.values < self._count
        self._within = Indices(np.where(self._own, self._vertices.values, 0), self._count)
        # A pair that begins far away, and passes beyond its distance, does not touch.
        self._from = np.minimum(candidates.distances, candidates.reach)
        self._begin_loose(candidates)
        of_obstacles = np.where(self._own, 0, self._vertices.values - self._count)
        self._of_obstacles = Indices(of_obstacles, self.motion.shape[1]) if self.motion.shape[1] else None

    def _begin_loose(self, candidates):
        """Sides of stencils without a volume, whose first edge has the same ends: the normals where they begin."""
        self._loose, self._sides = candidates.corners[:, 0] == candidates.corners[:, 1], None
        if self._loose.any():
            which = np.flatnonzero(self._loose)
            self._sides = np.zeros((3, len(self._loose)))
            of_which = self._vertices.chosen(which), candidates.kinds[which]
            self._sides[:, which] = _closest(self._all_start, *of_which)[1]

    def contacts(self, x, before, rows=None):
        """The ContactSet at x, shape (3, n) [m]; None where nothing is near. before: Before; rows: Rows there."""
        rows = rows or self.rows(x)
        return None if rows is None else ContactSet(rows, x, before)

    def rows(self, x):
        """Rows at x, shape (3, n) [m], or None where nothing is near; of the same array as before the same."""
        if self._known[0] is not x:
            rows = [shape.rows(x) for shape in self.shapes]
            if self.candidates is not None:
                rows.append(self._stencil_rows(x))
            rows = _joined(rows) if self._room is None else self._room.of(_joined(rows))
            self._known = x, rows if len(rows.offsets) else None
        return self._known[1]

    def _stencil_rows(self, x):
        candidates, everything, close = self.candidates, self._all(x), self._close
        corners, kinds = self._vertices, candidates.kinds
        if close is None:
            close = np.arange(len(kinds))
        else:
            corners, kinds = corners.chosen(close), kinds[close]
        weights, normals, apart, volumes = _closest(everything, corners, kinds)
        # A point at the surface but for rounding has no side.
        turned = (volumes * candidates.volumes[close] < 0.0) | self._met[close]
        turned |= apart < ROUNDING * self._from[close]
        if self._sides is not None:
            turned |= np.einsum("am,am->m", normals, self._sides[:, close]) < 0.0
        turned = np.flatnonzero(turned)
        if len(turned):
            met, at_hit, of_hit = self._hits(close[turned], everything - self._all_start)
            hit = turned[met]
            weights[hit], normals[:, hit] = of_hit, at_hit
            between = np.einsum("mk,amk->am", of_hit, everything[:, candidates.corners[close[hit]]])
            apart[hit] = np.einsum("am,am->m", at_hit, between)
        which = np.flatnonzero(apart < self._bands[close])
        if self._close is None:
            # What inertia does not bring near the iterations hardly do: if they do, it is seen where it meets.
            self._close = np.flatnonzero(apart < self._bands + candidates.reach)
        return self._rows(close[which], weights.take(which, axis=0), normals.take(which, axis=1))

    def _rows(self, which, weights, normals):
        candidates, corners = self.candidates, self._within.chosen(which)
        reach, carried = candidates.reach[which], np.zeros((3, len(which)))
        offsets = -reach
        if self._of_obstacles is not None:
            of_cloth, others = weights * self._own.take(which, axis=0), self._of_obstacles.chosen(which)
            weights, of_obstacle, there = of_cloth, weights - of_cloth, np.empty((3, len(which)))
            point_differences(self._end, others, of_obstacle, there)
            offsets += np.einsum("am,am->m", normals, there)
            point_differences(self.motion, others, of_obstacle, carried)
        laws = candidates.friction[which], STIFF * reach, self._firmness[which], candidates.owners[which]
        return Rows(corners, weights, normals, offsets, carried, *laws)

    def _hits(self, which, ways):
        """Which of some candidates meet on their ways, and the normals and weights where they do."""
        candidates = self.candidates
        corners, kinds = candidates.corners[which], candidates.kinds[which]
        keep = np.where(self._loose[which], _MEETS, KEEP)
        shares = _impacts(self._all_start, ways, self._vertices.chosen(which), kinds, self._from[which], keep)
        met = np.flatnonzero(shares < 1.0)
        shares, corners, kinds = shares[met], corners[met], kinds[met]
        # Positions where they meet, of each stencil its own.
        there = self._all_start[:, corners] + shares[:, None] * ways[:, corners]
        flat = np.ascontiguousarray(there.reshape(3, -1))
        weights, normals, _, _ = _closest(
            flat, Indices(np.arange(flat.shape[1]).reshape(-1, 4), flat.shape[1]), kinds
        )
        return met, normals, weights

    def distances(self, which, x):
        """Distances of some candidates, indices, at x, shape (3, n) [m]."""
        return _closest(self._all(x), self._vertices.chosen(which), self.candidates.kinds[which])[2]

    def put_out(self, x, free):
        """Positions [m] where nothing that is free, a mask, is in a shape that meets single particles."""
        for _ in range(_PUT_OUT):
            before = x
            for shape in self.shapes:
                x = shape.put_out(x, free)
            if x is before or len(self.shapes) == 1:
                break
        return x

    def impacts(self, x):
        """Shares of their ways to x that candidates may go before they meet, shape (candidate_count,)."""
        if self._impacts_at[0] is not x:
            self._impacts_at = x, self._shares(self._all(x) - self._all_start)
        return self._impacts_at[1]

    def meets(self, x):
        """Whether anything meets on its way to x, shape (3, n) [m]."""
        return self.candidates is not None and bool((self.impacts(x) < 1.0).any())

    def _shares(self, ways):
        """Shares of their ways that candidates may go before they meet, 1 of those that move too little for it."""
        candidates, shares = self.candidates, np.ones(len(self.candidates.kinds))
        far, (first, *others) = lengths(ways.T), candidates.corners.T
        most = far.take(first)
        for corner in others:
            np.maximum(most, far.take(corner), out=most)
        which = np.flatnonzero(2.0 * most >= (1.0 - KEEP) * self._from)
        if len(which):
            of_which = self._vertices.chosen(which), candidates.kinds[which], self._from[which]
            shares[which] = _impacts(self._all_start, ways, *of_which, KEEP)
            if self._pins is not None:
                self._leave_to_pins(shares, ways)
        return shares

    def _leave_to_pins(self, shares, ways):
        """Let through what meets nearer to what pins hold than to what is free, which may go nowhere else."""
        held = np.append(self._pins.held, False)[np.minimum(self._vertices.values, self._count)]
        met = np.flatnonzero((shares < 1.0) & held.any(axis=1))
        if len(met):
            weights = _closest(
                self._all_start + ways, self._vertices.chosen(met), self.candidates.kinds[met]
            )[0]
            of_cloth = self._within.values.take(met, axis=0), weights * self._own.take(met, axis=0)
            shares[met[self._pins.win(*of_cloth)]] = 1.0

    def stiffen(self, x, factor):
        """Make firmer what meets on its way to x, and keep it to the side that it came from; whether there is any."""
        if self.candidates is None:
            return False
        met = self.impacts(x) < 1.0
        self._firmness[met] *= factor
        self._met |= met
        if not met.any():
            return False
        self.stiffened, self._known = True, (None, None)
        if self._close is not None:
            self._close = np.union1d(self._close, np.flatnonzero(met))
        return True

    def _all(self, x):
        return np.concatenate([x, self._obstacles[1]], axis=1)


def _joined(rows):
    """Several Rows as one, in their order."""
    if len(rows) == 1:
        return rows[0]
    last = {"normals": -1, "carried": -1}
    fields = {
        name: np.concatenate([getattr(of, name) for of in rows], axis=last.get(name, 0))
        for name in Rows._fields
        if name != "corners"
    }
    return Rows(corners=Indices.joined([of.corners for of in rows]), **fields)


def _closest(x, corners, kinds):
    """Weights, normals, distances [m] and volumes, see `closest_points`."""
    count = len(kinds)
    found = np.empty((count, 4)), np.empty((3, count)), np.empty(count), np.empty(count)
    closest_points(x, corners, kinds, *found)
    return found


def _impacts(x, ways, corners, kinds, distances, keep):
    shares, least = np.empty(len(kinds)), keep * distances
    time_of_impact(x, np.ascontiguousarray(ways), corners, kinds, distances, least, least, shares)
    return shares
