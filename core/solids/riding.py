# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that ride on a lattice, as weighted sums of its nodes."""

from typing import NamedTuple

import numpy as np

_OFFSETS = np.array(list(np.ndindex(2, 2, 2)))


class Riding(NamedTuple):
    """Points as weighted sums of nodes: nodes, shape (count, 8), and weights that sum to 1, shape (count, 8)."""

    nodes: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, cells, points, inward):
        """Where points [m] are in Cells, by trilinear weights; inward: unit vectors into the solid, shape (count, 3).

        A point outside of all filled cells rides on the nearest one, as if that went on.
        """
        from scipy.spatial import cKDTree

        shape = np.array(cells.share.shape)
        along = cells.along(points)
        at = cells.at(points, inward)
        outside = cells.share[tuple(at.T)] == 0.0
        if outside.any():
            filled = cells.filled
            tree = cKDTree((filled + 0.5) * cells.spacing)
            at[outside] = filled[tree.query(along[outside] * cells.spacing)[1]]
        within = (along - at)[:, None]
        weights = np.where(_OFFSETS, within, 1.0 - within).prod(axis=2)
        nodes = np.ravel_multi_index(tuple(np.moveaxis(at[:, None] + _OFFSETS, 2, 0)), tuple(shape + 1))
        return cls(nodes, weights)

    def renumbered(self, places):
        """The same on nodes of other numbers: `places` has the new one of each."""
        return Riding(places[self.nodes], self.weights)
