# SPDX-License-Identifier: GPL-3.0-or-later
"""The ends of springs as an operator on rows of numbers: reading vertices, and adding to them."""

from functools import cached_property

import numpy as np

from .kernels import Indices
from .kernels.blocks import add_spring_blocks
from .kernels.lanes import slice_count
from .kernels.slices import in_slices
from .kernels.springs import add_spring_pulls, point_differences

# Placeholders for outputs of a kernel that are not wanted: numbers, rows, a second derivative, energies of each spring.
NONE, NO_ROWS = np.empty(0), np.empty((3, 0))
NOT_BENT = np.empty((0, 4), np.float32), np.empty((0, 2), np.float32)
NOT_TOLD = np.empty(0)


class Ends:
    """Gathers the vertices of some springs, and adds to them: one row an axis, one entry a vertex or spring.

    The springs are in the order that kernels add them to slices of vertices, see `in_slices`.

    vertices: indices, shape (size, width); weights: of the same shape, or (1, width) where all have the same; springs:
    their indices in the network, and in that order after it.
    in_slices: what kernels are told of them, by name.
    """

    def __init__(self, vertices, weights, vertex_count, springs):
        slices = in_slices(vertices, vertex_count)
        order, weights = slices.order, np.asarray(weights)
        self.vertices = Indices(np.asarray(vertices)[order], vertex_count)
        self.weights = np.ascontiguousarray(weights if len(weights) == 1 else weights[order])
        self.springs, self.size = springs[order], len(springs)
        self.in_slices = {"vertices": self.vertices, "weights": self.weights}
        self.in_slices |= {"inner": slices.inner, "touching": slices.touching, "touched": slices.touched}

    def row(self, values):
        """A row of what these springs have of values of shape (spring_count,)."""
        return np.ascontiguousarray(values[self.springs], dtype=np.float64)

    def differences(self, x, out):
        """u = sum of w_i x_i, of an edge x_i - x_j, into `out`, shape (3, size), for x of shape (3, vertex_count)."""
        point_differences(np.ascontiguousarray(x), self.vertices, self.weights, out)

    def energy(self, x, stiffness, rest_lengths, gradient=NO_ROWS):
        """Energy [J] at x [m], shape (3, vertex_count), of springs with rows of stiffness and of rest lengths.

        gradient: what its gradient [N] is added to, of the shape of x, unless it is not asked for.
        """
        return float(self._evaluated(x, stiffness, rest_lengths, gradient, NOT_TOLD)[:, 0].sum())

    def energies_of_parts(self, x, stiffness, rest_lengths, parts):
        """The same of every part, shape (parts.count,); parts: PartSums."""
        each = np.empty(self.size)
        self._evaluated(x, stiffness, rest_lengths, NO_ROWS, each)
        return parts.sums(each, self.vertices.values[:, 0])

    def _evaluated(self, x, stiffness, rest_lengths, gradient, each):
        energies = np.empty((slice_count(self.vertices.below), 2))
        numbers = stiffness, rest_lengths, NONE, NO_ROWS, NO_ROWS, NONE, NONE
        written = gradient, NO_ROWS, *NOT_BENT, energies, each
        add_spring_pulls(np.ascontiguousarray(x), *self.in_slices.values(), *numbers, *written)
        return energies

    def add_blocks(self, directions, stiff, stiffness, least, out):
        """Add what springs have at both ends of a second derivative, see `add_spring_blocks`, to `out`. Needs SciPy.

        Each vertex of a wider spring gets it by |w_i| sum_j |w_j|/2, as much as an edge's ends do: the square of a
        weight alone would let what is far apart give way together, and a block of it bounds nothing.
        """
        add_spring_blocks(*self._bounds, directions, stiff, stiffness, least, out)

    @cached_property
    def _bounds(self):
        """Starts, springs and weights of a matrix with a row a vertex."""
        from scipy import sparse

        sizes, vertices = np.abs(self.weights), self.vertices.values
        weights = 0.5 * sizes * sizes.sum(axis=1, keepdims=True)
        joined = np.broadcast_to(weights, vertices.shape)
        rows = np.arange(0, vertices.size + 1, vertices.shape[1])
        shape = self.size, self.vertices.below
        matrix = sparse.csr_matrix((joined.ravel(), vertices.ravel(), rows), shape).T.tocsr()
        starts, springs = Indices(matrix.indptr, matrix.nnz + 1), Indices(matrix.indices, self.size)
        return starts, springs, np.ascontiguousarray(matrix.data)


def ends_of(edges, vertex_count):
    """Ends of all springs along edges, shape (spring_count, 2), by their earlier vertex: read and written nearby."""
    low, high = np.sort(edges, axis=1).T
    order = np.lexsort((high, low))
    return Ends(edges[order], [[1.0, -1.0]], vertex_count, order)


def weighted_ends_of(incidence, springs):
    """Ends of all springs of an Incidence; springs: their indices in the network."""
    return Ends(incidence.vertices, incidence.weights, incidence.shape[1], springs)
