# SPDX-License-Identifier: GPL-3.0-or-later
"""Conjugate gradients that may stop early, and of which components may be held."""

import numpy as np

from .implicit_step import dot

# Share of what is to be solved that iterations within a substep leave of it, and how many there are at most: what is
# linearised changes by more as it moves.
ENOUGH, MOST = 1e-2, 40


class ConjugateGradients:
    """Approximates -H^-1 g, preconditioned with the kept matrix.

    Every iteration goes to the least of the quadratic model along a direction conjugate to the one before, so the
    model never rises, however few there are. Where their number alone ends them, the last of three or more goes along
    its direction as it is: its least is at half of it or beyond, since the kept matrix is nowhere below half of H, so
    the model does not rise either, and a product is spared. Where components are held, they stay in what a projection
    leaves of increments.

    shape: of the fields; solve: r -> S^-1 r, one row an axis; bounded: whether S is nowhere below half of H.

    Nocedal and Wright 2006, algorithm 5.3; Baraff and Witkin 1998, section 5.3, for the filter.
    """

    def __init__(self, shape, solve, *, bounded=True):
        self._solve, self._bounded = solve, bounded
        self._residual, self._along, self._product, self._step, self._scaled = (
            np.empty(shape) for _ in range(5)
        )

    def _by_parts(self, parts, gradient, product, iterations):
        """The direction, in a buffer, where each part goes as far as is its own least; parts: PartSums."""
        r, p, hp, step = self._residual, self._along, self._product, self._step
        np.negative(gradient, out=r)
        step[:] = 0.0
        goes, bounded, curvature = (
            np.ones(parts.count, dtype=bool),
            parts.of_springs_alone,
            np.ones(parts.count),
        )
        for number in range(iterations):
            z = self._solve(r)
            if number:
                p *= parts.each(np.where(goes, -parts.dot(z, hp) / curvature, 0.0))
                p += z
            else:
                p[:] = z
            if number == iterations - 1 and iterations > 2:
                step += np.multiply(parts.each(goes & bounded), p, out=self._scaled)
                goes &= ~bounded
            if not goes.any():
                break
            product(p, hp)
            bent, slope = parts.dot(p, hp), parts.dot(p, r)
            goes &= (bent > 0.0) & (slope > 0.0)
            curvature = np.where(goes, bent, 1.0)
            lengths = parts.each(np.where(goes, slope / curvature, 0.0))
            step += np.multiply(lengths, p, out=self._scaled)
            r -= np.multiply(lengths, hp, out=self._scaled)
        return step

    def direction(self, gradient, product, iterations, *, forcing=0.0, held=None, solve=None, parts=None):
        """The direction, in a buffer, and the iterations it took.

        product: p, out -> H p in `out`; forcing: share of the gradient's norm at which the residual is small enough;
        held: (increment) -> None, which takes out of it in place what is held, as it was out of the gradient, or None;
        solve: another preconditioner, symmetric; parts: PartSums, each with step lengths of its own.
        """
        if parts is not None and parts.several:
            return self._by_parts(parts, gradient, product, iterations), iterations
        solve = solve or self._solve
        counted = self._bounded and held is None and not forcing and iterations > 2
        r, p, hp, step = self._residual, self._along, self._product, self._step
        np.negative(gradient, out=r)
        step[:] = 0.0
        enough, curvature = forcing * np.sqrt(dot(gradient, gradient)), 0.0
        for number in range(iterations):
            z = solve(r)
            if held is not None:
                held(z)
            if curvature > 0.0:
                p *= -dot(z, hp) / curvature
                p += z
            else:
                p[:] = z
            if counted and number == iterations - 1:
                step += p
                break
            product(p, hp)
            if held is not None:
                held(hp)
            curvature, slope = dot(p, hp), dot(p, r)
            # Nothing is left to gain, or positions are no longer finite, of which the simulation is told.
            if not (curvature > 0.0 and slope > 0.0):
                return step, number
            length = slope / curvature
            step += np.multiply(length, p, out=self._scaled)
            r -= np.multiply(length, hp, out=self._scaled)
            if forcing and np.sqrt(dot(r, r)) <= enough:
                return step, number + 1
        return step, iterations
