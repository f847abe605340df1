# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's method by conjugate gradients on an incremental potential: inertia, springs, contacts and friction."""

import numpy as np

from .block_jacobi import BlockJacobi
from .drift import Drift
from .implicit_step import SUFFICIENT, dot

# Share of its stiffness that a spring has across itself in the blocks at least, see `HeldStep`.
_ACROSS = 0.01

# Share of the gradient at which conjugate gradients end.
_FORCING = 1e-4

# Halvings of a step at most.
_HALVINGS = 12


class NewtonPCG:
    """Minimises an ImplicitStep with contacts, which are linearised anew in every step.

    Each step's direction is that of a few conjugate gradients, preconditioned by S^-1 + D^-1: the kept factor answers
    for the whole, the blocks D of single particles, contacts in them, for what few particles alone do. A line search on
    the energy goes along it.

    problem: ImplicitStep; gradients: ConjugateGradients; solve: r -> S^-1 r, in a buffer.

    Nocedal and Wright 2006, algorithms 5.3 and 3.1.
    """

    def __init__(self, problem, gradients, solve):
        self._problem, self._gradients, self._solve = problem, gradients, solve

    def minimise(self, x, contacts_at, steps, iterations):
        """Positions [m], shape (3, n), after so many steps of so many iterations; contacts_at: x -> ContactSet or None."""
        for _ in range(steps):
            contacts = contacts_at(x)
            x = self._step(x, contacts, iterations)
        return x

    def _step(self, x, contacts, iterations):
        problem = self._problem
        hard = problem.network.hard_pins
        own, _ = problem.objective(x, linearise=True)
        g = problem.g
        value = own
        if contacts is not None:
            value += contacts.value(x)
            contacts.add_gradient(x, g)
        g[:, hard] = 0.0
        blocks = problem.diagonal_blocks(_ACROSS)
        if contacts is not None:
            contacts.add_blocks(blocks)
        alone = BlockJacobi(blocks, problem.inertia)

        def product(p, out):
            problem.product(p, out)
            if contacts is not None:
                contacts.add_product(p, out)
                out[:, hard] = 0.0
            return out

        drift = Drift(problem.network, contacts)

        def solve(r):
            z = drift.without(alone.solve(r))
            z += self._solve(r)
            z[:, hard] = 0.0
            return z

        direction, _ = self._gradients.direction(g, product, iterations, forcing=_FORCING, solve=solve)
        slope = dot(g, direction)
        if not slope < 0.0:
            return x
        return self._searched(x, direction.copy(), slope, value, contacts)

    def _searched(self, x, direction, slope, before, contacts):
        """Where the energy is lowered enough along a direction, x itself where rounding leaves nothing to gain."""
        problem, length = self._problem, 1.0
        problem.hold()
        rounding = 8.0 * np.finfo(np.float64).eps * abs(before)
        for _ in range(_HALVINGS):
            tried = x + length * direction
            value = problem.objective(tried)[1]
            if contacts is not None:
                value += contacts.value(tried)
            if value <= before + SUFFICIENT * length * slope + rounding:
                return tried
            length *= 0.5
        return x
