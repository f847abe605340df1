# SPDX-License-Identifier: GPL-3.0-or-later
"""What the stencils of a network do, made once: the matrix of those that are linear, and the ends of all others."""

from functools import cached_property

import numpy as np

from ..axes import dot
from ..ends import weighted_ends_of


class StencilOperators:
    """Stencils in a network of so many vertices, after so many springs along edges. Needs SciPy.

    linear_matrix: second derivative [N/m] of the stencils that have a constant one, the same for x, y and z, SciPy CSR;
    None where there are none, and made of the stencils unless given.
    """

    def __init__(self, stencils, vertex_count, spring_count, linear_matrix=None):
        self._stencils, self._vertex_count, self._spring_count = stencils, vertex_count, spring_count
        if linear_matrix is not None:
            self.linear_matrix = linear_matrix

    @cached_property
    def linear_matrix(self):
        """See the class."""
        linear = self._stencils.linear
        return self._stencils.chosen(linear).second_derivative(self._vertex_count) if linear.any() else None

    @cached_property
    def _others(self):
        return np.flatnonzero(~self._stencils.linear)

    @cached_property
    def ends(self):
        """WeightedEnds of the stencils that are not linear, in blocks, numbered as in `SpringNetwork.springs`."""
        incidence = self._stencils.chosen(self._others).incidence(self._vertex_count)
        return weighted_ends_of(incidence, self._spring_count + self._others)

    def energy(self, x):
        """Energy [J] of all at x [m], shape (3, vertex_count)."""
        total = 0.0
        if self.linear_matrix is not None:
            total += 0.5 * sum(float(row @ (self.linear_matrix @ row)) for row in x)
        for ends in self.ends:
            u, own = np.empty((3, ends.size)), ends.springs - self._spring_count
            ends.differences(x, u, u)
            stretch = np.sqrt(dot(u, u)) - self._stencils.rest_lengths[own]
            total += 0.5 * float(np.sum(self._stencils.stiffness[own] * stretch**2))
        return total

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
