# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighbourhoods in which steps of the whole left particles pulled, balanced on their own."""

import numpy as np

from .block_jacobi import BlockJacobi
from .held_descent import HeldDescent
from .neighbourhood import Neighbourhood, Neighbours

# Way that a particle would give alone, in mean lengths of its springs, from which it counts as pulled.
_PULLED = 0.01

# Springs from what is pulled to what stays where it is.
_RINGS = 5

# Of more of the particles than this, only those that are pulled most are balanced: the rest is for steps of the whole.
_MOST = 0.1

# Quasi-Newton steps of a neighbourhood, at most.
_STEPS = 32

# How often neighbourhoods are looked for, at most.
_TURNS = 3


class Relaxation:
    """Lowers the objective of an ImplicitStep about particles that are pulled, while all others stay.

    A spring of a fine sheet that is far too long holds next to nothing of the objective, so that steps of the whole
    end before it is as long as its neighbours; but that spring is what is seen.

    problem: ImplicitStep; lengths: mean rest lengths of the springs at every vertex [m]; firm: of `diagonal_blocks`.
    """

    def __init__(self, problem, lengths, firm):
        self._problem, self._firm = problem, firm
        network = problem.network
        self._neighbours = Neighbours(network)
        ends, springs = network.edges.ravel(), np.repeat(network.stiffness, 2)
        stiffness = problem.inertia + np.bincount(ends, springs, minlength=network.vertex_count)
        # Where springs have no length, no way is short beside it.
        self._most = _PULLED * np.where(lengths > 0.0, lengths, np.inf) * stiffness

    def relaxed(self, x, contacts):
        """Positions [m] of a lower objective than x, where the gradient was filtered last; None if nothing is pulled.

        contacts: Seats.
        """
        pulled = self._pulled()
        if not pulled.any():
            return None
        neighbourhood = Neighbourhood(self._problem, self._neighbours, self._neighbours.grown(pulled, _RINGS))
        held = contacts.among(neighbourhood.particles, len(pulled))
        if held is None or len(neighbourhood.springs) == 0:
            # Nobody knows what holds them, or nothing joins them.
            return None
        x, part = x.copy(), neighbourhood.part
        at = neighbourhood.begin(x)
        held.place(at)
        value = part.objective(at, linearise=True)[0]
        # Steps begin with every particle alone: what is far has been balanced.
        alone = BlockJacobi(part.diagonal_blocks(self._firm), part.inertia)
        most, descent = self._most[neighbourhood.particles] ** 2, HeldDescent(part)

        def balanced(g):
            return not (_squares(g) > most).any()

        solve = neighbourhood.solver(alone.solve)
        x[:, neighbourhood.particles] = descent.lowered(at, value, held, solve, _STEPS, balanced)
        return x

    def balanced(self, x, value, contacts):
        """x and the objective there, where no neighbourhood is pulled any more, or after so many turns.

        value: the objective at x, where the gradient was filtered last; contacts: Seats.
        """
        for _ in range(_TURNS):
            relaxed = self.relaxed(x, contacts)
            if relaxed is None:
                break
            contacts.place(relaxed)
            x, value = relaxed, self._problem.objective(relaxed, linearise=True)[0]
            contacts.filter_gradient(self._problem.g)
        return x, value

    def _pulled(self):
        """Which particles are pulled, a mask: of many those that are pulled most."""
        forces = np.sqrt(_squares(self._problem.g))
        pulled, most = forces > self._most, int(_MOST * len(forces)) + 1
        if np.count_nonzero(pulled) > most:
            pulls = forces / self._most
            pulled = pulls >= np.partition(pulls, -most)[-most]
        return pulled


def _squares(forces):
    """Squares of the lengths of vectors, shape (3, count)."""
    return np.einsum("ij,ij->j", forces, forces)


def mean_lengths(network):
    """Mean rest lengths of the springs at every vertex [m], endless where there is none."""
    ends = network.edges.T.ravel()
    counts = np.bincount(ends, minlength=network.vertex_count)
    sums = np.bincount(ends, np.tile(network.rest_lengths, 2), minlength=network.vertex_count)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.inf)
