# SPDX-License-Identifier: GPL-3.0-or-later
"""How far apart pairs of leaves are at least, for as long as that keeps them from passing through each other."""

import numpy as np

from .crossings import distances
from .nearby import Nearby
from .outlines import parting

# How far it is told that nothing is near in a pair of leaves, over the reach; what moves by more than half of it in a
# way is not asked for it.
_FAR = 0.1

# Of gaps, what rounding leaves at least.
_ROUNDING = 1e-9


class Gaps:
    """Tells pairs of leaves between which nothing can pass, by gaps of before less all motion since.

    A gap is what a plane parts them by, or the distance of the nearest things in them: of what moves by less nothing
    passes, whenever it was found.

    patches: Patches; listed: Elements of all kinds; pairing: Pairing; reach: distance that is near [m].
    """

    def __init__(self, patches, listed, pairing, reach):
        self._patches, self._listed, self._pairing, self._far = patches, listed, pairing, _FAR * reach
        # Keys of pairs of leaves, which rise, and gaps [m] that they had at least at positions [m].
        self._keys, self._gaps, self._at = np.zeros(0, dtype=np.intp), np.zeros(0), None

    def closed(self, x, end, p, q, reach, looked):
        """Those of pairs of leaves, which rise, in which anything may come closer than reach on ways from x to end.

        x, end: [m], shape (3, particle_count); looked: mask of the pairs that are asked for.
        """
        gaps = self._followed(x, p, q)
        ahead = parting(self._patches.moved(x, end), p, q)
        asked = np.flatnonzero(looked & (gaps <= ahead + reach))
        close, gaps[asked] = self._patches.passing(x, end, p[asked], q[asked], reach)
        close = asked[close]
        slow = close[ahead[close] < 0.5 * self._far]
        gaps[close] = 0.0
        gaps[slow] = self._within(x, end, p[slow], q[slow])
        self._gaps = gaps - _ROUNDING * self._far
        close = close[self._gaps[close] <= ahead[close] + reach]
        return p[close], q[close]

    def _followed(self, x, p, q):
        """Gaps of pairs of leaves at x [m], below 0 of what nothing is known of."""
        keys = p * self._patches.count + q
        gaps = np.full(len(keys), -np.inf)
        if self._at is not None and len(self._keys):
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            known = np.flatnonzero(self._keys[places] == keys)
            since = parting(self._patches.moved(self._at, x), p[known], q[known])
            gaps[known] = self._gaps[places[known]] - since
        self._keys, self._at = keys, x
        return gaps

    def _within(self, x, end, p, q):
        """How far anything in pairs of leaves is apart at x at least [m], up to how far it is told."""
        gaps = np.full(len(p), self._far)
        if len(p):
            there = Nearby(self._patches, self._listed, x, end, p, q)
            every = np.ones(len(self._listed[2].patches), dtype=bool)
            found = self._pairing.found(there, p, q, gaps, every)
            keys = p * self._patches.count + q
            for kind, (of_kind, of_pair) in found.items():
                rows = self._pairing.rows(kind, of_kind).T
                np.minimum.at(gaps, np.searchsorted(keys, of_pair), distances(kind, x.take(rows, axis=1)))
        return gaps
