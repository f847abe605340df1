# SPDX-License-Identifier: GPL-3.0-or-later
"""How near Pairs come, of which most are known to be far from when they were looked at before."""

from typing import Any

import numpy as np

from ..kernels import Indices
from ..kernels.stencils import nearness


class LookedAt:
    """Pairs with the distances that they had where all were looked at, after they were searched.

    No stencil comes nearer than that by more than what a corner of each of its sides has moved since: in substeps that
    are short beside the ways that were searched, few have to be looked at. What is found is the same.

    pairs: Pairs; count: of vertices, first: how many of them are particles; within: whether any pair is between these.
    """

    def __init__(self, pairs, count, first, *, within):
        self._first, self._sides = first, 2.0 if within else 1.0
        self._stencils = Indices(pairs.corners, count)
        self.pairs = pairs._replace(corners=self._stencils.values)
        self._starts: Any = None
        self._distances = np.empty(0)

    def near(self, ways, reach):
        """Numbers of pairs that may come as near as a reach [m] on Ways.

        And for these distances, approaches and volumes, see `nearness`.
        """
        which = self._which(ways, reach)
        if which is None:
            stencils, kinds = self._stencils, self.pairs.kinds
        else:
            stencils, kinds = self._stencils.chosen(which), self.pairs.kinds[which]
        count = len(kinds)
        found = np.empty(count), np.empty((2, count)), np.empty(count)
        nearness(*ways, stencils, kinds, *found)
        if which is None:
            self._starts, self._distances = ways.starts, found[0]
        distances, approaches, volumes = found
        close = np.flatnonzero((distances <= reach + approaches[1]) & (distances > 0.0))
        return (
            close if which is None else which[close],
            distances[close],
            approaches[:, close],
            volumes[close],
        )

    def _which(self, ways, reach):
        """Numbers of pairs whose corners may have come as near since all were looked at, None for all."""
        if self._starts is None:
            return None
        far = _lengths(ways.starts - self._starts) + _lengths(ways.ways) + ways.margins
        first, *corners = self.pairs.corners.T
        most = far.take(first)
        for corner in corners:
            np.maximum(most, far.take(corner), out=most)
        others = far[self._first :].max(initial=0.0)
        return np.flatnonzero(self._distances - self._sides * most <= reach + others)


def _lengths(u):
    return np.sqrt(np.einsum("ij,ij->j", u, u))
