# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit steps that contacts hold."""

from .implicit_step import dot
from .truncated_newton import TruncatedNewton

# Newton steps at most, where no tolerance says how many; and what an iteration on the kept matrix may still promise
# to gain [J] for there to be no other, as a share of the inertia's part of the objective: at rest one is enough.
_MOST_STEPS, _ENOUGH = 8, 0.025

# Conjugate gradients a Newton step, where there are as many steps as a tolerance takes.
_AT_ONCE = 10


class HeldStep:
    """Minimises an ImplicitStep where contacts hold particles, by truncated Newton steps and on the kept matrix.

    Where something is struck, what stops is displaced against what goes on, farther than linearised springs are right
    for, and a truncated step may gain energy. The kept matrix bounds the springs' energy wherever they turn: an
    iteration on it ends every Newton step, takes that energy away, and tells whether another step is needed. Contacts
    and friction are decided anew by every gradient.

    problem: ImplicitStep; gradients: ConjugateGradients on the factor of `matrix`, SciPy CSC and symmetric.
    """

    def __init__(self, problem, gradients, matrix):
        self._problem, self._gradients = problem, gradients
        # The transpose of a symmetric matrix is itself, in rows, which multiply faster.
        self._rows = matrix.T
        self._truncated = TruncatedNewton(problem, gradients)

    def minimise(self, x, contacts, iterations, tolerance=0.0, secant=None):
        """Positions [m] after iterations on the kept matrix, or where the residual is at most the tolerance.

        x: where to start, shape (3, vertex_count); contacts: Seats; secant: Secant to tell of the springs, or None.
        """
        for _ in range(iterations):
            x, _ = self._kept_iteration(x, contacts, secant)
            secant = None
            if tolerance and self._problem.relative_residual() <= tolerance:
                break
        contacts.place(x)
        return x

    def minimise_by_newton(self, x, contacts, iterations, tolerance=0.0):
        """Positions [m] after Newton steps of so many conjugate gradients, or with a tolerance so many in all."""
        problem, left = self._problem, iterations if tolerance else _MOST_STEPS * iterations
        while left > 0:
            used = min(left, _AT_ONCE) if tolerance else iterations
            x = self._truncated.step(x, used, contacts)
            x, gain = self._kept_iteration(x, contacts)
            left -= used
            if tolerance:
                close = problem.relative_residual() <= tolerance
            else:
                close = not gain > _ENOUGH * dot(problem.pull, problem.pull / problem.inertia)
            if close:
                break
        contacts.place(x)
        return x

    def _kept_iteration(self, x, contacts, secant=None):
        """The least of the kept matrix's model along its filtered increment, and what it promises to gain [J]."""
        problem = self._problem
        contacts.place(x)
        g = problem.gradient(x)
        if secant is not None:
            secant.note(x, g - problem.pull)
        contacts.filter_gradient(g)
        step, _ = self._gradients.direction(g, self._product, 1, contacts=contacts)
        return x + step, -0.5 * dot(g, step)

    def _product(self, p, out):
        for row, result in zip(p, out, strict=True):
            result[:] = self._rows @ row
        return out
