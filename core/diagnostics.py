# SPDX-License-Identifier: GPL-3.0-or-later
"""What a network and a method say about the step before it is taken."""

import numpy as np

from .forces import pin_weights


def highest_frequency(network):
    """Upper bound of the undamped network's highest angular frequency [rad/s].

    w_max^2 <= 2 max_i sum_j k_ij / m_i by Gershgorin's theorem on M^-1 A^T K A, whose row i sums to at most
    twice its diagonal; it holds for unequal masses too. Hard pins have no row; soft pins add w_i / m_i.
    """
    bound = _row_sums(network, network.stiffness)
    bound[network.soft_pins] += pin_weights(network) / network.masses[network.soft_pins]
    return float(np.sqrt(bound.max()))


def highest_damping_rate(network):
    """Upper bound of the rate at which damping along springs lets a velocity decay [1/s], likewise."""
    return float(_row_sums(network, network.damping).max())


def stable_dt(network, limit=2.0):
    """Step [s] below which an explicit method is certainly stable; infinite without springs.

    limit: the method's stability_limit, w dt for an undamped spring; 0 is never stable, infinite always.
    Damping along springs at rate c lowers it: 1 / dt = w / limit + c / 2, on the safe side of the exact
    condition of the symplectic methods, (w dt)^2 + 2 c dt < 4, and of the region of RK4.
    """
    if limit == 0.0 or np.isinf(limit):
        return limit
    inverse = highest_frequency(network) / limit + highest_damping_rate(network) / 2.0
    return 1.0 / inverse if inverse > 0.0 else np.inf


def enough_substeps(network, limit, dt):
    """Equal steps within dt that are stable with a tenth to spare; None where no step is (limit 0)."""
    largest = stable_dt(network, limit)
    if largest == 0.0:
        return None
    return max(1, int(np.ceil(dt / (0.9 * largest))))


def _row_sums(network, weights):
    """2 sum_j weight_ij / m_i of every vertex, 0 at hard pins, shape (vertex_count,)."""
    incidence = network.incidence
    around = np.bincount(incidence.heads, weights, network.vertex_count)
    around += np.bincount(incidence.tails, weights, network.vertex_count)
    around *= 2.0 / network.masses
    around[network.hard_pins] = 0.0
    return around
