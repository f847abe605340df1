# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit steps that contacts hold."""

from .implicit_step import SUFFICIENT, dot

# Newton steps where no tolerance says how many; and what one may promise to gain [J] for it to be the last, as a share
# of the inertia's part of the objective: at rest one is enough.
_STEPS, _ENOUGH = 3, 0.025

# Conjugate gradients a Newton step, where there are as many steps as a tolerance takes.
_AT_ONCE = 10

# The shortest share of a Newton step that is tried before an iteration on the kept matrix takes its place.
_SHORTEST = 1 / 64


class HeldStep:
    """Minimises an ImplicitStep where contacts hold particles, by truncated Newton steps or on the kept matrix.

    Where something is struck, what stops is displaced against what goes on, farther than linearised springs are
    right for: full steps would throw it away. So every step is searched along, and the first begins where the
    particles are, if the objective is lower there than where inertia alone would take them. It ends no higher than
    at rest in place then, and a step of backward Euler that does gains no energy but by gravity's work and that of
    the contacts; BDF2 has been measured not to. Contacts and friction are decided anew by every gradient.

    problem: ImplicitStep; gradients: ConjugateGradients on the factor of `matrix`, SciPy CSC and symmetric.
    """

    def __init__(self, problem, gradients, matrix):
        self._problem, self._gradients = problem, gradients
        # The transpose of a symmetric matrix is itself, in rows, which multiply faster.
        self._rows = matrix.T
        self._diagonal = matrix.diagonal()

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
        """Positions [m] after Newton steps of so many conjugate gradients, or with a tolerance so many in all."""
        problem, most = self._problem, iterations if tolerance else _STEPS * iterations
        left = most
        contacts.stiffen(self._diagonal, problem.dt)
        x, value = self._start(x, contacts)
        while left > 0:
            g = problem.gradient(x, linearise=True)
            contacts.filter_gradient(g)
            if left < most and tolerance and problem.relative_residual() <= tolerance:
                break
            used = min(left, _AT_ONCE) if tolerance else iterations
            step, _ = self._gradients.direction(g, problem.product, used, contacts=contacts)
            slope, inertia = dot(g, step), dot(problem.pull, problem.pull / problem.inertia)
            # With friction as the gradient decided it.
            before = value + contacts.energy()
            found = self._searched(x, step.copy(), slope, before, contacts)
            if found is None:
                break
            x, value = found
            left -= used
            if not (tolerance or -0.5 * slope > _ENOUGH * inertia):
                break
        # What the contacts bear at the end.
        contacts.filter_gradient(problem.gradient(x))
        contacts.place(x)
        return x

    def _start(self, x, contacts):
        """x, or where the particles are if that is lower, and the objective there but for the contacts' energy."""
        problem, hard = self._problem, self._problem.network.hard_pins
        here = contacts.start.x.T.copy()
        here[:, hard] = x[:, hard]
        if not contacts.holding and len(problem.network.pinned) == 0:
            # Nothing takes up momentum: the centre of mass goes on.
            here += ((x - here) @ problem.network.masses / problem.network.masses.sum())[:, None]
        contacts.place(here)
        at_rest = problem.objective(here)[0]
        between = contacts.energy()
        contacts.place(x)
        moving = problem.objective(x)[0]
        if moving + contacts.energy() <= at_rest + between:
            return x, moving
        # What contacts know is of the positions that were placed last.
        contacts.place(here)
        return here, at_rest

    def _searched(self, x, step, slope, before, contacts):
        """Positions along a step, or by the kept matrix, where all is lower than `before`; None without.

        Second the objective there but for the contacts' energy.
        """
        problem, length = self._problem, 1.0
        while slope < 0.0 and length >= _SHORTEST:
            tried = x + length * step
            contacts.place(tried)
            found = problem.objective(tried)[0]
            if found + contacts.energy() <= before + SUFFICIENT * length * slope:
                return tried, found
            length *= 0.5
        tried = self._kept_iteration(x, contacts)
        contacts.place(tried)
        found = problem.objective(tried)[0]
        if found + contacts.energy() < before:
            return tried, found
        contacts.place(x)
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
