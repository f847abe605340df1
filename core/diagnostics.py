# SPDX-License-Identifier: GPL-3.0-or-later
"""What a network and a running simulation say about themselves."""

import numpy as np

from .forces import pin_weights


def highest_frequency(network):
    """Upper bound of the undamped network's highest angular frequency [rad/s].

    w_max^2 <= 2 max_i sum_j k_ij / m_i by Gershgorin's theorem on M^-1 A^T K A, whose row i sums to at most
    twice its diagonal; it holds for unequal masses too. Hard pins have no row; soft pins add w_i / m_i.
    """
    soft = np.zeros(network.vertex_count)
    soft[network.soft_pins] = pin_weights(network)
    return float(np.sqrt(_largest_eigenvalue(network, network.stiffness, soft)))


def highest_damping_rate(network):
    """Upper bound of the eigenvalues of M^-1 A^T diag(mu) A [1/s], as in `highest_frequency`."""
    return float(_largest_eigenvalue(network, network.damping, 0.0))


def stable_dt(network):
    """Step [s] below which symplectic Euler is certainly stable; infinite without springs.

    A mode of frequency w and damping rate c is stable for dt^2 w^2 + 2 dt c < 4; undamped that is 2 / w_max.
    """
    frequency, rate = highest_frequency(network), highest_damping_rate(network)
    both = rate + np.hypot(rate, 2.0 * frequency)
    return float(4.0 / both) if both > 0.0 else np.inf


def _largest_eigenvalue(network, per_spring, per_vertex):
    """Gershgorin bound of M^-1 (A^T diag(per_spring) A + diag(per_vertex)) without the hard pins."""
    incidence = network.incidence
    around = np.bincount(incidence.heads, per_spring, network.vertex_count)
    around += np.bincount(incidence.tails, per_spring, network.vertex_count)
    bound = (2.0 * around + per_vertex) / network.masses
    bound[network.hard_pins] = 0.0
    return bound.max()
