# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations of parts that touch something: the coarse level of a step whose iterations are few."""

import numpy as np

from ..directions import lengths
from .conjugate_gradients import ENOUGH
from .drift import Drift

# Parts up to which the matrix is dense, which takes a tenth of the time and less: 0.11 in place of 2.06 ms of so many.
# Beyond, LAPACK may share it among threads, and sums would differ with their number.
_FEW = 32

# Where a symmetric matrix of three rows has its entries xx, yy, zz, xy, yz and zx.
_PLACES = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2]])


class WholeParts:
    """Balances the forces on parts that nothing holds, by moving each as a whole.

    Few conjugate gradients leave unsolved what is pulled along a part that it lies on, and what moves off a surface: a
    ply on a ply, at a slope of 0.3 without friction, went 0.23 of its way, a block that rebounds lost a fifth of its
    speed. A particle alone is answered for by its block.

    problem: ImplicitStep; part: number of its part of every particle; solid: mask of the particles that solids have.
    The coarse space of Nicolaides 1987, "Deflation of conjugate gradients", of the translations of every part.
    """

    def __init__(self, problem, part, solid):
        self.part, self._count = part, int(part.max(initial=-1)) + 1
        self._inertia = np.bincount(part, problem.inertia, self._count)
        several = np.bincount(part, minlength=self._count) > 1
        self._free = several & ~Drift.held_parts(problem.network, part)
        self._solids = bool(solid.any())
        # Numbers among those that are free, and of all else the number after them.
        self._number = np.where(self._free, np.cumsum(self._free) - 1, self._free.sum())

    def slip(self, contacts):
        """Whether parts of a ContactSet are to be moved more than once: they lie on others, or are solids.

        A sheet that strikes what is no part is stretched by 14 % where it is moved four times, by 10 where it is once.
        """
        return self._solids or self.on_parts(contacts)

    def on_parts(self, contacts):
        """Whether any of them touches another in a ContactSet, or None."""
        if contacts is None or self._count < 2:
            return False
        sides, _ = contacts.sides(self.part)
        return bool(((sides[:, 0] != sides[:, 1]) & self._free[sides].any(axis=1)).any())

    def touch(self, contacts):
        """Whether any of them is in a ContactSet, or None."""
        return contacts is not None and bool(self._free[contacts.sides(self.part)[0]].any())

    def direction(self, g, contacts, normal, still):
        """Displacements [m], shape (3, n), against a gradient g [N] of all that a ContactSet was asked for last.

        None where all is balanced: but for a share of what presses on it, and what moves its inertia by less than
        `still` [m]. normal: the contacts' normal forces [N].
        """
        pulls = np.stack([np.bincount(self.part, row, self._count) for row in g])
        sides, outside = contacts.sides(self.part)
        loads = np.bincount(sides[:, 0], normal, self._count)
        loads += np.bincount(sides[:, 1], np.where(outside, 0.0, normal), self._count)
        if not (lengths(pulls.T) > ENOUGH * loads + still * self._inertia)[self._free].any():
            return None
        ways = np.zeros((3, self._count))
        ways[:, self._free] = self._solved(contacts, -pulls[:, self._free])
        return ways.take(self.part, axis=1)

    def _solved(self, contacts, pulls):
        """Ways of the parts that are free, shape (3, free_count) [m], against pulls on them [N]."""
        (which, entries), count = contacts.of_translations(), pulls.shape[1]
        sides, outside = contacts.sides(self.part)
        one, other = self._number[sides[which]].T
        other = np.where(outside[which], count, other)
        inertia = np.repeat(self._inertia[self._free], 3)
        if count <= _FEW:
            # A Laplacian of parts, and of what is none of them and stays.
            sums = [np.bincount(one * (count + 1) + other, of, (count + 1) ** 2) for of in entries]
            laplacian = -np.reshape(sums, (6, count + 1, count + 1))
            laplacian += laplacian.transpose(0, 2, 1)
            laplacian[:, range(count), range(count)] -= laplacian.sum(axis=2)[:, :count]
            matrix = laplacian[:, :count, :count][_PLACES].transpose(2, 0, 3, 1).reshape(3 * count, -1)
            return np.linalg.solve(matrix + np.diag(inertia), pulls.T.ravel()).reshape(-1, 3).T
        from scipy.sparse import coo_matrix, diags
        from scipy.sparse.linalg import spsolve

        ones, others = np.concatenate([one, other, one, other]), np.concatenate([one, other, other, one])
        blocks = np.concatenate([entries, entries, -entries, -entries], axis=1)
        kept = (ones < count) & (others < count)
        row, column = (np.broadcast_to(of, (3, 3))[..., None] for of in (np.arange(3)[:, None], np.arange(3)))
        places = (3 * ones[kept] + row).ravel(), (3 * others[kept] + column).ravel()
        matrix = coo_matrix((blocks[:, kept][_PLACES].ravel(), places), shape=(3 * count, 3 * count))
        return spsolve((matrix + diags(inertia)).tocsc(), pulls.T.ravel()).reshape(-1, 3).T
