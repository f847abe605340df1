# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs as forces along their normals alone, of as many unknowns as there are pairs."""

import numpy as np


class AlongNormals:
    """What forces along the normals of pairs do to their particles, which nothing but inertia holds.

    weights: of the particles of each pair, SciPy CSR of shape (pair_count, particle_count); normals: shape
    (pair_count, 3); inverse: of the particles, 1/inertia [m/N] or 1/mass [1/kg], shape (particle_count,).
    """

    def __init__(self, weights, normals, inverse):
        self._weights, self._normals, self._inverse = weights, normals, inverse[:, None]
        self._transposed = weights.T.tocsr()
        scaled = self._transposed.copy()
        scaled.data *= np.repeat(inverse, np.diff(scaled.indptr))
        self._matrix = weights @ scaled
        rows = np.repeat(np.arange(len(normals)), np.diff(self._matrix.indptr))
        columns = self._matrix.indices
        self._matrix.data *= np.einsum("ij,ij->i", normals.take(rows, axis=0), normals.take(columns, axis=0))

    def parting(self, forces):
        """How far forces move pairs apart along their normals."""
        return self._matrix @ forces

    def moved(self, forces):
        """How far forces move particles, shape (3, particle_count)."""
        return (self._inverse * (self._transposed @ (forces[:, None] * self._normals))).T

    def along(self, x):
        """What a field of shape (3, particle_count) has along the normals."""
        return np.einsum("ij,ij->i", self._normals, self._weights @ np.ascontiguousarray(x.T))
