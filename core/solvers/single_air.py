# SPDX-License-Identifier: GPL-3.0-or-later
"""The mass of the air in conjugate gradients in single precision."""

import numpy as np

from ..kernels.air import (
    WAVES,
    spread_columns,
    spread_waves_lanes,
    sum_columns,
    sum_waves_lanes,
)
from ..kernels.lanes import slice_count, to_lanes
from .kept_solve import heavier_columns


class SingleAir:
    """Additions of a ReactiveAir to a matrix and to its preconditioner, of fields in `kernels.lanes`.

    air: ReactiveAir; dt: of the formula [s]; solve: solves for fields, of one row an axis, shape (3, n).
    p, r, z, out: fields that stay the same arrays: of a direction, what is to be solved, what the preconditioner
    answers, and what H makes of p.
    """

    def __init__(self, air, dt, solve, *, p, r, z, out):
        self._air, place = air, air.place
        waves = (air.columns / dt).astype(np.float32)
        taken = heavier_columns(air, dt, solve).astype(np.float32)
        count = len(waves)
        self._directions = np.empty((count, 4), np.float32)
        self._sums = np.empty((slice_count(count), WAVES))
        self._of_axes = np.empty((slice_count(count), WAVES, 4))
        of_waves = {"directions": self._directions, "waves": waves}
        self._sum = sum_waves_lanes.bound(**of_waves, p=p[place], sums=self._sums)
        self._spread = spread_waves_lanes.bound(**of_waves, out=out[place])
        self._weigh = sum_columns.bound(columns=taken, field=r[place], sums=self._of_axes)
        self._take = spread_columns.bound(columns=taken, out=z[place])

    def begin(self):
        """Take up the air's normals."""
        to_lanes(self._air.normals, 1.0, self._directions)

    def add_product(self):
        """Add B B^T p/dt^2 to `out`, and return its product with p."""
        self._sum()
        sums = self._sums.sum(axis=0)
        self._spread(sums.astype(np.float32))
        return float(np.einsum("i,i->", sums, sums))

    def correct(self):
        """Take from z what the mass resists, see HeavierFactor."""
        self._weigh()
        self._take(-self._of_axes.sum(axis=0).astype(np.float32))
