# SPDX-License-Identifier: GPL-3.0-or-later
"""The signed incidence matrix of a spring network as an operator."""

from functools import cached_property

import numpy as np

try:
    from scipy import sparse
except ImportError:  # Explicit integrators must work where SciPy is missing.
    sparse = None

# Springs a block where passes go by blocks: their buffers fit the cache of a core, and calls still cost less.
BLOCK = 16_384


class Incidence:
    """Signed incidence matrix A, one row per spring (i, j): +1 at i, -1 at j.

    edges: vertex indices, shape (spring_count, 2).
    vertex_count: number of columns of A.
    """

    def __init__(self, edges, vertex_count):
        # np.take is fastest with contiguous indices of the machine's word size.
        self.heads = np.ascontiguousarray(edges[:, 0], dtype=np.intp)
        self.tails = np.ascontiguousarray(edges[:, 1], dtype=np.intp)
        self.shape = (len(edges), vertex_count)

    @cached_property
    def transpose(self):
        """A^T as a SciPy CSR matrix, shape (vertex_count, spring_count)."""
        return self.matrix().T.tocsr()

    def matrix(self):
        """A as a SciPy CSR matrix, shape (spring_count, vertex_count)."""
        spring_count, _ = self.shape
        columns = np.column_stack([self.heads, self.tails]).ravel()
        signs = np.tile([1.0, -1.0], spring_count)
        rows = np.arange(0, 2 * spring_count + 1, 2)
        return sparse.csr_matrix((signs, columns, rows), self.shape)

    def differences(self, x):
        """A x: x_i - x_j of every spring, shape (spring_count, 3), for x of shape (vertex_count, 3)."""
        return x[self.heads] - x[self.tails]

    def sums(self, f):
        """A^T f: +f at i and -f at j summed per vertex, shape (vertex_count, 3), for f (spring_count, 3)."""
        if sparse is not None:
            return self.transpose @ f
        return np.column_stack([self._bincount(column) for column in f.T])

    def _bincount(self, weights):
        vertex_count = self.shape[1]
        return np.bincount(self.heads, weights, vertex_count) - np.bincount(self.tails, weights, vertex_count)
