# SPDX-License-Identifier: GPL-3.0-or-later
"""Quasi-Newton directions that contacts filter, and how far to go along them."""

import numpy as np

from .implicit_step import SUFFICIENT, dot
from .lbfgs import LBFGS

# The shortest share of a step that is tried, and what the next trial is of the last at least and at most.
_SHORTEST, _LEAST, _MOST = 1 / 64, 0.1, 0.5


class Unheld:
    """What a HeldDescent asks of Seats, where nothing holds."""

    def place(self, x):
        """See `Seats.place`."""

    def filter_gradient(self, gradient):
        """See `Seats.filter_gradient`."""

    def filter_increment(self, increment):
        """See `Seats.filter_increment`."""

    def energy(self):
        """See `Seats.energy`."""
        return 0.0


class HeldDescent:
    """Goes down the objective of an ImplicitStep where contacts hold particles.

    problem: ImplicitStep, whose gradient is filtered in its buffer.
    """

    def __init__(self, problem):
        self._problem = problem
        self._quasi_newton = LBFGS(problem.g.size)

    def forget(self):
        """Start anew."""
        self._quasi_newton.forget()

    def direction(self, step, solved, contacts):
        """The next direction [m], and the slope along it [J].

        step: the last one; solved: what a preconditioner answers to the gradient, filtered in place; both [m].
        """
        g, quasi_newton = self._problem.g, self._quasi_newton
        contacts.filter_increment(solved)
        direction = quasi_newton.direction(g.ravel(), solved.ravel(), step.ravel()).reshape(g.shape)
        contacts.filter_increment(direction)
        slope = dot(g, direction)
        if slope < 0.0:
            return direction, slope
        quasi_newton.forget()
        return -solved, -dot(g, solved)

    def searched(self, x, step, slope, before, contacts, *, linearise=False):
        """Positions along a step where all is lower than `before` [J], or None.

        Second the objective there but for the contacts' energy. The gradient there is in its buffer;
        linearise: whether products will be asked for there.
        """
        length = 1.0
        while slope < 0.0 and length >= _SHORTEST:
            tried = x + (step if length == 1.0 else length * step)
            contacts.place(tried)
            found = self._problem.objective(tried, linearise=linearise)[0]
            after = found + contacts.energy()
            if after <= before + SUFFICIENT * length * slope:
                return tried, found
            # To the least of the parabola that the slope and both ends give.
            length *= float(np.clip(0.5 / (1.0 - (after - before) / (length * slope)), _LEAST, _MOST))
        return None

    def lowered(self, x, value, contacts, solve, steps, enough=None):
        """Positions after so many quasi-Newton steps at most, none of which raises the objective.

        value: the objective at x, where it was evaluated last [J]; solve: the preconditioner, r -> its answer; enough:
        filtered gradient [N] -> whether to end there, or None for all of the steps.
        """
        step = np.zeros_like(x)
        for _ in range(steps):
            contacts.filter_gradient(self._problem.g)
            if enough is not None and enough(self._problem.g):
                break
            direction, slope = self.direction(step, solve(self._problem.g), contacts)
            # With friction as the gradient decided it.
            found = self.searched(x, direction, slope, value + contacts.energy(), contacts)
            if found is None:
                break
            step, (x, value) = found[0] - x, found
        return x
