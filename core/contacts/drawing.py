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
        # Broken ones draw nothing; between what gaps have for ends is any distance.
        long = np.where(network.broken, np.inf, (network.rest_lengths + _LONG * mean) ** 2)
        self._long = _rows(network, long)
        taut = np.where(network.broken, np.inf, ((1.0 + TAUT) * network.rest_lengths) ** 2)
        self._taut = [np.minimum(*both) for both in zip(_rows(network, taut), self._long, strict=True)]
        self.taut = np.zeros(0, dtype=np.intp)
        size = max((some.size for some in network.ends), default=0)
        self._u, self._w, self._square = np.empty((3, size)), np.empty((3, size)), np.empty(size)

    def ways(self, x):
        """The ways at x [m], shape (3, vertex_count): of shape () where they are the same, or one each."""
        ways, found = np.asarray(self.least), [self.taut[:0]]
        for ends, most, taut in zip(self._network.ends, self._long, self._taut, strict=True):
            u, w, square = (of[..., : ends.size] for of in (self._u, self._w, self._square))
            ends.differences(x, u, w)
            np.einsum("ij,ij->j", u, u, out=square)
            tight = square > taut
            if not tight.any():
                continue
            tight = np.flatnonzero(tight[ends.at])
            springs = ends.springs[tight]
            found.append(springs)
            longer = (square > most)[ends.at][tight]
            if longer.any():
                springs, tight = springs[longer], tight[longer]
                more = np.sqrt(square[ends.at][tight]) - self._network.rest_lengths[springs]
                ways = np.full(x.shape[1], self.least) if ways.ndim == 0 else ways
                for end in self._network.edges[springs].T:
                    np.maximum.at(ways, end, self.least + more)
        self.taut = np.concatenate(found)
        return ways


def _rows(network, squares):
    """Squares of lengths by ends, endless between what gaps have for ends."""
    rows = [some.row(squares) for some in network.ends]
    for of_some in rows:
        of_some[of_some == 0.0] = np.inf
    return rows
