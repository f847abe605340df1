# SPDX-License-Identifier: GPL-3.0-or-later
"""What a network and a running simulation say about themselves."""

import numpy as np

from .forces import pin_weights


def highest_frequency(network):
    """Upper bound of the undamped network's highest angular frequency [rad/s].

    w_max^2 <= 2 max_i sum_j k_ij / m_i by Gershgorin's theorem on M^-1 A^T K A, whose row i sums to at most
    twice its diagonal; it holds for unequal masses too. Hard pins have no row; soft pins add w_i / m_i.
    """
    incidence = network.incidence
    around = np.bincount(incidence.heads, network.stiffness, network.vertex_count)
    around += np.bincount(incidence.tails, network.stiffness, network.vertex_count)
    bound = 2.0 * around
    bound[network.soft_pins] += pin_weights(network)
    bound /= network.masses
    bound[network.hard_pins] = 0.0
    return float(np.sqrt(bound.max()))


def stable_dt(network):
    """Step [s] below which symplectic Euler is certainly stable, 2 / w_max; infinite without springs."""
    frequency = highest_frequency(network)
    return 2.0 / frequency if frequency > 0.0 else np.inf
