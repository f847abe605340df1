# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles and strands that meet the air, and hand what they feel to their corners."""

from typing import Any, NamedTuple

import numpy as np

from ..incidence import sparse
from ..kernels import Indices
from ..kernels.drag import drag, triangle_motion

_ONE = np.ones(1)


class Law(NamedTuple):
    """Drag along the axis of elements and beside it, over size and squared velocity; see `AirDrag` for the others."""

    along: float
    beside: float
    swing_speed: float
    steady: float
    slowing: float

    def over(self, dt, step):
        """Arguments of `kernels.drag` for a substep of dt [s], or None where swings do not count."""
        always = self.swing_speed if np.isinf(self.steady) else 0.0
        swing = 0.0 if always or step is None else self.swing_speed
        pace = 2.0 * np.pi * step / self.steady if swing else 0.0
        return np.array([self.along, self.beside, always, swing, dt, pace, self.slowing])


class Elements:
    """Triangles or strands of a body, whose corners share what acts on them.

    corners: shape (count, k); mobilities: of every vertex, the inverse of the mass that it gives to one element [1/kg];
    law: Law; lift: along the axis, for velocity beside it, 0 for none; widths: see `AirDrag`, shape (count,).
    own: share of its forces that each element has, shape (count,), None for all.
    """

    def __init__(self, corners, mobilities, law, lift=0.0, widths=_ONE):
        count, size = corners.shape
        self.own: Any = None
        self.law, self.lift = law, np.full(count, lift) if lift else np.zeros(1)
        self._widths, self._size, self._vertex_count = widths, size, len(mobilities)
        self._columns = [np.ascontiguousarray(column) for column in corners.T]
        self._moving = self._of_strands
        if size == 3:
            self._moving = triangle_motion.bound(triangles=Indices(corners, len(mobilities)))
        # An impulse J on the mean moves corners by w J / m, and the mean by the sum of w^2 J / m, w = 1/k.
        self._mobilities = mobilities[corners].mean(axis=1) / size if count else np.zeros(0)
        self._rows = np.empty((3, 3, count))
        self._gains = np.empty(count)
        if sparse is not None:
            starts, weights = np.arange(0, size * count + 1, size), np.full(size * count, 1.0 / size)
            means = sparse.csr_matrix((weights, corners.ravel(), starts), (count, len(mobilities)))
            self._sums = means.T.tocsr()

    def __len__(self):
        return len(self._mobilities)

    def add_forces(self, x, v, gained, dt, step, presence, forces):
        """Add mean forces over dt [s] at the vertices; positions, velocities relative to the air and forces (3, n).

        gained: velocities gained in the substep so far, shape (3, n), of `step` [s], or None where swings do not count.
        presence: share of the air's density at the vertices, shape (n,), None for 1.
        """
        axes, u, found = self._rows
        self._moving(x, v, v if gained is None else gained, axes, u, self._gains)
        share = _ONE if presence is None else self._mean(presence)
        law = self.law.over(dt, None if gained is None else step)
        drag(axes, u, self._gains, self._mobilities, self.lift, self._widths, share, law, found)
        for total, row in zip(forces, found, strict=True):
            total += self._summed(row if self.own is None else self.own * row)

    def _of_strands(self, x, v, gained, axes, u, gains):
        """The same as `triangle_motion`, of strands, along which is their axis."""
        first, last = self._columns
        axes[:] = x.take(last, axis=1) - x.take(first, axis=1)
        u[:] = 0.5 * (v.take(first, axis=1) + v.take(last, axis=1))
        gains[:] = 0.0

    def _mean(self, row):
        return sum(row.take(column) for column in self._columns) / self._size

    def _summed(self, row):
        """A share of a row for each corner, summed per vertex."""
        if sparse is not None:
            return self._sums @ row
        return sum(np.bincount(column, row, self._vertex_count) for column in self._columns) / self._size
