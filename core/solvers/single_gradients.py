# SPDX-License-Identifier: GPL-3.0-or-later
"""A few conjugate gradients in single precision, by compiled kernels."""

import numpy as np

from ..kernels.lanes import advance_lanes, dot_lanes, follow_lanes, from_lanes, slice_count, to_lanes
from .drift import Drift
from .single_air import SingleAir
from .supernodal import single_factor

# Iterations up to which what they leave is far more than what single precision does.
FEW = 8


class SingleGradients:
    """A few of `ConjugateGradients` where nothing but springs, pins and air acts, in `kernels.lanes`: half the memory.

    Of what neither pins nor air hold the step keeps the momentum to double precision: its mean is the one the gradient
    asks for, which H answers by the masses alone. With air, whose mass the kept matrix does not bound, all of the
    iterations go to the least along their direction.

    problem: ImplicitStep whose gradient was asked for in single precision; factor: SupernodalFactor;
    airs: ReactiveAirs.
    """

    def __init__(self, problem, factor, airs=()):
        self._problem, network = problem, problem.network
        self._drift = Drift.of_parts(network, [air.place for air in airs])
        count = network.vertex_count
        self._fields = r, z, p, hp, step = [np.zeros((count, 4), np.float32) for _ in range(5)]
        self._sums, self._step = np.empty(slice_count(count)), np.empty((3, count))
        free = np.ones(count, np.float32)
        free[network.hard_pins] = 0.0
        solve = factor.by_lanes()
        self._solve = lambda: solve(r, z)
        fields = {"p": p, "r": r, "z": z, "out": hp}
        self._airs = [SingleAir(air, problem.dt, self._solved, **fields) for air in airs]
        self._product = problem.single_product(p, r, free, hp)
        self._dot = dot_lanes.bound(a=z, b=hp, sums=self._sums)
        self._follow = follow_lanes.bound(z=z, p=p)
        self._advance = advance_lanes.bound(p=p, change=hp, free=free, step=step, r=r)

    def direction(self, gradient, iterations):
        """An approximation of -H^-1 g after so many iterations, in a buffer; see `ConjugateGradients`."""
        r, z, p, _, step = self._fields
        factor = single_factor(gradient)
        to_lanes(gradient, -factor, r)
        step[:] = 0.0
        curvature = 0.0
        for air in self._airs:
            air.begin()
        for number in range(iterations):
            self._solve()
            for air in self._airs:
                air.correct()
            if number:
                self._dot()
                self._follow(-float(self._sums.sum()) / curvature)
            else:
                p[:] = z
            if number == iterations - 1 and iterations > 2 and not self._airs:
                step += p
                break
            curvature, slope = self._product()
            curvature += sum(air.add_product() for air in self._airs)
            # Nothing is left to gain, or positions are no longer finite, of which the simulation is told.
            if not (curvature > 0.0 and slope > 0.0):
                break
            self._advance(slope / curvature)
        from_lanes(step, 1.0 / factor, self._step)
        return self._drift.remove(self._step, self._step + gradient / self._problem.inertia)

    def _solved(self, g):
        """S^-1 g of one row an axis, without air."""
        r, z, *_ = self._fields
        factor = single_factor(g)
        to_lanes(np.ascontiguousarray(g), factor, r)
        self._solve()
        from_lanes(z, 1.0 / factor, self._step)
        return self._step
