# SPDX-License-Identifier: GPL-3.0-or-later
"""The incidence matrix of a spring network as an operator: which vertices a spring joins, and with which weights."""

from functools import cached_property

import numpy as np

try:
    from scipy import sparse
except ImportError:  # Explicit integrators must work where SciPy is missing.
    sparse = None

# Springs a block where passes go by blocks: their buffers fit the cache of a core, and calls still cost less.
BLOCK = 16_384


class Incidence:
    """Incidence matrix A, one row per spring: its weights at its vertices, +1 and -1 at the two ends of an edge.

    vertices: indices, shape (spring_count, width).
    vertex_count: number of columns of A.
    weights: shape (spring_count, width), 0 where a spring has fewer vertices; None for edges, of width 2.
    """

    def __init__(self, vertices, vertex_count, weights=None):
        # np.take is fastest with contiguous indices of the machine's word size.
        self.vertices = np.ascontiguousarray(vertices, dtype=np.intp)
        self.weights = np.tile([1.0, -1.0], (len(vertices), 1)) if weights is None else weights
        self.shape = (len(vertices), vertex_count)

    @cached_property
    def transpose(self):
        """A^T as a SciPy CSR matrix, shape (vertex_count, spring_count)."""
        return self.matrix().T.tocsr()

    def matrix(self):
        """A as a SciPy CSR matrix, shape (spring_count, vertex_count)."""
        joined = self.weights != 0.0
        rows = np.concatenate([[0], np.cumsum(np.count_nonzero(joined, axis=1))])
        return sparse.csr_matrix((self.weights[joined], self.vertices[joined], rows), self.shape)

    def differences(self, x):
        """A x: the vector of every spring, x_i - x_j of an edge, shape (spring_count, 3), for x (vertex_count, 3)."""
        u = np.zeros((len(self.vertices), x.shape[1]))
        for vertices, weights in zip(self.vertices.T, self.weights.T, strict=True):
            u += weights[:, None] * x[vertices]
        return u

    def sums(self, f):
        """A^T f: f of every spring times its weights, summed per vertex, shape (vertex_count, 3), for f (count, 3)."""
        if sparse is not None:
            return self.transpose @ f
        pushed = self.weights[:, :, None] * f[:, None, :]
        return np.column_stack(
            [
                np.bincount(self.vertices.ravel(), column.ravel(), self.shape[1])
                for column in pushed.T.swapaxes(1, 2)
            ]
        )
