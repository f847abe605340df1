# SPDX-License-Identifier: GPL-3.0-or-later
"""Projective dynamics as one would write it down in NumPy and SciPy, for networks a dense matrix is too large for.

Fancy indexing, the right side as a sparse product, and a solve for positions at every iteration.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu


class PlainProjectiveDynamics:
    """Backward Euler by local/global steps of a network without damping and soft pins.

    network: SpringNetwork; dt [s]; iterations a step.
    """

    def __init__(self, network, dt, iterations):
        self.network, self.dt, self.iterations = network, dt, iterations
        n, m = len(network.points), len(network.edges)
        rows = np.repeat(np.arange(m), 2)
        incidence = sparse.csr_matrix((np.tile([1.0, -1.0], m), (rows, network.edges.ravel())), shape=(m, n))
        self.inertia = network.masses / dt**2
        stiffness = sparse.diags(network.stiffness)
        matrix = (sparse.diags(self.inertia) + incidence.T @ stiffness @ incidence).tocsc()
        self.springs = (incidence.T @ stiffness).tocsr()
        self.hard, self.free = np.flatnonzero(network.pins == 1.0), np.flatnonzero(network.pins < 1.0)
        self.coupling = matrix[self.free][:, self.hard]
        self.factor = splu(
            matrix[self.free][:, self.free].tocsc(),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )

    def step(self, x, v):
        """Positions and velocities after dt, with gravity along -z and the hard pins where they are."""
        network, (i, j) = self.network, self.network.edges.T
        y = x + self.dt * v + self.dt**2 * np.array([0.0, 0.0, -9.81])
        y[self.hard] = x[self.hard]
        pulled = self.coupling @ x[self.hard]
        new = y.copy()
        for _ in range(self.iterations):
            u = new[i] - new[j]
            lengths = np.linalg.norm(u, axis=1)[:, None]
            right = self.inertia[:, None] * y + self.springs @ (network.rest_lengths[:, None] * u / lengths)
            new[self.free] = self.factor.solve(right[self.free] - pulled)
        return new, (new - x) / self.dt
