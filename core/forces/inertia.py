# SPDX-License-Identifier: GPL-3.0-or-later
"""The energy of motion."""

import numpy as np


def kinetic_energy(network, v):
    """T = sum of m/2 |v|^2."""
    return 0.5 * float(np.sum(network.masses * np.einsum("ij,ij->i", v, v)))
