# SPDX-License-Identifier: GPL-3.0-or-later
"""Where springs balance forces, by Newton's method on the core's own formulas."""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import spsolve

from hooke.core.forces import spring_energy, spring_forces, stiffness_matrix


def at_equilibrium(network, forces, x, loads=10):
    """Where springs balance forces [N], from x [m] by Newton's method on the core's own formulas, load by load."""
    for share in np.arange(1, loads + 1) / loads:
        x = _balanced(network, share * forces, x)
    return x


def _balanced(network, forces, x, tolerance=1e-6):
    rows, shift = (3 * network.free[:, None] + np.arange(3)).ravel(), 1e-3

    def value(x):
        return spring_energy(network, x) - np.sum(forces * x)

    def left(x):
        return (spring_forces(network, x) + forces).ravel()[rows]

    for _ in range(200):
        pull = left(x)
        if np.linalg.norm(pull) < tolerance * np.linalg.norm(forces):
            return x
        matrix = stiffness_matrix(network, x).tocsr()[rows][:, rows]
        while True:
            moved = x.copy()
            moved.reshape(-1)[rows] += spsolve((matrix + shift * sparse.identity(len(rows))).tocsc(), pull)
            # Where rounding hides what is gained, the forces tell.
            nearer = np.linalg.norm(left(moved)) < 0.5 * np.linalg.norm(pull)
            if nearer or value(moved) < value(x):
                break
            shift = max(4.0 * shift, 1e-8)
        x, shift = moved, 0.1 * shift
    raise ArithmeticError("no equilibrium was found: apply the forces in more loads")
