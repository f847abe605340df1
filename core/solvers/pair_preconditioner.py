# SPDX-License-Identifier: GPL-3.0-or-later
"""The preconditioner of steps in which particles press on each other."""

from functools import cached_property

import numpy as np

from .block_jacobi import BlockJacobi
from .rigid_patches import RigidPatches


class PairPreconditioner:
    """Preconditions conjugate gradients of pairs by what a block-Jacobi matrix and rigid patches answer.

    The blocks know springs and pairs, of every particle alone; patches know what is between them, and how they turn.
    problem: ImplicitStep; stiffness: of the particles in S [N/m], shape (vertex_count,).
    """

    def __init__(self, problem, stiffness):
        self._problem, self._stiffness = problem, stiffness

    @cached_property
    def _patches(self):
        return RigidPatches(self._problem, self._stiffness)

    def begin(self, x, contacts):
        """Take up where the patches are at x [m], shape (3, vertex_count), and what Seats have there."""
        self._coarse = self._patches.at(x, contacts)

    def linearised(self, contacts, firm):
        """r -> the answer where the problem and Seats were linearised last; firm: of `diagonal_blocks`."""
        network, blocks = self._problem.network, self._problem.diagonal_blocks(firm)
        contacts.add_blocks(blocks)
        alone, coarse = BlockJacobi(blocks, self._problem.inertia), self._coarse
        free = not contacts.holding and len(network.pinned) == 0
        shares = network.masses / network.masses.sum()

        def answer(r):
            solved = alone.solve(r)
            if free:
                # Nothing takes up momentum: what particles answer alone moves no centre of mass.
                solved -= np.einsum("ij,j->i", solved, shares)[:, None]
            solved += coarse(r)
            return solved

        return answer
