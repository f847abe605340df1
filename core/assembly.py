# SPDX-License-Identifier: GPL-3.0-or-later
"""Sparse matrices of 3x3 blocks over a spring network."""

import numpy as np


class BlockAssembly:
    """Sums A^T diag(B_e) A + diag(d) with one 3x3 block B_e a spring, on a sparsity pattern found once.

    network: SpringNetwork; springs: indices of those that blocks are of, all of them unless told. Needs SciPy.
    """

    def __init__(self, network, springs=None):
        from scipy import sparse

        self._sparse = sparse
        heads, tails = network.incidence.heads, network.incidence.tails
        if springs is not None:
            heads, tails = heads[springs], tails[springs]
        n, m = network.vertex_count, len(heads)
        diagonal = np.arange(n)
        rows = np.concatenate([diagonal, heads, tails, heads, tails])
        columns = np.concatenate([diagonal, heads, tails, tails, heads])
        keys, places = np.unique(rows * n + columns, return_inverse=True)
        self._columns, self._starts = keys % n, np.searchsorted(keys, n * np.arange(n + 1))
        self._diagonal = places[:n]
        # A spring's block enters its ends' diagonal blocks with +, and the two between them with -.
        signs = np.repeat([1.0, 1.0, -1.0, -1.0], m)
        springs = np.tile(np.arange(m), 4)
        self._spread = sparse.csr_matrix((signs, (places[n:], springs)), shape=(len(keys), m))
        self._shape = (3 * n, 3 * n)

    def matrix(self, blocks, diagonal):
        """The sum as a SciPy BSR matrix, shape (3 n, 3 n).

        blocks: B_e, shape (spring_count, 3, 3); diagonal: d, shape (vertex_count,), the same for x, y and z.
        """
        data = (self._spread @ blocks.reshape(-1, 9)).reshape(-1, 3, 3)
        data[self._diagonal] += diagonal[:, None, None] * np.eye(3)
        return self._sparse.bsr_matrix((data, self._columns, self._starts), shape=self._shape)
