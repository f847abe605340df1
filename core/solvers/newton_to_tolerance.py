# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's method on an incremental potential until nothing is left unsolved, contacts and friction in it."""

from functools import cached_property, partial

import numpy as np

from ..topology import network_parts
from .block_jacobi import BlockJacobi
from .converging import REFRESHED, recent_hessian_where_it_fits
from .drift import Drift
from .factors import factor_cost
from .implicit_step import dot

# Newton steps in which the residual must fall by half.
_FEW_STEPS = 10

# Time [s] of a factor of three rows a particle up to which one may be made in every substep; docs/contact_figures.md
# has a table.
_QUICK = 0.06

# Shares of the gradient that conjugate gradients leave: a residual's at most (Nocedal and Wright 2006, eq. 7.3), and no
# less than a part of what the tolerance leaves.
_CLOSE, _ENOUGH = 0.1, 0.3


class NewtonToTolerance:
    """Minimises an ImplicitStep with contacts to a relative residual of the gradient, that of contacts in it.

    Each step's conjugate gradients are preconditioned with a factor of the second derivative of springs and contacts
    about where the substep begins: what presses on what is in it whole, so few are needed, and momentum is kept.

    problem: ImplicitStep; gradients: ConjugateGradients; newton: NewtonPCG of them; backend: see `linear.factorise`.

    Nocedal and Wright 2006, algorithm 7.1; Eisenstat and Walker 1996 for how close each step is solved.
    """

    def __init__(self, problem, gradients, newton, backend):
        self._problem, self._gradients, self._newton, self._backend = problem, gradients, newton, backend
        self._part = network_parts(problem.network)
        # Where inertia led in the substep that the preconditioner was made in, and that: r -> answer.
        self._aim = self._solve = None

    @cached_property
    def _hessian(self):
        return recent_hessian_where_it_fits(self._problem, self._backend)

    @cached_property
    def quick(self):
        """Whether a factor of three rows a particle may be made in every substep."""
        _, seconds = factor_cost(self._problem.network).of_blocks()
        return self._hessian is not None and seconds < _QUICK

    def minimise(self, x, contacts_at, tolerance, most):
        """Positions [m], shape (3, n), where the relative residual is at most the tolerance, and the contacts there.

        contacts_at: as in `NewtonPCG.minimise`; most: conjugate gradients, after which it ends where it is.
        """
        problem, used, number, least = self._problem, 0, 0, np.inf
        if self._aim is not problem.aims[0]:
            # Made in the same substep it serves again.
            self._aim, self._solve = problem.aims[0], None
        while True:
            contacts = contacts_at(x)
            value = problem.objective(x, linearise=True)[0]
            if contacts is not None:
                value += contacts.add_gradient(x, problem.g)
            g = problem.g
            g[:, problem.network.hard_pins] = 0.0
            residual = problem.relative_residual()
            if number % _FEW_STEPS == 0:
                # What touches may change with every step: where others come and go nothing converges any more.
                if not residual < 0.5 * least:
                    return x, contacts
                least = residual
            number += 1
            if not residual > tolerance or most <= 0:
                return x, contacts
            if self._solve is None or self._hessian is None or used > REFRESHED:
                self._solve = self._preconditioner(x, contacts)
            forcing = max(min(_CLOSE, residual), _ENOUGH * tolerance / residual)
            product = partial(self._newton.product, contacts)
            direction, used = self._gradients.direction(g, product, most, forcing=forcing, solve=self._solve)
            slope, most = dot(g, direction), most - max(used, 1)
            after = x
            if slope < 0.0:
                after = self._newton.searched(x, direction.copy(), slope, value, contacts, linearise=False)
            if after is x:
                return x, contacts
            x = after

    def _preconditioner(self, x, contacts):
        if self._hessian is not None:
            self._hessian.factorise(x, None if contacts is None else contacts.hessian())
            return self._hessian.solve
        both = np.concatenate([self._problem.diagonal_blocks(), np.zeros((6, x.shape[1]))])
        if contacts is not None:
            contacts.add_gradient(x, np.zeros_like(x), both)
        drift = Drift.of_touching(self._problem.network, self._part, contacts)
        return self._newton.preconditioner(BlockJacobi(both[:6], self._problem.inertia), drift, None)
