# SPDX-License-Identifier: GPL-3.0-or-later
"""Quasi-Newton steps to a tolerance, on factors of the second derivative itself."""

import numpy as np

from .factors import factor_cost
from .hessian import RecentHessian
from .implicit_step import dot
from .lbfgs import LBFGS

# Steps on one factor, which takes about as long as fifty of them.
_REFRESHED = 30

# Pairs of steps and changes of the gradient that are remembered.
_MEMORY = 10

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
        self._quasi_newton = LBFGS(problem.g.size, _MEMORY)

    def minimise(self, x, iterations, tolerance):
        """Positions where the relative residual is at most the tolerance, or after so many steps, and their number."""
        problem = self._problem
        before, step, since = problem.objective(x)[0], np.zeros_like(x), _REFRESHED
        for number in range(iterations):
            if not problem.relative_residual() > tolerance:
                return x, number
            g = problem.g.copy()
            if since >= _REFRESHED:
                self._begin(x)
                since = 0
            direction, slope = self._direction(g, step)
            length, before = problem.search(x, direction, slope, before)
            if length == 0.0 and since == 0:
                return x, number
            # What no step along it lowers, another factor may.
            since = _REFRESHED if length == 0.0 else since + 1
            step = length * direction
            x = x + step
        return x, iterations

    def _begin(self, x):
        self._quasi_newton.forget()
        self._hessian.factorise(x)

    def _direction(self, g, step):
        solved = self._hessian.solve(g)
        direction = self._quasi_newton.direction(g.ravel(), solved.ravel(), step.ravel()).reshape(g.shape)
        slope = dot(g, direction)
        if slope < 0.0:
            return direction, slope
        self._quasi_newton.forget()
        return -solved, -dot(g, solved)


def converging_where_it_fits(problem, backend):
    """The Converging of an ImplicitStep, or None where a factor of three rows a vertex has no room or no pivots.

    backend: see `linear.factorise`.
    """
    hessian = recent_hessian_where_it_fits(problem, backend)
    return None if hessian is None else Converging(problem, hessian)


def recent_hessian_where_it_fits(problem, backend):
    """The RecentHessian of an ImplicitStep, or None where a factor of three rows a vertex has no room or no pivots."""
    hessian = RecentHessian(problem.network, problem.dt, backend, problem)
    fits = 9.0 * factor_cost(problem.network).memory <= _MOST_BYTES
    return hessian if fits and hessian.distinct else None
