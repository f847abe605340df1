# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations of parts that touch each other: the coarse level of a step whose iterations are few."""

import numpy as np

from .drift import Drift

# Rows whose weights add up to less lie between particles.
_BETWEEN = 0.5


class WholeParts:
    """Balances the forces on parts that nothing holds and that lie on other parts, by moving each as a whole.

    Few conjugate gradients leave unsolved what is pulled along a part that it lies on: a ply on a ply, at a slope of
    0.3 without friction, went 0.23 of its way.

    problem: ImplicitStep; part: number of its part of every particle.
    The coarse space of Nicolaides 1987, "Deflation of conjugate gradients", of the translations of every part.
    """

    def __init__(self, problem, part):
        self._problem, self._part, self._count = problem, part, int(part.max(initial=-1)) + 1
        self._free = ~Drift.held_parts(problem.network, part)

    def none_in(self, contacts):
        """Whether no such part is in a ContactSet, or None."""
        if contacts is None or self._count < 2 or not self._free.any():
            return True
        self._moves = self._free & (self._shares(contacts.rows) != 0.0).any(axis=0)
        return not self._moves.any()

    def direction(self, g, contacts):
        """Displacements [m], shape (3, n), against a gradient g [N] of all that a ContactSet was asked for last."""
        numbers = np.flatnonzero(self._moves)
        pulls = np.stack([np.bincount(self._part, row, self._count)[numbers] for row in g])
        matrix = contacts.between_wholes(self._shares(contacts.rows)[:, numbers])
        inertia = np.bincount(self._part, self._problem.inertia, self._count)[numbers]
        matrix[np.diag_indices(len(matrix))] += np.repeat(inertia, 3)
        ways = np.zeros((3, self._count))
        ways[:, numbers] = -np.linalg.solve(matrix, pulls.T.ravel()).reshape(-1, 3).T
        return ways[:, self._part]

    def _shares(self, rows):
        """Sums of the weights that rows between particles have in every part, shape (row_count, part_count)."""
        corners, weights = rows.corners.values, rows.weights
        between = np.abs(weights.sum(axis=1)) < _BETWEEN
        keys = np.arange(len(weights))[:, None] * self._count + self._part[corners]
        sums = np.bincount(keys.ravel(), (weights * between[:, None]).ravel(), len(weights) * self._count)
        return np.round(sums, 9).reshape(-1, self._count)
