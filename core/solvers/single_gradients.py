# SPDX-License-Identifier: GPL-3.0-or-later
"""A few conjugate gradients in single precision, by compiled kernels."""

import numpy as np

from ..kernels.blocks import add_block_solve, factor_blocks
from ..kernels.lanes import (
    advance_lanes,
    dot_lanes,
    follow_lanes,
    from_lanes,
    slice_count,
    to_lanes,
)
from .drift import Drift
from .single_air import SingleAir
from .supernodal import single_factor

# Iterations up to which what they leave is far more than what single precision does.
FEW = 8


class SingleGradients:
    """A few of `ConjugateGradients` where springs, pins, air and contacts act, in `kernels.lanes`: half the memory.

    Of what neither pins nor air hold the step keeps the momentum to double precision: its mean is the one the gradient
    asks for, which H answers by the masses alone. With air, whose mass the kept matrix does not bound, all of the
    iterations go to the least along their direction. Of parts that touch nothing each goes as far as is its own least.

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
        self._held = np.zeros((2, count, 4), np.float32)
        self._solve, self._solve_held = factor.by_lanes(r, z), factor.by_lanes(*self._held)
        fields = {"p": p, "r": r, "z": z, "out": hp}
        self._airs = [SingleAir(air, problem.dt, self._solved, **fields) for air in airs]
        self._product = problem.single_product(p, r, free, hp)
        self._free = free
        self._dot = dot_lanes.bound(a=z, b=hp, sums=self._sums)
        self._follow = follow_lanes.bound(z=z, p=p)
        self._advance = advance_lanes.bound(p=p, change=hp, free=free, step=step, r=r)

    def direction(self, gradient, iterations, touching=None):
        """An approximation of -H^-1 g after so many iterations, in a buffer; see `ConjugateGradients`.

        touching: a Touched, or None. With it no iteration goes along its direction as it is: what presses is in no
        part of the kept matrix.
        """
        r, z, p, hp, step = self._fields
        factor = single_factor(gradient)
        to_lanes(gradient, -factor, r)
        step[:] = 0.0
        if touching is None and self._problem.parts.several:
            self._by_parts(iterations)
            return self._stepped(factor, gradient, self._drift)
        add, drift, curvature = None, self._drift, 0.0
        if touching is not None:
            add, drift = touching.product(p, hp), touching.drift
        for air in self._airs:
            air.begin()
        for number in range(iterations):
            if touching is None or touching.borne is None:
                self._solve()
            else:
                self._solve_bearing(touching.borne)
            for air in self._airs:
                air.correct()
            if touching is not None:
                touching.answer(r, z)
            if number:
                self._dot()
                self._follow(np.full(1, -float(self._sums.sum()) / curvature, np.float32))
            else:
                p[:] = z
            if number == iterations - 1 and iterations > 2 and touching is None and not self._airs:
                step += p
                break
            curvature, slope = self._product(add)
            curvature += sum(air.add_product() for air in self._airs)
            # Nothing is left to gain, or positions are no longer finite, of which the simulation is told.
            if not (curvature > 0.0 and slope > 0.0):
                break
            self._advance(np.full(1, slope / curvature, np.float32))
        return self._stepped(factor, gradient, drift)

    def _by_parts(self, iterations):
        """The same where parts know nothing of each other: each has factors and lengths of its own."""
        parts, airs = self._problem.parts, self._airs
        r, z, p, hp, step = self._fields
        goes, bounded, curvature = (
            np.ones(parts.count, dtype=bool),
            parts.of_springs_alone,
            np.ones(parts.count),
        )
        for air in airs:
            air.begin()
        for number in range(iterations):
            self._solve()
            for air in airs:
                air.correct()
            if number:
                self._follow(self._each(np.where(goes, -self._products(z, hp) / curvature, 0.0)))
            else:
                p[:] = z
            if number == iterations - 1 and iterations > 2:
                step += self._each(goes & bounded)[:, None] * p
                goes &= ~bounded
            if not goes.any():
                break
            self._product(None)
            slope, bent = self._products(p, r), self._products(p, hp, self._free)
            for air, part in zip(airs, parts.of_airs, strict=True):
                bent[part] += air.add_product()
            goes &= (bent > 0.0) & (slope > 0.0)
            curvature = np.where(goes, bent, 1.0)
            self._advance(self._each(np.where(goes, slope / curvature, 0.0)))

    def _products(self, a, b, weights=1.0):
        """Products of two fields, times weights of the particles, summed over the parts."""
        return self._problem.parts.sums(np.einsum("ij,ij->i", a, b) * weights)

    def _each(self, numbers):
        """Numbers of the parts, for each particle."""
        return self._problem.parts.each(numbers.astype(np.float32))

    def _stepped(self, factor, gradient, drift):
        """The step in double precision, with the momentum that the gradient asks for."""
        from_lanes(self._fields[-1], 1.0 / factor, self._step)
        if drift.any:
            drift.remove(self._step, self._step + gradient / self._problem.inertia)
        return self._step

    def _solve_bearing(self, borne):
        """P S^-1 P r into z; borne adds P of its first to its second."""
        (r, z, *_), (given, found) = self._fields, self._held
        given[:], z[:] = 0.0, 0.0
        borne(r, given)
        self._solve_held()
        borne(found, z)

    def _solved(self, g):
        """S^-1 g of one row an axis, without air."""
        r, z, *_ = self._fields
        factor = single_factor(g)
        to_lanes(np.ascontiguousarray(g), factor, r)
        self._solve()
        from_lanes(z, 1.0 / factor, self._step)
        return self._step


class Touched:
    """Contacts of a step in single precision: their products, and the response of single particles, D^-1.

    contacts: ContactSet, or None; lanes: of it, see `ContactSet.add_gradient`; blocks: D, xx, yy, zz, xy, yz and zx,
    shape (6, n) [N/m]; least: below which no pivot is [N/m]; drift: Drift of what touches; bearing: see
    `newton_pcg.held_by_obstacles`; borne: adds P r, what that leaves of r, to another; None where nothing is borne.
    """

    def __init__(self, contacts, lanes, blocks, least, drift, bearing):
        self._contacts, self._lanes, self.drift = contacts, lanes, drift
        count = blocks.shape[1]
        self._alone = _block_solve(blocks, least)
        self._answered = np.zeros((count, 4), np.float32) if drift.any else None
        self.borne = None if bearing is None else _block_solve(bearing, np.ones(count))

    def product(self, p, out):
        """A callable that adds what contacts have of H p, or None."""
        return None if self._contacts is None else self._contacts.lanes_product(self._lanes, p, out)

    def answer(self, r, z):
        """Add D^-1 r to z, without what would change the momentum of what nothing holds."""
        if self._answered is None:
            self._alone(r, z)
            return
        self._answered[:] = 0.0
        self._alone(r, self._answered)
        self.drift.remove(self._answered.T[:3])
        z += self._answered


def _block_solve(blocks, least):
    factors = np.empty((blocks.shape[1], 8), np.float32)
    factor_blocks(blocks, least, factors)
    return add_block_solve.bound(factors=factors)
