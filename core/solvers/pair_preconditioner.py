# SPDX-License-Identifier: GPL-3.0-or-later
"""The preconditioner of steps in which particles press on each other."""

import numpy as np

from .block_jacobi import BlockJacobi


def pair_preconditioner(problem, contacts, patches, firm):
    """What preconditions conjugate gradients of pairs: r -> what a block-Jacobi matrix and rigid patches answer.

    The blocks know springs and pairs, of every particle alone; patches know what is between them.
    problem: ImplicitStep; contacts: Seats; patches: what `RigidPatches.at` gave; firm: of `diagonal_blocks`.
    """
    network, blocks = problem.network, problem.diagonal_blocks(firm)
    contacts.add_blocks(blocks)
    alone = BlockJacobi(blocks, problem.inertia)
    free = not contacts.holding and len(network.pinned) == 0
    shares = network.masses / network.masses.sum()

    def answer(r):
        solved = alone.solve(r)
        if free:
            # Nothing takes up momentum: what particles answer alone moves no centre of mass.
            solved -= np.einsum("ij,j->i", solved, shares)[:, None]
        solved += patches(r)
        return solved

    return answer
