# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit steps that contacts hold."""

import numpy as np

from .block_jacobi import BlockJacobi
from .implicit_step import SUFFICIENT, dot
from .lbfgs import LBFGS

# Quasi-Newton steps for three conjugate gradients of a step that nothing holds; and what one may promise to gain [J]
# for it to be the last, as a share of the inertia's part of the objective: at rest one is enough.
_STEPS, _ENOUGH = 4, 0.025

# Conjugate gradients a Newton step, where there are as many steps as a tolerance takes.
_AT_ONCE = 10

# The shortest share of a step that is tried before an iteration on the kept matrix takes its place, and what the next
# trial is of the last at least and at most.
_SHORTEST, _LEAST, _MOST = 1 / 64, 0.1, 0.5


class HeldStep:
    """Minimises an ImplicitStep where contacts hold particles, by line-searched steps or on the kept matrix.

    Where something is struck, what stops is displaced against what goes on, farther than linearised springs are
    right for: full steps would throw it away. So every step is searched along, and the first begins where the
    particles are, if the objective is lower there than where inertia alone would take them. It ends no higher than
    at rest in place then, and a step of backward Euler that does gains no energy but by gravity's work and that of
    the contacts; BDF2 has been measured not to. Contacts and friction are decided anew by every gradient.

    problem: ImplicitStep; gradients: ConjugateGradients on the factor of `matrix`, SciPy CSC and symmetric; solve: of
    the same factor, r -> S^-1 r in a buffer.
    """

    def __init__(self, problem, gradients, matrix, solve):
        self._problem, self._gradients, self._solve = problem, gradients, solve
        # The transpose of a symmetric matrix is itself, in rows, which multiply faster.
        self._rows = matrix.T
        self._diagonal = matrix.diagonal()
        self._quasi_newton = LBFGS(problem.g.size)

    def minimise(self, x, contacts, iterations, tolerance=0.0, secant=None):
        """Positions [m] after iterations on the kept matrix, or where the residual is at most the tolerance.

        x: where to start, shape (3, vertex_count); contacts: Seats; secant: Secant to tell of the springs, or None.
        """
        contacts.stiffen(self._diagonal, self._problem.dt)
        for _ in range(iterations):
            x = self._kept_iteration(x, contacts, secant)
            secant = None
            if tolerance and self._problem.relative_residual() <= tolerance:
                break
        contacts.place(x)
        return x

    def minimise_by_newton(self, x, contacts, iterations, tolerance=0.0):
        """Positions [m] after quasi-Newton steps as dear as so many conjugate gradients.

        With a tolerance they are Newton steps, of so many conjugate gradients in all.
        """
        contacts.stiffen(self._diagonal, self._problem.dt)
        x, value = self._start(x, contacts)
        if tolerance:
            return self._by_newton(x, value, contacts, iterations, tolerance)
        return self._by_quasi_newton(x, value, contacts, -(-_STEPS * iterations // 3))

    def _start(self, x, contacts):
        """x, or where the particles are if that is lower, and the objective there but for the contacts' energy.

        The gradient is in its buffer, and linearised.
        """
        problem, hard = self._problem, self._problem.network.hard_pins
        here = contacts.start.x.T.copy()
        here[:, hard] = x[:, hard]
        at_rest = problem.value(here) + contacts.energy_at(here)
        contacts.place(x)
        value = problem.objective(x, linearise=True)[0]
        if value + contacts.energy() <= at_rest:
            return x, value
        # What contacts know is of the positions that were placed last.
        contacts.place(here)
        return here, problem.objective(here, linearise=True)[0]

    def _by_quasi_newton(self, x, value, contacts, count):
        """Steps of one solve and one gradient each, from the mean of what S and a block-Jacobi matrix answer.

        S answers the stop of a few particles as if it stretched every spring, and holds back the whole sheet; alone,
        every particle gives way across its springs, and what is to go far takes many steps. One position after
        another: springs turn so far in a substep that what is linearised once serves for one step.
        """
        problem, quasi_newton = self._problem, self._quasi_newton
        quasi_newton.forget()
        alone = BlockJacobi(problem.diagonal_blocks(), problem.inertia)
        g, step = problem.g, np.zeros_like(x)
        contacts.filter_gradient(g)
        for _ in range(count):
            solved = 0.5 * (self._solve(g) + alone.solve(g))
            contacts.filter_increment(solved)
            direction = quasi_newton.direction(g.ravel(), solved.ravel(), step.ravel()).reshape(x.shape)
            contacts.filter_increment(direction)
            slope = dot(g, direction)
            if not slope < 0.0:
                quasi_newton.forget()
                direction, slope = -solved, -dot(g, solved)
            inertia = dot(problem.pull, problem.pull / problem.inertia)
            # With friction as the gradient decided it.
            before = value + contacts.energy()
            found = self._searched(x, direction, slope, before, contacts)
            if found is not None:
                step, (x, value) = found[0] - x, found
            contacts.filter_gradient(g)
            if found is None or -0.5 * slope <= _ENOUGH * inertia:
                break
        return x

    def _by_newton(self, x, value, contacts, left, tolerance):
        """Newton steps of so many conjugate gradients in all, or until the residual is at most the tolerance."""
        problem, g = self._problem, self._problem.g
        contacts.filter_gradient(g)
        while left > 0 and not problem.relative_residual() <= tolerance:
            step, used = self._gradients.direction(
                g, problem.product, min(left, _AT_ONCE), contacts=contacts
            )
            before = value + contacts.energy()
            found = self._searched(x, step.copy(), dot(g, step), before, contacts)
            x, value = found or (x, value)
            contacts.filter_gradient(problem.gradient(x, linearise=True))
            left = left - used if found and used else 0
        return x

    def _searched(self, x, step, slope, before, contacts):
        """Positions along a step, or by the kept matrix, where all is lower than `before`; None without.

        Second the objective there but for the contacts' energy. The gradient there, or at x, is in its buffer.
        """
        problem, length = self._problem, 1.0
        while slope < 0.0 and length >= _SHORTEST:
            tried = x + length * step
            contacts.place(tried)
            found = problem.objective(tried)[0]
            after = found + contacts.energy()
            if after <= before + SUFFICIENT * length * slope:
                return tried, found
            # To the least of the parabola that the slope and both ends give.
            length *= float(np.clip(0.5 / (1.0 - (after - before) / (length * slope)), _LEAST, _MOST))
        tried = self._kept_iteration(x, contacts)
        contacts.place(tried)
        found = problem.objective(tried)[0]
        if found + contacts.energy() < before:
            return tried, found
        contacts.place(x)
        problem.gradient(x)
        return None

    def _kept_iteration(self, x, contacts, secant=None):
        """The least of the kept matrix's model along its filtered increment."""
        problem = self._problem
        contacts.place(x)
        g = problem.gradient(x)
        if secant is not None:
            secant.note(x, g - problem.pull)
        contacts.filter_gradient(g)
        step, _ = self._gradients.direction(g, self._product, 1, contacts=contacts)
        return x + step

    def _product(self, p, out):
        for row, result in zip(p, out, strict=True):
            result[:] = self._rows @ row
        return out
