# SPDX-License-Identifier: GPL-3.0-or-later
"""The factor of a matrix that heavier particles would have."""

import numpy as np


class HeavierFactor:
    """What S^-1 g is to become (S + C C^T)^-1 g, C of a few columns: the mass of the air in all directions.

    Air resists motion along normals alone, which turn; with all directions S stays what bounds it, and constant.

    air: ReactiveAir; dt: of the formula [s]; solve: S^-1, one row an axis.
    """

    def __init__(self, air, dt, solve):
        self._place = air.place
        self._taken = np.ascontiguousarray(heavier_columns(air, dt, solve).T)

    def correct(self, g, increment):
        """Take from an increment S^-1 g what the mass resists; both of shape (3, n)."""
        own = np.ascontiguousarray(g[:, self._place])
        increment[:, self._place] -= np.einsum(
            "rn,ar->an", self._taken, np.einsum("rn,an->ar", self._taken, own)
        )


def heavier_columns(air, dt, solve):
    """Columns T with (S + C C^T)^-1 = S^-1 - T T^T, shape (vertex_count, columns); as in HeavierFactor.

    Half of an inverse on either side, so that the answer is symmetric to the last bit.

    Hager 1989, "Updating the inverse of a matrix", for Sherman, Morrison and Woodbury's formula.
    """
    columns = air.columns / dt
    count = columns.shape[1]
    # Three at a time, as the factor solves for axes.
    rows = np.zeros((3 * -(-count // 3), air.particle_count))
    rows[:count, air.place] = columns.T
    found = [solve(rows[at : at + 3]).copy() for at in range(0, len(rows), 3)]
    solved = np.ascontiguousarray(np.concatenate(found)[:count, air.place].T)
    inner = np.eye(count) + np.einsum("ni,nj->ij", columns, solved)
    values, vectors = np.linalg.eigh(0.5 * (inner + inner.T))
    return np.einsum("ni,ij->nj", solved, vectors / np.sqrt(values))
