# SPDX-License-Identifier: GPL-3.0-or-later
"""How far springs may draw particles within a substep."""

import numpy as np

# Mean lengths of springs that particles may be drawn by, whatever springs are like; from as many more than its length
# at rest on, a spring that is longer may draw its ends by as much more.
_DRAWN, _LONG = 0.5, 0.25


class Drawing:
    """Ways [m] that springs of a network may draw particles by, from where inertia takes them.

    least: the way whatever springs are like [m].
    """

    def __init__(self, network):
        mean = float(network.rest_lengths.mean()) if network.spring_count else 0.0
        self.least, self._network = _DRAWN * mean, network
        # Broken ones draw nothing; between what gaps have for ends is any distance.
        long = np.where(network.broken, np.inf, (network.rest_lengths + _LONG * mean) ** 2)
        self._long = [some.row(long) for some in network.ends]
        for of_some in self._long:
            of_some[of_some == 0.0] = np.inf
        size = max((some.size for some in network.ends), default=0)
        self._u, self._w, self._square = np.empty((3, size)), np.empty((3, size)), np.empty(size)

    def ways(self, x):
        """The ways at x [m], shape (3, vertex_count): of shape () where they are the same, or one each."""
        ways = np.asarray(self.least)
        for ends, most in zip(self._network.ends, self._long, strict=True):
            u, w, square = (of[..., : ends.size] for of in (self._u, self._w, self._square))
            ends.differences(x, u, w)
            np.einsum("ij,ij->j", u, u, out=square)
            longer = square > most
            if longer.any():
                long = np.flatnonzero(longer[ends.at])
                springs = ends.springs[long]
                more = np.sqrt(square[ends.at][long]) - self._network.rest_lengths[springs]
                ways = np.full(x.shape[1], self.least) if ways.ndim == 0 else ways
                for end in self._network.edges[springs].T:
                    np.maximum.at(ways, end, self.least + more)
        return ways
