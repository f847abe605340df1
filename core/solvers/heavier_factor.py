# SPDX-License-Identifier: GPL-3.0-or-later
"""The factor of a matrix that heavier particles would have."""

import numpy as np


class HeavierFactor:
    """What S^-1 g is to become (S + C C^T)^-1 g, C of a few columns: the mass of the air in all directions.

    Air resists motion along normals alone, which turn; with all directions S stays what bounds it, and constant.

    factor: KeptFactor; air: ReactiveAir; dt: of the formula [s].

    Hager 1989, "Updating the inverse of a matrix", for Sherman, Morrison and Woodbury's formula.
    """

    def __init__(self, factor, air, dt):
        self._place, columns = air.place, air.columns / dt
        every = np.zeros((air.particle_count, columns.shape[1]))
        every[air.place] = columns
        # Three at a time, as the factor solves for axes.
        count = columns.shape[1]
        rows = np.zeros((3 * -(-count // 3), air.particle_count))
        rows[:count] = every.T
        found = [factor.solve(rows[at : at + 3]).copy() for at in range(0, len(rows), 3)]
        solved = np.ascontiguousarray(np.concatenate(found)[:count, air.place].T)
        inner = np.eye(columns.shape[1]) + np.einsum("ni,nj->ij", columns, solved)
        # Half of the inverse on either side keeps the answer symmetric to the last bit.
        values, vectors = np.linalg.eigh(0.5 * (inner + inner.T))
        self._taken = np.ascontiguousarray(np.einsum("ni,ij->jn", solved, vectors / np.sqrt(values)))

    def correct(self, g, increment):
        """Take from an increment S^-1 g what the mass resists; both of shape (3, n)."""
        own = np.ascontiguousarray(g[:, self._place])
        increment[:, self._place] -= np.einsum(
            "rn,ar->an", self._taken, np.einsum("rn,an->ar", self._taken, own)
        )
