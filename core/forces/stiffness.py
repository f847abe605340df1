# SPDX-License-Identifier: GPL-3.0-or-later
"""The derivatives of all internal forces as sparse matrices."""

import numpy as np

from ..assembly import BlockAssembly
from .damping import damping_blocks
from .soft_pins import pin_weights
from .springs import spring_blocks


def stiffness_matrix(network, x):
    """K = -dF/dx of springs, volumes and soft pins at x [N/m], SciPy sparse with three rows a vertex."""
    pins = np.zeros(network.vertex_count)
    pins[network.soft_pins] = pin_weights(network)
    matrix = BlockAssembly(network).matrix(spring_blocks(network, x), pins)
    if network.element_operators is not None:
        matrix = matrix + network.element_operators.hessian(np.ascontiguousarray(x.T))
    return matrix


def damping_matrix(network, x):
    """-dF/dv of damping along springs at x [N s/m], SciPy sparse with three rows a vertex."""
    return BlockAssembly(network).matrix(damping_blocks(network, x), np.zeros(network.vertex_count))
