# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's method by conjugate gradients on an incremental potential: inertia, springs, contacts and friction."""

import numpy as np

from ..topology import network_parts
from .block_jacobi import BlockJacobi
from .drift import Drift
from .implicit_step import SUFFICIENT, dot

# Share of its stiffness that a spring has across itself in the blocks at least, see `HeldStep`.
_ACROSS = 0.01

# Share of the gradient at which conjugate gradients end.
_FORCING = 1e-4

# Way of a step, in parts of the least depth from which on contacts stiffen, after which none follows.
_STILL = 1e-3

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
        self._part = network_parts(problem.network)

    def minimise(self, x, contacts_at, steps, iterations):
        """Positions [m], shape (3, n), after so many steps of so many iterations.

        contacts_at: x -> ContactSet, or None where nothing touches.
        """
        for _ in range(steps):
            before, contacts = x, contacts_at(x)
            x = self._step(before, contacts, iterations)
            if contacts is not None and np.abs(x - before).max() < _STILL * contacts.rows.depths.min():
                break
        return x

    def _step(self, x, contacts, iterations):
        problem = self._problem
        value, g = problem.objective(x, linearise=True)[0], problem.g
        blocks = problem.diagonal_blocks(_ACROSS)
        if contacts is not None:
            value += contacts.add_gradient(x, g, blocks)
        g[:, problem.network.hard_pins] = 0.0
        preconditioned = self._preconditioner(blocks, contacts)
        linear = g, lambda p, out: self._product(contacts, p, out), iterations
        direction, _ = self._gradients.direction(*linear, forcing=_FORCING, solve=preconditioned)
        slope = dot(g, direction)
        return self._searched(x, direction.copy(), slope, value, contacts) if slope < 0.0 else x

    def _product(self, contacts, p, out):
        self._problem.product(p, out)
        if contacts is not None:
            contacts.add_product(p, out)
            out[:, self._problem.network.hard_pins] = 0.0
        return out

    def _preconditioner(self, blocks, contacts):
        """r -> S^-1 r + D^-1 r, without what would change the momentum of what nothing holds."""
        network = self._problem.network
        alone, drift = (
            BlockJacobi(blocks, self._problem.inertia),
            Drift.of_touching(network, self._part, contacts),
        )

        def preconditioned(r):
            z = drift.remove(alone.solve(r))
            z += self._solve(r)
            z[:, network.hard_pins] = 0.0
            return z

        return preconditioned

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
