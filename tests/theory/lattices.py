# SPDX-License-Identifier: GPL-3.0-or-later
"""What counting and eigenvalues say of a lattice of springs."""

import numpy as np
from scipy.linalg import eigvalsh
from scipy.sparse.csgraph import connected_components
from scipy.spatial.transform import Rotation

from hooke.core import forces

# Of each particle [kg], and of each spring [N/m], [kg/s].
MASS, STIFFNESS, DAMPING = 0.05, 1000.0, 0.5


def zero_modes(network):
    """Number of motions that stretch no spring to first order; a rigid body has 6."""
    eigenvalues = eigvalsh(forces.stiffness_matrix(network, network.points).toarray())
    return int(np.count_nonzero(eigenvalues < 1e-9 * eigenvalues[-1]))


def parts(network):
    """Number of pieces that no spring joins."""
    incidence = network.incidence.matrix()
    return int(connected_components(incidence.T @ incidence)[0])


def deviation(network, x):
    """Root mean square distance [m] of x from the shape at rest, moved and turned to fit best."""
    at_rest = network.points - network.points.mean(axis=0)
    now = x - x.mean(axis=0)
    turn, _ = Rotation.align_vectors(now, at_rest)
    return float(np.sqrt(np.mean(np.sum((now - turn.apply(at_rest)) ** 2, axis=1))))


def fastest_mode(network):
    """Angular frequency [rad/s] and damping rate [1/s] of the fastest motion at rest, from the eigenvalues.

    Stiffness and damping are in one proportion in all springs, and so are they in every mode.
    """
    stiffness = forces.stiffness_matrix(network, network.points).toarray()
    square = eigvalsh(stiffness, subset_by_index=[len(stiffness) - 1] * 2)[0] / MASS
    return float(np.sqrt(square)), float(square * DAMPING / STIFFNESS)
