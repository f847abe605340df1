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
