# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft pins: force, energy, weight and damping, one function for each formula.

x, v: positions [m] and velocities [m/s], shape (vertex_count, 3). Forces are in N, energies in J.
"""

import numpy as np


def pin_forces(network, x, targets):
    """f = -w (x - target) at every soft pin, w from `pin_weights`; targets of shape (soft count, 3)."""
    f = np.zeros_like(x)
    soft = network.soft_pins
    f[soft] = -pin_weights(network)[:, None] * (x[soft] - targets)
    return f


def pin_energy(network, x, targets):
    """V = sum of w/2 |x - target|^2 over the soft pins."""
    away = x[network.soft_pins] - targets
    return 0.5 * float(np.sum(pin_weights(network) * np.einsum("ij,ij->i", away, away)))


def pin_weights(network):
    """Penalty stiffness w of every soft pin [N/m], shape (soft count,)."""
    soft = network.soft_pins
    return network.pins[soft] * network.pin_stiffness + network.goal_stiffness[soft]


def pin_damped(network, v, target_velocities, dt):
    """Velocities [m/s] after dt [s] of damping alone: each approaches its target's by exp(-c dt/m), exactly."""
    v, soft = v.copy(), network.soft_pins
    left = np.exp(-dt * network.goal_damping[soft] / network.masses[soft])[:, None]
    v[soft] = target_velocities + left * (v[soft] - target_velocities)
    return v
