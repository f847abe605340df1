# SPDX-License-Identifier: GPL-3.0-or-later
"""How far springs may draw particles within a substep."""

import numpy as np

from .around_edges import TAUT

# Mean lengths of springs that particles may be drawn by, whatever springs are like; from as many more than its length
# at rest on, a spring that is longer may draw its ends by as much more.
_DRAWN, _LONG = 0.5, 0.25


class Drawing:
    """Ways [m] that springs of a network may draw particles by, from where inertia takes them.

    least: the way whatever springs are like [m]; taut: indices of springs longer than by TAUT, where
    ways were told last.
    """

    def __init__(self, network):
        mean = float(network.rest_lengths.mean()) if network.spring_count else 0.0
        self.least, self._network = _DRAWN * mean, network
        # Broken ones draw nothing.
        long = np.where(network.broken, np.inf, (network.rest_lengths + _LONG * mean) ** 2)
        taut = np.where(network.broken, np.inf, ((1.0 + TAUT) * network.rest_lengths) ** 2)
        self._long = network.ends.row(long)
        self._taut = np.minimum(network.ends.row(taut), self._long)
        self.taut = np.zeros(0, dtype=np.intp)
        size = network.ends.size
        self._u, self._square = np.empty((3, size)), np.empty(size)

    def ways(self, x):
        """The ways at x [m], shape (3, vertex_count): of shape () where they are the same, or one each."""
        ways, ends, square = np.asarray(self.least), self._network.ends, self._square
        ends.differences(x, self._u)
        np.einsum("ij,ij->j", self._u, self._u, out=square)
        tight = np.flatnonzero(square > self._taut)
        self.taut = ends.springs[tight]
        tight = tight[square[tight] > self._long[tight]]
        if len(tight):
            springs = ends.springs[tight]
            more = np.sqrt(square[tight]) - self._network.rest_lengths[springs]
            ways = np.full(x.shape[1], self.least)
            for end in self._network.edges[springs].T:
                np.maximum.at(ways, end, self.least + more)
        return ways
