# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs: force, energy and stiffness, one function for each formula.

x, v: positions [m] and velocities [m/s], shape (vertex_count, 3). Forces are in N, energies in J. A spring pulls the
vector u = sum of w_i x_i of its vertices, x_i - x_j along an edge, to its rest length; all are in `network.springs`.
"""

import numpy as np

from ..spring_ends import NO_ROWS


def spring_directions(network, x):
    """Unit vectors n = u/|u| and lengths |u|; n = 0 where the ends of a spring meet."""
    u = network.incidence.differences(x)
    lengths = np.sqrt(np.einsum("ij,ij->i", u, u))
    return u / np.where(lengths > 0.0, lengths, 1.0)[:, None], lengths


def spring_forces(network, x):
    """f_i = -k (|u| - L) w_i n, summed per vertex; zero where the ends meet; and what volumes and insides push with."""
    rows, gradient = np.ascontiguousarray(x.T), np.zeros(x.shape[::-1])
    network.edge_energy(rows, gradient)
    stencil_energy(network, rows, gradient)
    for operators in _of_elements(network):
        operators.add_gradient(rows, gradient)
    return -gradient.T


def spring_energy(network, x):
    """V = sum of k/2 (|u| - L)^2, and that of volumes and of what closed surfaces enclose."""
    rows = np.ascontiguousarray(x.T)
    energy = network.edge_energy(rows) + stencil_energy(network, rows)
    for operators in _of_elements(network):
        energy += operators.energy(rows)
    return energy


def energies_of_parts(network, x, parts):
    """`spring_energy` of every part [J], shape (parts.count,); parts: PartSums."""
    rows = np.ascontiguousarray(x.T)
    energies = network.edge_energies_of_parts(rows, parts)
    if len(network.stencils):
        energies += network.stencil_operators.energies_of_parts(rows, parts)
    elements, enclosures = network.element_operators, network.enclosure_operators
    if elements is not None:
        energies += parts.sums(elements.energies(rows), elements.firsts)
    if enclosures is not None:
        energies += parts.sums(enclosures.energies(rows), parts.of_pieces)
    return energies


def _of_elements(network):
    """Operators of what has an energy of its own, by volumes and angles, a list."""
    both = network.element_operators, network.enclosure_operators
    return [operators for operators in both if operators is not None]


def stencil_energy(network, x, gradient=NO_ROWS):
    """The part of `spring_energy` of springs between weighted points, as of what bends; x: shape (3, vertex_count).

    gradient: see `Ends.energy`.
    """
    if len(network.stencils) == 0:
        return 0.0
    return network.stencil_operators.energy(x, gradient)


def spring_blocks(network, x, *, compressed=1.0):
    """Second derivative of every spring's energy by its vector, k (n n^T + (1 - L/|u|)(I - n n^T)).

    Of all springs, shape (count, 3, 3) [N/m]; the block of a spring stays, with its sign turned, off the diagonal of
    dF/dx. compressed: share that is kept of a compressed spring's negative stiffness across n; 1 is exact,
    0 or less makes every block positive semidefinite (Choi and Ko 2002). Where the ends meet the block is k I for
    L = 0 and else 0.
    """
    n, lengths = spring_directions(network, x)
    springs = network.springs
    across = 1.0 - springs.rest_lengths / np.where(lengths > 0.0, lengths, np.inf)
    across[(lengths == 0.0) & (springs.rest_lengths > 0.0)] = 0.0
    across = np.where(across < 0.0, compressed * across, across)
    along = n[:, :, None] * n[:, None, :]
    blocks = (1.0 - across)[:, None, None] * along + across[:, None, None] * np.eye(3)
    return springs.stiffness[:, None, None] * blocks
