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
    vertices, see `lumping`. Where pins vary, entries that pins make zero stay: all matrices have one pattern.
    """
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
    matrix = _sum(network, diagonal, weights)
    if network.volume_operators is not None:
        matrix = (matrix + network.volume_operators.bound()).tocsc()
    return _with_pins(matrix, network)


def _sum(network, diagonal, weights):
    """A diagonal and A^T diag(weights) A of springs of weights above 0, SciPy CSC."""
    from scipy import sparse

    count, kept = network.spring_count, weights > 0.0
    along, of_edges = weights[:count][kept[:count]], network.edges[kept[:count]]
    heads, tails = of_edges.T
    diagonal = diagonal + np.bincount(of_edges.ravel(), np.repeat(along, 2), network.vertex_count)
    each = np.arange(network.vertex_count)
    rows, columns = np.concatenate([heads, tails, each]), np.concatenate([tails, heads, each])
    entries = np.concatenate([-along, -along, diagonal])
    matrix = sparse.coo_matrix((entries, (rows, columns)), shape=(network.vertex_count,) * 2).tocsc()
    if kept[count:].any():
        incidence = network.stencils.chosen(kept[count:]).incidence(network.vertex_count).matrix()
        matrix = matrix + incidence.T @ sparse.diags(weights[count:][kept[count:]]) @ incidence
    return matrix.tocsc()


def _with_pins(matrix, network):
    """A matrix with the identity in rows and columns of hard pins, which keeps vertex indices as they are."""
    held = np.zeros(network.vertex_count, dtype=bool)
    held[network.hard_pins] = True
    if not held.any():
        return matrix
    columns = np.repeat(np.arange(network.vertex_count), np.diff(matrix.indptr))
    of_pins = held[matrix.indices] | held[columns]
    matrix.data[of_pins] = np.where(matrix.indices == columns, 1.0, 0.0)[of_pins]
    if not network.pins_vary:
        matrix.eliminate_zeros()
    return matrix
