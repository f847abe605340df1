# SPDX-License-Identifier: GPL-3.0-or-later
"""Solutions of a factorised matrix to which enclosures add a term of rank one each."""

import numpy as np

from ..axes import dot
from ..topology import network_parts


class EnclosedSolve:
    """(S + sum of W'' dV dV^T)^-1 by the inverse of S and one more solve for each enclosure of a connected part.

    network: SpringNetwork with enclosures; solve: g -> S^-1 g, both of shape (3, vertex_count), S with the identity at
    hard pins and nothing between connected parts.

    Sherman and Morrison 1950, one term after the other.
    """

    def __init__(self, network, solve):
        self._solve, self._network = solve, network
        self._turns = _turns(network)
        self._terms: list[tuple] = []
        self._version = -1

    def about(self, enclosures):
        """Take up EnclosureOperators as the gradient left them; nothing to do where it was asked for nowhere since."""
        if enclosures.version == self._version:
            return
        self._version, self._terms = enclosures.version, []
        across, second = enclosures.rank_one()
        for acting, of_part in self._turns:
            weights = np.append(second, 0.0)[of_part]
            if not weights.any():
                continue
            load = np.where(acting, across, 0.0)
            load[:, self._network.hard_pins] = 0.0
            answer = self.solve(load).copy()
            of_part = np.where(weights > 0.0, of_part, len(second))
            gain = np.bincount(of_part, dot(load, answer), len(second) + 1)[:-1]
            self._terms.append((answer, of_part, np.append(second / (1.0 + second * gain), 0.0)))

    def solve(self, g):
        """The answer to g, in a buffer where `solve` has one."""
        answer = self._solve(g)
        for direction, of_part, weights in self._terms:
            along = weights * np.bincount(of_part, dot(direction, g), len(weights))
            answer -= along[of_part] * direction
        return answer


def _turns(network):
    """Of one enclosure of every part at a time: mask of the vertices of these, and the enclosure whose part each is in.

    A list; vertices of other parts have the number after the last.
    """
    piece, part = network.enclosure_operators.piece, network_parts(network)
    count = len(network.enclosures)
    inner = np.flatnonzero(piece < count)
    _, first = np.unique(piece[inner], return_index=True)
    home = part[inner[first]]
    turns = []
    left = np.arange(count)
    while len(left):
        _, places = np.unique(home[left], return_index=True)
        chosen = left[places]
        owner = np.full(part.max() + 1, count)
        owner[home[chosen]] = chosen
        turns.append((np.isin(piece, chosen), owner[part]))
        left = np.delete(left, places)
    return turns
