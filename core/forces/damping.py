# SPDX-License-Identifier: GPL-3.0-or-later
"""Damping along springs: force and its derivatives, one function for each formula.

x, v: positions [m] and velocities [m/s], shape (vertex_count, 3). Forces are in N, energies in J.
"""

import numpy as np

from .springs import spring_directions


def damping_forces(network, x, v):
    """f_i = -mu (w . n) w_i n, w = sum of w_i v_i, summed per vertex: rigid motion is not damped."""
    n, _ = spring_directions(network, x)
    rate = np.einsum("ij,ij->i", network.incidence.differences(v), n)
    return -network.incidence.sums((network.springs.damping * rate)[:, None] * n)


def damping_blocks(network, x):
    """Derivative of every damper's force by its relative velocity, mu n n^T; of all springs, shape (count, 3, 3)."""
    n, _ = spring_directions(network, x)
    return network.springs.damping[:, None, None] * n[:, :, None] * n[:, None, :]


def damping_turn_blocks(network, x, v):
    """Derivative of every damper's force by its vector u, which turns n: mu/|u| (n (P w)^T + (n . w) P).

    w: relative velocity, P = I - n n^T; shape (spring_count, 3, 3), not symmetric; zero where the ends meet.
    """
    n, lengths = spring_directions(network, x)
    w = network.incidence.differences(v)
    along = np.einsum("ij,ij->i", w, n)
    across = w - along[:, None] * n
    turned = np.eye(3) - n[:, :, None] * n[:, None, :]
    blocks = n[:, :, None] * across[:, None, :] + along[:, None, None] * turned
    scale = network.springs.damping / np.where(lengths > 0.0, lengths, np.inf)
    return scale[:, None, None] * blocks
