# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix of projective dynamics, which is factorised once."""

import numpy as np

from ..forces import pin_weights
from .lumping import lumped


def global_matrix(network, dt, *, lump=False):
    """M/dt^2 + A^T (K + diag(mu)/dt) A + W, SciPy CSC, with the identity at hard pins; lump: see `lumping`."""
    from scipy import sparse

    diagonal = network.masses / dt**2
    diagonal[network.soft_pins] += pin_weights(network)
    weights = network.stiffness + network.damping / dt
    incidence = network.incidence.matrix()
    if lump:
        weights = lumped(network.edges, weights, network.rest_lengths, network.vertex_count)
        incidence, weights = incidence[weights > 0.0], weights[weights > 0.0]
    weights = sparse.diags(weights)
    # Eliminating the pinned unknowns this way keeps vertex indices as they are.
    free = np.ones(network.vertex_count)
    free[network.hard_pins] = 0.0
    keep = sparse.diags(free)
    matrix = keep @ (sparse.diags(diagonal) + incidence.T @ weights @ incidence) @ keep
    return (matrix + sparse.diags(1.0 - free)).tocsc()
