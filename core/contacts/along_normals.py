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

    def parting(self, forces):
        """How far forces move pairs apart along their normals.

        By way of the particles: in a heap each pair moves hundreds of others, and a matrix of that takes gigabytes.
        """
        return self._along(self._inverse * (self._transposed @ (forces[:, None] * self._normals)))

    def moved(self, forces):
        """How far forces move particles, shape (3, particle_count)."""
        return (self._inverse * (self._transposed @ (forces[:, None] * self._normals))).T

    def along(self, x):
        """What a field of shape (3, particle_count) has along the normals."""
        return self._along(np.ascontiguousarray(x.T))

    def _along(self, x):
        return np.einsum("ij,ij->i", self._normals, self._weights @ x)
