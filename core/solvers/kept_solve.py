# SPDX-License-Identifier: GPL-3.0-or-later
"""The inverse of the kept matrix, with what enclosures and air add to it."""

from functools import cached_property

from .enclosed_solve import EnclosedSolve
from .heavier_factor import HeavierFactor


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
