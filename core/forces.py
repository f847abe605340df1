# SPDX-License-Identifier: GPL-3.0-or-later
"""Forces and energies: one function for each formula.

x, v: positions [m] and velocities [m/s], shape (vertex_count, 3). Forces are in N, energies in J.
"""

import numpy as np

from .assembly import BlockAssembly


def spring_directions(network, x):
    """Unit vectors n = (x_i - x_j) / |x_i - x_j| and lengths [m]; n = 0 where the ends of a spring meet."""
    u = network.incidence.differences(x)
    lengths = np.sqrt(np.einsum("ij,ij->i", u, u))
    return u / np.where(lengths > 0.0, lengths, 1.0)[:, None], lengths


def spring_forces(network, x):
    """f_i = -k (|x_i - x_j| - L) n and f_j = -f_i, summed per vertex; zero where the ends meet."""
    n, lengths = spring_directions(network, x)
    tension = network.stiffness * (lengths - network.rest_lengths)
    return -network.incidence.sums(tension[:, None] * n)


def spring_energy(network, x):
    """V = sum of k/2 (|x_i - x_j| - L)^2."""
    stretch = network.spring_lengths(x) - network.rest_lengths
    return 0.5 * float(np.sum(network.stiffness * stretch**2))


def damping_forces(network, x, v):
    """f_i = -mu ((v_i - v_j) . n) n and f_j = -f_i, summed per vertex: rigid motion is not damped."""
    n, _ = spring_directions(network, x)
    rate = np.einsum("ij,ij->i", network.incidence.differences(v), n)
    return -network.incidence.sums((network.damping * rate)[:, None] * n)


def spring_blocks(network, x, *, compressed=1.0):
    """Second derivative of every spring's energy by its vector, k (n n^T + (1 - L/|u|)(I - n n^T)).

    Shape (spring_count, 3, 3) [N/m]; the block of a spring stays, with its sign turned, off the diagonal of
    dF/dx. compressed: share that is kept of a compressed spring's negative stiffness across n; 1 is exact,
    0 makes every block positive semidefinite (Choi and Ko 2002). Where the ends meet the block is k I for
    L = 0 and else 0.
    """
    n, lengths = spring_directions(network, x)
    across = 1.0 - network.rest_lengths / np.where(lengths > 0.0, lengths, np.inf)
    across[(lengths == 0.0) & (network.rest_lengths > 0.0)] = 0.0
    across = np.where(across < 0.0, compressed * across, across)
    along = n[:, :, None] * n[:, None, :]
    blocks = (1.0 - across)[:, None, None] * along + across[:, None, None] * np.eye(3)
    return network.stiffness[:, None, None] * blocks


def damping_blocks(network, x):
    """Derivative of every damper's force by its relative velocity, mu n n^T; shape (spring_count, 3, 3)."""
    n, _ = spring_directions(network, x)
    return network.damping[:, None, None] * n[:, :, None] * n[:, None, :]


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
    scale = network.damping / np.where(lengths > 0.0, lengths, np.inf)
    return scale[:, None, None] * blocks


def stiffness_matrix(network, x):
    """K = -dF/dx of springs and soft pins at x [N/m], SciPy sparse with three rows a vertex."""
    pins = np.zeros(network.vertex_count)
    pins[network.soft_pins] = pin_weights(network)
    return BlockAssembly(network).matrix(spring_blocks(network, x), pins)


def damping_matrix(network, x):
    """-dF/dv of damping along springs at x [N s/m], SciPy sparse with three rows a vertex."""
    return BlockAssembly(network).matrix(damping_blocks(network, x), np.zeros(network.vertex_count))


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
    return network.pins[network.soft_pins] * network.pin_stiffness


def kinetic_energy(network, v):
    """T = sum of m/2 |v|^2."""
    return 0.5 * float(np.sum(network.masses * np.einsum("ij,ij->i", v, v)))


class Gravity:
    """Uniform acceleration: f = m g.

    masses [kg], shape (vertex_count,); acceleration g [m/s^2], three numbers.
    """

    def __init__(self, masses, acceleration):
        self.acceleration = np.array(acceleration, dtype=np.float64)
        if self.acceleration.shape != (3,) or not np.isfinite(self.acceleration).all():
            raise ValueError(f"gravity is {acceleration}: give three finite numbers in m/s^2")
        self.masses = masses
        self._force = masses[:, None] * self.acceleration

    def __call__(self, x, v, t):
        """Force on every vertex, shape (vertex_count, 3)."""
        return self._force

    def energy(self, x):
        """V = -sum of m g . x, zero at the origin."""
        return -float(np.sum(self._force * x))
