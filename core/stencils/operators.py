# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of a network's stencils, made once: the matrix of the linear ones, and the ends of all others."""

from functools import cached_property

import numpy as np

from ..incidence import sparse
from ..kernels import Indices
from ..kernels.springs import add_linear, slice_count
from ..spring_ends import NO_ROWS, weighted_ends_of


class LinearStencils:
    """B, the constant second derivative of stencils, the same for x, y and z.

    matrix: SciPy CSR, shape (vertex_count, vertex_count).
    """

    def __init__(self, matrix):
        count = matrix.shape[0]
        # SciPy sorts the arrays of a matrix where it first has to: a copy of the indices would no longer fit.
        matrix = matrix.copy()
        matrix.sum_duplicates()
        self._rows = Indices(matrix.indptr, matrix.nnz + 1), Indices(matrix.indices, count)
        self._entries, self._energies = matrix.data, np.empty(slice_count(count))
        starts, columns = self._rows
        self._add = add_linear.bound(
            starts=starts, columns=columns, entries=self._entries, energies=self._energies
        )
        # Half of what rows sum to is what a spring along an edge has at its ends, and bounds B as that does.
        self.bounds = 0.5 * np.asarray(abs(matrix).sum(axis=1)).ravel()

    def add(self, x, out):
        """Add the gradient B x to `out`, both of shape (3, vertex_count), or nothing to NO_ROWS; returns x B x/2 [J].

        From a place nearby: far from the origin rounding would be as large as what little bends.
        """
        self._add(np.ascontiguousarray(x), x[:, 0].copy(), out)
        return float(self._energies.sum())

    def energy(self, x):
        """x B x/2 [J]."""
        return self.add(x, NO_ROWS)

    def energies_of_parts(self, x, parts):
        """The same of every part, shape (parts.count,); parts: PartSums."""
        pulls = np.zeros_like(x)
        self.add(x, pulls)
        return 0.5 * parts.dot(pulls, parts.nearby(x))

    @cached_property
    def single(self):
        """Arguments of `multiply_linear` for B: starts, columns and entries in single precision."""
        return *self._rows, self._entries.astype(np.float32)

    def add_product(self, p, out):
        """Add B p to `out`."""
        self._add(p, np.zeros(3), out)


class StencilOperators:
    """Stencils in a network of so many vertices, after so many springs along edges.

    linear_matrix: second derivative [N/m] of the stencils that have a constant one, the same for x, y and z, SciPy CSR;
    None where there are none, and made of the stencils unless given.
    """

    def __init__(self, stencils, vertex_count, spring_count, linear_matrix=None):
        self._stencils, self._vertex_count, self._spring_count = stencils, vertex_count, spring_count
        if linear_matrix is not None:
            self.linear_matrix = linear_matrix

    def changed(self, stencils):
        """The operators of stencils that weigh the same vertices alike, with what is the same of both."""
        linear, before = stencils.linear, self._stencils
        same = np.array_equal(linear, before.linear)
        operators = StencilOperators(stencils, self._vertex_count, self._spring_count)
        kept = ["ends", "_others"] if same else []
        if same and np.array_equal(stencils.stiffness[linear], before.stiffness[linear]):
            kept += ["linear_matrix", "linear"]
        for name in kept:
            if name in self.__dict__:
                operators.__dict__[name] = self.__dict__[name]
        return operators

    @cached_property
    def linear_matrix(self):
        """See the class."""
        linear = self._in_matrix
        return self._stencils.chosen(linear).second_derivative(self._vertex_count) if linear.any() else None

    @cached_property
    def linear(self):
        """LinearStencils of the matrix, or None."""
        return None if self.linear_matrix is None else LinearStencils(self.linear_matrix)

    @property
    def _in_matrix(self):
        """Which are linear, where SciPy has a matrix of them."""
        linear = self._stencils.linear
        return linear if sparse is not None else np.zeros_like(linear)

    @cached_property
    def _others(self):
        return np.flatnonzero(~self._in_matrix)

    @cached_property
    def ends(self):
        """Ends of the stencils that are in no matrix, numbered as in `SpringNetwork.springs`."""
        incidence = self._stencils.chosen(self._others).incidence(self._vertex_count)
        return weighted_ends_of(incidence, self._spring_count + self._others)

    def energy(self, x, gradient=NO_ROWS):
        """Energy [J] of all at x [m], shape (3, vertex_count); gradient: see `Ends.energy`."""
        total = 0.0 if self.linear is None else self.linear.add(x, gradient)
        if self.ends.size == 0:
            return total
        # From a place nearby: far from the origin rounding would be as large as what little bends.
        return total + self.ends.energy(x - x[:, :1], *self._of_ends, gradient)

    def energies_of_parts(self, x, parts):
        """The same of every part, shape (parts.count,); parts: PartSums."""
        total = np.zeros(parts.count) if self.linear is None else self.linear.energies_of_parts(x, parts)
        return (
            total + self.ends.energies_of_parts(parts.nearby(x), *self._of_ends, parts)
            if self.ends.size
            else total
        )

    @cached_property
    def _of_ends(self):
        own = self.ends.springs - self._spring_count
        numbers = self._stencils.stiffness, self._stencils.rest_lengths
        return tuple(np.ascontiguousarray(values[own], dtype=np.float64) for values in numbers)

    def of_part(self, stencils, particles, held, spring_count):
        """The operators of some particles on their own, of which some are held, by their indices among them.

        stencils: those that are not linear and join a particle that is free, numbered as the part is; spring_count: of
        the part. What pulls at held particles alone is left out of the matrix, so that rows sum to zero, as those of a
        matrix of all stencils do.
        """
        if self.linear_matrix is None:
            return StencilOperators(stencils, len(particles), spring_count)
        part = self.linear_matrix[particles][:, particles].tocoo()
        still = np.zeros(len(particles), dtype=bool)
        still[held] = True
        part.data[still[part.row] & still[part.col]] = 0.0
        part = part.tocsr()
        missing = np.where(still, -np.asarray(part.sum(axis=1)).ravel(), 0.0)
        part.setdiag(part.diagonal() + missing)
        return StencilOperators(stencils, len(particles), spring_count, part)
