# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's steps by a few conjugate gradients on a prefactored matrix."""

import numpy as np

from .implicit_step import dot


class TruncatedNewton:
    """Goes by approximations of -H^-1 g, found by conjugate gradients preconditioned with S^-1.

    Every iteration goes to the least of the quadratic model along a direction conjugate to the one before, so the
    model never rises, however few there are. The directions are made conjugate by their own products: they stay so
    where contacts have changed residual and solution. H is that of `ImplicitStep.product`, positive definite.

    problem: ImplicitStep; solve: r -> S^-1 r, one row an axis.

    Nocedal and Wright 2006, algorithm 7.1; Dembo and Steihaug 1983, "Truncated-Newton algorithms for large-scale
    unconstrained optimization".
    """

    def __init__(self, problem, solve):
        self._problem, self._solve = problem, solve
        shape = problem.g.shape
        self._residual, self._along, self._product, self._step, self._scaled = (
            np.empty(shape) for _ in range(5)
        )

    def step(self, x, iterations, contacts=None):
        """x, moved by one Newton step of so many conjugate gradients; contacts: Seats that filter them, or None."""
        g = self._problem.gradient(x, linearise=True)
        if contacts is not None:
            contacts.filter_gradient(g)
        step, _ = self._direction(g, iterations, contacts=contacts)
        if contacts is not None:
            contacts.filter_increment(step)
        x += step
        return x

    def minimise(self, x, iterations, tolerance):
        """Positions after line-searched steps of so many conjugate gradients at most, and whether they converged."""
        problem, left = self._problem, iterations
        while True:
            before, _ = problem.objective(x)
            g = problem.gradient(x, linearise=True)
            residual = problem.relative_residual()
            if not residual > tolerance:
                return x, True
            # As close as the quadratic model is worth, and no closer than is asked for (Eisenstat and Walker 1996).
            forcing = min(0.5, max(min(0.1, residual), 0.3 * tolerance / residual))
            step, used = self._direction(g, left, forcing=forcing)
            slope = dot(g, step)
            length = problem.search(x, step, slope, before)[0] if used and slope < 0.0 else 0.0
            left -= used
            if length == 0.0 or left <= 0:
                x = x + length * step
                return x, problem.residual(x) <= tolerance
            x = x + length * step

    def _direction(self, gradient, iterations, *, forcing=0.0, contacts=None):
        """The direction, in a buffer, and the iterations it took.

        forcing: share of the gradient's norm at which the residual is small enough.
        """
        r, p, hp, step = self._residual, self._along, self._product, self._step
        np.negative(gradient, out=r)
        step[:] = 0.0
        enough, curvature = forcing * np.linalg.norm(gradient), 0.0
        for number in range(iterations):
            z = self._solve(r)
            if contacts is not None:
                contacts.filter_increment(z)
            if curvature > 0.0:
                p *= -dot(z, hp) / curvature
                p += z
            else:
                p[:] = z
            self._problem.product(p, hp)
            curvature, slope = dot(p, hp), dot(p, r)
            # Nothing is left to gain, or positions are no longer finite, of which the simulation is told.
            if not (curvature > 0.0 and slope > 0.0):
                return step, number
            length = slope / curvature
            step += np.multiply(length, p, out=self._scaled)
            r -= np.multiply(length, hp, out=self._scaled)
            if contacts is not None:
                np.negative(r, out=r)
                contacts.filter_gradient(r)
                np.negative(r, out=r)
            if forcing and np.linalg.norm(r) <= enough:
                return step, number + 1
        return step, iterations
