# SPDX-License-Identifier: GPL-3.0-or-later
"""The preconditioner of steps in which particles press on each other."""

import numpy as np

from .block_jacobi import BlockJacobi


def pair_preconditioner(problem, contacts, solve, firm):
    """What preconditions conjugate gradients of pairs: r -> the mean of what S and a block-Jacobi matrix answer.

    S knows nothing of pairs, and holds back what turns; the blocks know both, of every particle alone.
    problem: ImplicitStep; contacts: Seats; solve: r -> S^-1 r in a buffer; firm: of `diagonal_blocks`.
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
        solved += solve(r)
        solved *= 0.5
        return solved

    return answer
