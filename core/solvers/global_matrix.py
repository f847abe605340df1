# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix of projective dynamics, which is factorised once."""

import numpy as np

from ..forces import pin_weights
from .lumping import lumped, stencils_that_count
from .tensions import stepping


def global_matrix(network, dt, *, lump=False):
    """M/dt^2 + A^T (K + diag(mu)/dt) A + W, SciPy CSC, with the identity at hard pins.

    A has all springs, along edges and between weighted points; of volumes and pleats their bound is added, and of
    enclosures the usual diagonal. lump: whether long springs are moved onto the shorter ones beside them, and stencils
    left out that are soft beside what pulls at their vertices, see `lumping`. Where pins vary, entries that pins make
    zero stay: all matrices have one pattern.
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
    count = network.spring_count
    matrix = spring_matrix(network, diagonal, weights[:count], whole=_whole(network, lump))
    if (stiff := weights[count:] > 0.0).any():
        incidence = network.stencils.chosen(stiff).incidence(network.vertex_count).matrix()
        matrix = matrix + incidence.T @ sparse.diags(weights[count:][stiff]) @ incidence
    if (elements := stepping(network, dt)) is not None:
        matrix = matrix + elements.bound()
    held = np.zeros(network.vertex_count, dtype=bool)
    held[network.hard_pins] = True
    return with_held(matrix.tocsc(), held, stay=network.pins_vary)


def _whole(network, lump):
    """Springs along edges that the matrix had when nothing was broken, a mask, or None where nothing is."""
    if not network.broken.any():
        return None
    first = network.first_stiffness
    lengths, count = network.first_lengths, network.vertex_count
    return (lumped(network.edges, first, lengths, count) if lump else first) > 0.0


def spring_matrix(network, diagonal, weights, whole=None):
    """A diagonal and A^T diag(weights) A of the springs along edges whose weights are above 0, SciPy CSC.

    whole: mask of others whose entries are there as zeros, so that what breaks changes no pattern; None for none.
    """
    from scipy import sparse

    kept = weights > 0.0 if whole is None else (weights > 0.0) | whole
    along, (heads, tails) = weights[kept], network.edges[kept].T
    count = network.vertex_count
    diagonal = diagonal + np.bincount(heads, along, count) + np.bincount(tails, along, count)
    each = np.arange(count)
    rows, columns = np.concatenate([heads, tails, each]), np.concatenate([tails, heads, each])
    entries = np.concatenate([-along, -along, diagonal])
    return sparse.coo_matrix((entries, (rows, columns)), shape=(count, count)).tocsc()


def with_held(matrix, held, *, stay=False):
    """A SciPy CSC matrix with the identity in rows and columns of a mask, which keeps vertex indices as they are.

    stay: whether entries that become zero stay, so that all masks leave one pattern.
    """
    from scipy import sparse

    if not held.any():
        return matrix
    columns = np.repeat(np.arange(len(held)), np.diff(matrix.indptr))
    own, of_held = matrix.indices == columns, held[matrix.indices] | held[columns]
    entries = np.where(of_held, np.where(own, 1.0, 0.0), matrix.data)
    stays = ~of_held | own | stay
    starts = np.concatenate([[0], np.cumsum(np.bincount(columns[stays], minlength=len(held)))])
    return sparse.csc_matrix((entries[stays], matrix.indices[stays], starts), shape=matrix.shape)
