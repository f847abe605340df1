# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix of projective dynamics, which is factorised once."""

import numpy as np

from ..forces import pin_weights
from .lumping import lumped, stencils_that_count


def global_matrix(network, dt, *, lump=False):
    """M/dt^2 + A^T (K + diag(mu)/dt) A + W, SciPy CSC, with the identity at hard pins.

    A has all springs, along edges and between weighted points; of volumes their bound is added, and of enclosures the
    usual diagonal. lump: whether long
    springs are moved onto the shorter ones beside them, and stencils left out that are soft beside what pulls at their
    vertices, see `lumping`.
    """
    from scipy import sparse

    diagonal = network.masses / dt**2
    diagonal[network.soft_pins] += pin_weights(network)
    if network.enclosure_operators is not None:
        diagonal += network.enclosure_operators.usual_diagonal()
    springs = network.springs
    weights = springs.stiffness + springs.damping / dt
    if lump:
        # By lengths as they are at the start: what goes on from a snapshot makes the same matrix.
        along = slice(network.spring_count)
        weights[along] = lumped(network.edges, weights[along], network.first_lengths, network.vertex_count)
        weights[network.spring_count :][
            ~stencils_that_count(network.stencils, weights[along], network.edges)
        ] = 0.0
    kept = weights > 0.0
    incidence = springs.chosen(kept).incidence(network.vertex_count).matrix()
    # Eliminating the pinned unknowns this way keeps vertex indices as they are.
    free = np.ones(network.vertex_count)
    free[network.hard_pins] = 0.0
    keep = sparse.diags(free)
    matrix = sparse.diags(diagonal) + incidence.T @ sparse.diags(weights[kept]) @ incidence
    if network.volume_operators is not None:
        matrix = matrix + network.volume_operators.bound()
    matrix = keep @ matrix @ keep
    return (matrix + sparse.diags(1.0 - free)).tocsc()
