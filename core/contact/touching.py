# SPDX-License-Identifier: GPL-3.0-or-later
"""What may touch in one substep, and the contacts that it has at a position."""

import numpy as np

from ..kernels import Indices
from ..kernels.stencils import closest_points, time_of_impact
from .contact_set import ContactSet, Rows, remembered
from .normal_potential import STIFF, contact_stiffness

# Contacts that do not press yet are in the set within what their ways may bring them nearer, and so much of what they
# keep.
BAND = 0.1

# Share of its distance that a stencil is not to come nearer than on its way.
KEEP = 0.1


class Touching:
    """Stencils that may touch in a substep, with the side of each that it began on.

    candidates: Candidates or None; shapes: ShapeRows; start, obstacles: positions of particles, and of obstacles at
    both ends of the substep, shape (3, count) [m]; inverse_masses, springs: see `contact_stiffness`; fields: forces of
    the substep before, see `remembered`.
    motion: of the obstacles' vertices, shape (3, count) [m].
    """

    def __init__(self, candidates, shapes, start, obstacles, inverse_masses, springs, fields):
        self._candidates, self._shapes, self.start = candidates, shapes, start
        self._obstacles, self._inverse_masses, self._springs = obstacles, inverse_masses, springs
        self._fields, self._count = fields, start.shape[1]
        if candidates is not None:
            self._begin(candidates)

    def _begin(self, candidates):
        before, after = self._obstacles
        self._all_start = np.concatenate([self.start, before], axis=1)
        self.motion = after - before
        self._vertices = Indices(candidates.corners, self._all_start.shape[1])
        self._sides = _closest(self._all_start, self._vertices, candidates.kinds)[3]
        self._firmness = np.ones(len(candidates.kinds))
        self._met = np.zeros(len(candidates.kinds), dtype=bool)
        self._bands = BAND * candidates.reach + candidates.approach

    def contacts(self, x, start, a, share):
        """The ContactSet at x, shape (3, n) [m]; None where nothing is near.

        start: what the step's formula counts velocities from, shape (3, n) [m]; a: what contacts are stiff by, see
        `contact_stiffness` [s]; share: of the substep that the formula's time is.
        """
        rows = [shape.rows(x) for shape in self._shapes]
        if self._candidates is not None:
            rows.append(self._stencil_rows(x))
        rows = _joined(rows)
        if len(rows.offsets) == 0:
            return None
        stiffness = contact_stiffness(rows, a, self._inverse_masses, self._springs)
        gaps = np.einsum("am,ma->m", rows.normals, np.einsum("mk,amk->ma", rows.weights, x[:, rows.corners]))
        loads, sticking = remembered(rows, stiffness, gaps + rows.offsets, self._fields)
        return ContactSet(rows, stiffness, start, loads, sticking, share)

    def _stencil_rows(self, x):
        candidates, everything = self._candidates, self._all(x)
        weights, normals, apart, volumes = _closest(everything, self._vertices, candidates.kinds)
        turned = np.flatnonzero((volumes * self._sides < 0.0) | self._met)
        if len(turned):
            hit, at_hit, of_hit = self._hits(turned, everything - self._all_start)
            weights[hit], normals[:, hit] = of_hit, at_hit
            between = np.einsum("mk,amk->am", of_hit, everything[:, candidates.corners[hit]])
            apart[hit] = np.einsum("am,am->m", at_hit, between)
        gaps = apart - candidates.reach
        which = np.flatnonzero(gaps < self._bands)
        return self._rows(which, weights[which], normals[:, which], gaps[which], x)

    def _rows(self, which, weights, normals, gaps, x):
        candidates, count = self._candidates, self._count
        corners = candidates.corners[which]
        own = corners < count
        within, of_cloth = np.where(own, corners, 0), np.where(own, weights, 0.0)
        offsets = gaps - np.einsum("am,ma->m", normals, np.einsum("mk,amk->ma", of_cloth, x[:, within]))
        carried = np.zeros((3, len(which)))
        if self.motion.shape[1]:
            of_obstacle = np.where(own, 0.0, weights)
            carried = np.einsum("mk,amk->am", of_obstacle, self.motion[:, np.where(own, 0, corners - count)])
        firm = STIFF * candidates.reach[which], self._firmness[which]
        return Rows(within, of_cloth, normals, offsets, carried, candidates.friction[which], *firm)

    def _hits(self, which, ways):
        """Of some candidates those that meet on their ways, and the normals and weights where they do."""
        candidates = self._candidates
        corners, kinds = candidates.corners[which], candidates.kinds[which]
        shares = _impacts(self._all_start, ways, corners, kinds)
        met = shares < 1.0
        which, shares, corners, kinds = which[met], shares[met], corners[met], kinds[met]
        # Positions where they meet, of each stencil its own.
        there = self._all_start[:, corners] + shares[:, None] * ways[:, corners]
        flat = np.ascontiguousarray(there.reshape(3, -1))
        weights, normals, _, _ = _closest(
            flat, Indices(np.arange(flat.shape[1]).reshape(-1, 4), flat.shape[1]), kinds
        )
        return which, normals, weights

    def impacts(self, x):
        """Shares of their ways to x that candidates may go before they meet, shape (candidate_count,)."""
        candidates = self._candidates
        return _impacts(self._all_start, self._all(x) - self._all_start, self._vertices, candidates.kinds)

    def stiffen(self, x, factor):
        """Make firmer what meets on its way to x, and keep it to the side that it came from; whether there is any."""
        if self._candidates is None:
            return False
        met = self.impacts(x) < 1.0
        self._firmness[met] *= factor
        self._met |= met
        return bool(met.any())

    @property
    def candidates(self):
        """The Candidates, or None."""
        return self._candidates

    def _all(self, x):
        return np.concatenate([x, self._obstacles[1]], axis=1)


def _joined(rows):
    last = {"normals": -1, "carried": -1}
    return Rows(
        *(np.concatenate([getattr(of, name) for of in rows], axis=last.get(name, 0)) for name in Rows._fields)
    )


def _closest(x, corners, kinds):
    """Weights, normals, distances [m] and volumes, see `closest_points`."""
    count = len(kinds)
    found = np.empty((count, 4)), np.empty((3, count)), np.empty(count), np.empty(count)
    closest_points(x, corners, kinds, *found)
    return found


def _impacts(x, ways, corners, kinds):
    shares = np.empty(len(kinds))
    if not isinstance(corners, Indices):
        corners = Indices(corners, x.shape[1])
    time_of_impact(x, np.ascontiguousarray(ways), corners, kinds, KEEP, shares)
    return shares
