# SPDX-License-Identifier: GPL-3.0-or-later
"""Quasi-Newton steps to a tolerance, on factors of the second derivative itself."""

import numpy as np

from .factors import factor_cost
from .hessian import RecentHessian
from .implicit_step import SUFFICIENT, dot
from .lbfgs import LBFGS

# Steps on one factor, which takes about as long as fifty of them.
_REFRESHED = 30

# The shortest share of a step that is tried where contacts hold, and what the next trial is of the last.
_SHORTEST, _LEAST, _MOST = 1e-3, 0.1, 0.5

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

    def minimise_held(self, x, contacts, iterations, tolerance):
        """The same where contacts hold particles, which has to be placed x; second the objective without theirs.

        Friction has no potential: what contacts do on the way is taken from the objective, by the mean of both ends.
        """
        problem, g = self._problem, self._problem.g
        contacts.let_go()
        value, borne = self._evaluated(x, contacts)
        step, since = np.zeros_like(x), _REFRESHED
        for _ in range(iterations):
            if not problem.relative_residual() > tolerance:
                break
            if since >= _REFRESHED:
                self._begin(x, contacts)
                since = 0
            direction, slope = self._direction(g, step, contacts)
            found = self._searched(x, direction, slope, value, borne, contacts)
            if found is None:
                if since == 0:
                    break
                since = _REFRESHED
                continue
            step, since = found[0] - x, since + 1
            x, value, borne = found
        return x, value

    def _searched(self, x, direction, slope, value, borne, contacts):
        """Positions along a direction, the objective there and what contacts bear; None where nothing is lower."""
        length = 1.0
        while length >= _SHORTEST:
            tried = x + length * direction
            contacts.place(tried)
            after, bears = self._evaluated(tried, contacts)
            # What particles leave or meet does no work on them: of the way, what is along it counts.
            way = tried - x
            contacts.filter_increment(way)
            done = 0.5 * (length * dot(borne, direction) + dot(bears, way))
            gain = after + done - value
            if gain <= SUFFICIENT * length * slope:
                return tried, after, bears
            # To the least of the parabola that the slope and both ends give.
            length *= float(np.clip(0.5 / (1.0 - gain / (length * slope)), _LEAST, _MOST))
        contacts.place(x)
        self._evaluated(x, contacts)
        return None

    def _evaluated(self, x, contacts):
        """The objective [J], and what contacts add to its gradient [N], which is left in its buffer, filtered."""
        problem = self._problem
        value = problem.objective(x)[0]
        borne = -problem.g
        contacts.filter_gradient(problem.g)
        borne += problem.g
        return value, borne

    def _begin(self, x, contacts=None):
        self._quasi_newton.forget()
        self._hessian.factorise(x, contacts)

    def _direction(self, g, step, contacts=None):
        solved = self._hessian.solve(g)
        network = self._problem.network
        if contacts is not None and not contacts.holding and len(network.pinned) == 0:
            # Nothing takes up momentum: what pairs have at particles alone moves no centre of mass.
            solved -= (np.einsum("ij,j->i", solved, network.masses) / network.masses.sum())[:, None]
        direction = self._quasi_newton.direction(g.ravel(), solved.ravel(), step.ravel()).reshape(g.shape)
        if contacts is not None:
            contacts.hold(direction)
            contacts.filter_increment(solved)
            contacts.filter_increment(direction)
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
