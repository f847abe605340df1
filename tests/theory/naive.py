# SPDX-License-Identifier: GPL-3.0-or-later
"""Projective dynamics as one writes it down first: what Hooke's arrangement of the same steps is worth."""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

# How SuperLU is asked: as SciPy does by default, or told that the matrix is symmetric and positive definite.
ORDERINGS = {
    "SciPy's defaults": {},
    "MMD_AT_PLUS_A, symmetric": {
        "permc_spec": "MMD_AT_PLUS_A",
        "diag_pivot_thresh": 0.0,
        "options": {"SymmetricMode": True},
    },
}


class NaiveProjectiveDynamics:
    """Local and global steps with fancy indexing, fresh arrays, and the full right side.

    S x = M y/dt^2 + A^T K d for the free vertices, the pinned ones' columns moved to the right side.
    network: SpringNetwork without soft pins and damping; dt: step [s]; gravity: acceleration along z [m/s^2].
    ordering: keyword arguments of splu.

    Liu, Bargteil, O'Brien, Kavan 2013, "Fast Simulation of Mass-Spring Systems", eq. 9-14.
    """

    def __init__(self, network, dt, iterations, ordering, gravity=-9.81):
        self.dt, self.iterations, self.gravity = dt, iterations, np.array([0.0, 0.0, gravity])
        self.edges, self.free, self.pinned = network.edges, network.free, network.hard_pins
        self.masses, self.rest_lengths = network.masses, network.rest_lengths
        matrix, self.pull = system(network, dt)
        self.to_pins = matrix[self.free][:, self.pinned]
        self.factor = splu(matrix[self.free][:, self.free].tocsc(), **ordering)
        self.x, self.v = np.array(network.points), np.zeros_like(network.points)

    def step(self):
        """Advance x [m] and v [m/s] by dt."""
        y = self.x + self.dt * self.v + self.dt**2 * self.gravity
        y[self.pinned] = self.x[self.pinned]
        inertia = self.masses[:, None] * y / self.dt**2
        x = y.copy()
        for _ in range(self.iterations):
            u = x[self.edges[:, 0]] - x[self.edges[:, 1]]
            d = self.rest_lengths[:, None] * u / np.linalg.norm(u, axis=1)[:, None]
            b = inertia + self.pull @ d
            x[self.free] = self.factor.solve(b[self.free] - self.to_pins @ x[self.pinned])
        self.v = (x - self.x) / self.dt
        self.x = x


def system(network, dt):
    """M/dt^2 + A^T K A and A^T K of a network, both sparse."""
    incidence = network.incidence.matrix()
    pull = incidence.T @ sparse.diags(network.stiffness)
    return (sparse.diags(network.masses / dt**2) + pull @ incidence).tocsr(), pull
