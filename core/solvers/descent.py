# SPDX-License-Identifier: GPL-3.0-or-later
"""A few quasi-Newton steps down the objective of an implicit step."""

import numpy as np

from .implicit_step import SUFFICIENT, dot
from .lbfgs import LBFGS

# The shortest share of a step that is tried, and what the next trial is of the last at least and at most.
_SHORTEST, _LEAST, _MOST = 1 / 64, 0.1, 0.5


def lowered(problem, x, value, solve, steps):
    """Positions [m], shape (3, n), after so many L-BFGS steps at most, none of which raises the objective.

    problem: ImplicitStep; value: its objective at x, where it was evaluated last [J]; solve: the preconditioner, r ->
    its answer.
    """
    quasi_newton, step = LBFGS(problem.g.size), np.zeros_like(x)
    for _ in range(steps):
        g, solved = problem.g, solve(problem.g)
        direction = quasi_newton.direction(g.ravel(), solved.ravel(), step.ravel()).reshape(g.shape)
        slope = dot(g, direction)
        if not slope < 0.0:
            quasi_newton.forget()
            direction, slope = -solved, -dot(g, solved)
        found = _searched(problem, x, direction, slope, value)
        if found is None:
            break
        step, (x, value) = found[0] - x, found
    return x


def _searched(problem, x, step, slope, before):
    """Positions along a step where the objective is lower than `before` [J], and what it is there, or None."""
    length = 1.0
    while slope < 0.0 and length >= _SHORTEST:
        tried = x + (step if length == 1.0 else length * step)
        after = problem.objective(tried)[0]
        if after <= before + SUFFICIENT * length * slope:
            return tried, after
        # To the least of the parabola that the slope and both ends give.
        length *= float(np.clip(0.5 / (1.0 - (after - before) / (length * slope)), _LEAST, _MOST))
    return None
