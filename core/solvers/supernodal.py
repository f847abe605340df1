# SPDX-License-Identifier: GPL-3.0-or-later
"""A factor in single precision that the compiled kernels solve with, on several threads."""

import numpy as np

from ..kernels.supernodes import eliminate_trees, solve_trunk, substitute_trees
from .supernodes import INDEFINITE, structure_of


class SupernodalFactor:
    """Cholesky factor of a symmetric positive definite matrix as a preconditioner: solves to single precision.

    SuperLU factorises the matrix with ones on its diagonal, in the order and with the structure that all matrices of
    its pattern have, see `Supernodes`; what has the same rows stands in panels, see `kernels.supernodes`. A solve of
    a sheet of 40,401 vertices reads 5 MB twice and takes a third of CHOLMOD's time.

    matrix: SciPy CSC. Raises LinAlgError where it is not positive definite.

    Demmel, Eisenstat, Gilbert, Li and Liu 1999, "A supernodal approach to sparse partial pivoting"; Liu 1990, "The role
    of elimination trees in sparse factorization".
    """

    name = "SUPERNODAL"

    def __init__(self, matrix):
        diagonal = matrix.diagonal()
        if not ((diagonal > 0.0).all() and np.isfinite(matrix.data).all()):
            raise np.linalg.LinAlgError(INDEFINITE)
        if not matrix.has_sorted_indices:
            matrix = matrix.sorted_indices()
        structure = structure_of(matrix)
        scale = 1.0 / np.sqrt(diagonal)
        panels, pivots = structure.panels(matrix, scale)
        self._factor = {
            **structure.indices,
            "scale": scale[structure.order].astype(np.float32),
            "panels": panels.astype(np.float32),
        }
        self._inverses = (1.0 / pivots).astype(np.float32)
        self.memory = float(structure.memory)

    def by_lanes(self, b, out):
        """A callable that has S^-1 b in `out`, two fields that stay the same arrays, see `kernels.lanes`."""
        of_trees = self._factor["trees"].shape[0], len(self._inverses), 4
        # Of a tree's row nobody touches what other trees have: it takes no memory.
        shared = {**self._factor, "x": np.zeros(of_trees, np.float32)}
        solved = {**shared, "inverses": self._inverses, "out": out}
        eliminate, substitute = eliminate_trees.bound(**shared, b=b), substitute_trees.bound(**solved)
        trunk = solve_trunk.bound(**solved, b=b)

        def solve():
            eliminate()
            trunk()
            substitute()

        return solve


def single_factor(rows):
    """The power of two that brings the largest entry to a size in the midst of single precision; 1 of no numbers."""
    largest = max(rows.max(initial=0.0), -rows.min(initial=0.0))
    exponent = int(np.frexp(largest)[1]) if np.isfinite(largest) else 0
    return 2.0 ** min(max(-exponent, -1000), 1000)
