# SPDX-License-Identifier: GPL-3.0-or-later
"""The inverse of the kept matrix, with what enclosures add to it as they are."""

from .enclosed_solve import EnclosedSolve


class KeptSolve:
    """g -> S^-1 g, both one row an axis, the answer in a buffer; enclosures are about where the gradient was evaluated.

    factor: KeptFactor; problem: ImplicitStep.
    bounded: whether S is nowhere below half of the second derivative: of springs it is.
    """

    def __init__(self, factor, problem):
        self._by_factor, self._problem = factor.solve, problem
        self.change(problem.network)

    def change(self, network):
        """Take up a network that is the same in all that S has."""
        self.bounded = len(network.enclosures) == 0
        self._enclosed = None if self.bounded else EnclosedSolve(network, self._by_factor)

    def __call__(self, g):
        """See the class."""
        if self._enclosed is None:
            return self._by_factor(g)
        self._enclosed.about(self._problem.enclosures)
        return self._enclosed.solve(g)
