# SPDX-License-Identifier: GPL-3.0-or-later
"""What a network and a method say about the step before it is taken."""

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


def stable_dt(network, limit=2.0, damping_limit=2.0):
    """Step [s] below which a method is certainly stable; symplectic Euler's, unless its limits are given.

    limit: w dt below which the method keeps an undamped spring bounded; 0 for never, infinite for always.
    damping_limit: c dt below which it keeps a mode that is only damped, at rate c, bounded.
    The step solves (w dt / limit)^2 + c dt / damping_limit = 1, which is exact for symplectic Euler, and lies
    inside the region of the other methods; infinite without springs and soft pins.
    """
    frequency, rate = highest_frequency(network), highest_damping_rate(network) / damping_limit
    if np.isinf(limit) or (frequency == 0.0 and rate == 0.0):
        return np.inf
    if limit == 0.0:
        return 0.0
    return float(2.0 / (rate + np.hypot(rate, 2.0 * frequency / limit)))


def enough_substeps(network, method, dt):
    """Equal steps within dt that are stable with a tenth to spare; None where no step is.

    method: integrator or its class.
    """
    largest = stable_dt(network, method.stability_limit, method.damping_limit)
    if largest == 0.0:
        return None
    return max(1, int(np.ceil(dt / (0.9 * largest))))


def _largest_eigenvalue(network, per_spring, per_vertex):
    """Gershgorin bound of M^-1 (A^T diag(per_spring) A + diag(per_vertex)) without the hard pins."""
    incidence = network.incidence
    around = np.bincount(incidence.heads, per_spring, network.vertex_count)
    around += np.bincount(incidence.tails, per_spring, network.vertex_count)
    bound = (2.0 * around + per_vertex) / network.masses
    bound[network.hard_pins] = 0.0
    return bound.max()
