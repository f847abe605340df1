# SPDX-License-Identifier: GPL-3.0-or-later
"""The inverse of the kept matrix, with what enclosures and air add to it."""

from .enclosed_solve import EnclosedSolve
from .heavier_factor import HeavierFactor


class KeptSolve:
    """g -> S^-1 g, both one row an axis, the answer in a buffer; enclosures are about where the gradient was evaluated.

    factor: KeptFactor; problem: ImplicitStep; airs: ReactiveAirs, of whose mass it has as much in all directions.
    bounded: whether S is nowhere below half of the second derivative: of springs alone it is.
    """

    def __init__(self, factor, problem, airs=()):
        self._by_factor, self._problem, self._factor = factor.solve, problem, factor
        self._airs = [HeavierFactor(factor, air, problem.dt) for air in airs]
        if airs:
            self._by_factor = self._with_air
        self.change(problem.network)

    def change(self, network):
        """Take up a network that is the same in all that S has."""
        none = len(network.enclosures) == 0
        # Where normals turn within a wave, air resists more than its mass in all directions would.
        self.bounded = none and not self._airs
        self._enclosed = None if none else EnclosedSolve(network, self._by_factor)

    def __call__(self, g):
        """See the class."""
        if self._enclosed is None:
            return self._by_factor(g)
        self._enclosed.about(self._problem.enclosures)
        return self._enclosed.solve(g)

    def _with_air(self, g):
        solved = self._factor.solve(g)
        for air in self._airs:
            air.correct(g, solved)
        return solved
