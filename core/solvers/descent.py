# SPDX-License-Identifier: GPL-3.0-or-later
"""Quasi-Newton steps down the objective of an implicit step."""

import numpy as np

from .implicit_step import dot
from .lbfgs import LBFGS


class Descent:
    """L-BFGS steps with a line search from step 1: none raises the objective of an ImplicitStep.

    Damping has no objective: in the line search its part keeps the p of the position searched from, where that
    objective's gradient is the equations' own.

    problem: ImplicitStep; memory: see LBFGS.
    """

    def __init__(self, problem, memory=5):
        self._problem, self._quasi_newton = problem, LBFGS(problem.g.size, memory)
        self._value, self._step = 0.0, np.zeros_like(problem.g)

    def begin(self, x):
        """Begin at x [m], shape (3, n)."""
        self.forget()
        self._value = self._problem.objective(x)[0]

    def forget(self):
        """Start anew from the preconditioner alone."""
        self._quasi_newton.forget()

    def step(self, x, solve):
        """Positions [m] after a step from x, where the last one led; x itself where nothing along it is lower.

        solve: the preconditioner, r -> its answer.
        """
        problem, g, solved = self._problem, self._problem.g, solve(self._problem.g)
        of_all = (field.ravel() for field in (g, solved, self._step))
        direction = self._quasi_newton.direction(*of_all).reshape(g.shape)
        slope = dot(g, direction)
        if not slope < 0.0:
            self.forget()
            direction, slope = -solved, -dot(g, solved)
        length, self._value = problem.search(x, direction, slope, self._value)
        if length == 0.0:
            return x
        self._step = length * direction
        return x + self._step
