# SPDX-License-Identifier: GPL-3.0-or-later
"""Quasi-Newton steps to a tolerance, on factors of the second derivative itself."""

from .descent import Descent
from .factors import factor_cost
from .hessian import RecentHessian

# Steps on one factor, which takes about as long as fifty of them; on the kept one as well, where a tolerance is told.
REFRESHED = 30

# Memory [bytes] that a factor of three rows a vertex may take.
_MOST_BYTES = 4e9


class Converging:
    """Minimises an ImplicitStep by L-BFGS that begins with the Hessian's own inverse, made anew now and then.

    The factor is positive definite, as the Hessian is not where springs are compressed. The difference is what L-BFGS
    learns: on crumpled sheets Newton's steps with conjugate gradients take two to four times as long. Nothing is kept
    from step to step: what is solved depends on the step alone.

    problem: ImplicitStep; hessian: RecentHessian.

    Liu, Bouaziz, Kavan 2017, section 4, with another matrix; Nocedal and Wright 2006, section 7.2.
    """

    def __init__(self, problem, hessian):
        self._problem, self._hessian = problem, hessian
        self._descent = Descent(problem)

    def minimise(self, x, iterations, tolerance):
        """Positions where the relative residual is at most the tolerance, or after so many steps, and their number."""
        since = REFRESHED
        self._descent.begin(x)
        for number in range(iterations):
            if not self._problem.relative_residual() > tolerance:
                return x, number
            if since >= REFRESHED:
                self._descent.forget()
                self._hessian.factorise(x)
                since = 0
            after = self._descent.step(x, self._hessian.solve)
            if after is x and since == 0:
                return x, number
            # If no step along it lowers the objective, another factor may.
            x, since = after, REFRESHED if after is x else since + 1
        return x, iterations


def converging_where_it_fits(problem, backend):
    """The Converging of an ImplicitStep, or None where a factor of three rows a vertex has no room or no pivots.

    backend: see `linear.factorise`.
    """
    hessian = recent_hessian_where_it_fits(problem, backend)
    return None if hessian is None else Converging(problem, hessian)


def recent_hessian_where_it_fits(problem, backend):
    """The RecentHessian of an ImplicitStep, or None where a factor of three rows a vertex has no room or no pivots."""
    hessian = RecentHessian(problem.network, problem.dt, backend, problem)
    memory, _ = factor_cost(problem.network).of_blocks()
    return hessian if memory <= _MOST_BYTES and hessian.distinct else None
