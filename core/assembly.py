# SPDX-License-Identifier: GPL-3.0-or-later
"""Sparse matrices of 3x3 blocks over the springs of a network."""

import numpy as np


class BlockAssembly:
    """Sums A^T diag(B_e) A + diag(d) with one 3x3 block B_e a spring, on a sparsity pattern found once.

    network: SpringNetwork; springs: indices, in `network.springs`, of those that blocks are of, all of them unless
    told. Needs SciPy.
    """

    def __init__(self, network, springs=None):
        from scipy import sparse

        self._sparse = sparse
        vertices, weights = network.incidence.vertices, network.incidence.weights
        if springs is not None:
            vertices, weights = vertices[springs], weights[springs]
        n, (m, width) = network.vertex_count, vertices.shape
        # A spring's block enters those of every two of its vertices with the product of their weights.
        products = (weights[:, :, None] * weights[:, None, :]).ravel()
        joined = np.flatnonzero(products)
        diagonal = np.arange(n)
        rows = np.concatenate([diagonal, np.repeat(vertices, width, axis=1).ravel()[joined]])
        columns = np.concatenate([diagonal, np.tile(vertices, width).ravel()[joined]])
        keys, places = np.unique(rows * n + columns, return_inverse=True)
        places = places.ravel()
        self._columns, self._starts = keys % n, np.searchsorted(keys, n * np.arange(n + 1))
        self._diagonal = places[:n]
        of_spring = joined // width**2
        self._spread = sparse.csr_matrix((products[joined], (places[n:], of_spring)), shape=(len(keys), m))
        self._shape = (3 * n, 3 * n)

    def matrix(self, blocks, diagonal):
        """The sum as a SciPy BSR matrix, shape (3 n, 3 n).

        blocks: B_e, shape (spring_count, 3, 3); diagonal: d, shape (vertex_count,), the same for x, y and z.
        """
        data = (self._spread @ blocks.reshape(-1, 9)).reshape(-1, 3, 3)
        data[self._diagonal] += diagonal[:, None, None] * np.eye(3)
        return self._sparse.bsr_matrix((data, self._columns, self._starts), shape=self._shape)
