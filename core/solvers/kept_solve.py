# SPDX-License-Identifier: GPL-3.0-or-later
"""The inverse of the kept matrix, with what enclosures and air add to it."""

from functools import cached_property

import numpy as np

from .enclosed_solve import EnclosedSolve


class KeptSolve:
    """g -> S^-1 g, both one row an axis, the answer in a buffer; enclosures are about where the gradient was evaluated.

    factor: KeptFactor; problem: ImplicitStep; airs: ReactiveAirs, of whose mass it has as much in all directions.
    bounded: whether S is nowhere below half of the second derivative: of springs alone it is. enclosing: whether it has
    what enclosures add to it.
    """

    def __init__(self, factor, problem, airs=()):
        self._problem, self._factor, self._airs = problem, factor, airs
        self._by_factor = self._with_air if airs else factor.solve
        self.change(problem.network)

    def change(self, network):
        """Take up a network that is the same in all that S has."""
        self.enclosing = len(network.enclosures) > 0
        # Where normals turn within a wave, air resists more than its mass in all directions would.
        self.bounded = not (self.enclosing or self._airs)
        self._enclosed = EnclosedSolve(network, self._by_factor) if self.enclosing else None

    def __call__(self, g):
        """See the class."""
        if self._enclosed is None:
            return self._by_factor(g)
        self._enclosed.about(self._problem.enclosures)
        return self._enclosed.solve(g)

    def _with_air(self, g):
        # Made before the buffer has the answer.
        heavier_factors = self._heavier
        solved = self._factor.solve(g)
        for heavier in heavier_factors:
            heavier.correct(g, solved)
        return solved

    @cached_property
    def _heavier(self):
        # When it is first asked for: a few iterations in single precision have their own.
        return [HeavierFactor(air, self._problem.dt, self._factor.solve) for air in self._airs]


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
