# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's steps by a few conjugate gradients on a prefactored matrix."""

from .implicit_step import dot
from .single_gradients import FEW


class TruncatedNewton:
    """Goes by approximations of -H^-1 g, found by conjugate gradients preconditioned with S^-1.

    H is that of `ImplicitStep.product`, positive definite.

    problem: ImplicitStep; gradients: ConjugateGradients; single: SingleGradients for a few of them, or None, see `few`.

    Nocedal and Wright 2006, algorithm 7.1; Dembo and Steihaug 1983, "Truncated-Newton algorithms for large-scale
    unconstrained optimization".
    """

    def __init__(self, problem, gradients, single=None):
        self._problem, self._gradients, self.few = problem, gradients, single

    def step(self, x, iterations):
        """x, moved by one Newton step of so many conjugate gradients."""
        g = self._problem.gradient(x, linearise=True)
        if self.few is not None and iterations <= FEW:
            step = self.few.direction(g, iterations)
        else:
            step, _ = self._gradients.direction(g, self._problem.product, iterations)
        x += step
        return x

    def searched(self, x, iterations):
        """The same, as far along it as lowers the objective: with more than springs in it, a whole one may not."""
        problem = self._problem
        before, _ = problem.objective(x, linearise=True)
        step, _ = self._gradients.direction(problem.g, problem.product, iterations)
        return x + problem.search(x, step, dot(problem.g, step), before)[0] * step

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
            step, used = self._gradients.direction(g, problem.product, left, forcing=forcing)
            slope = dot(g, step)
            length = problem.search(x, step, slope, before)[0] if used and slope < 0.0 else 0.0
            left -= used
            if length == 0.0 or left <= 0:
                x = x + length * step
                return x, problem.residual(x) <= tolerance
            x = x + length * step
