# SPDX-License-Identifier: GPL-3.0-or-later
"""What was found close to each other before, for as long as it serves."""

from typing import Any, NamedTuple

import numpy as np

from .outlines import parting
from .patches import among

# How much farther than needed is searched, over the reach, so that what was found may serve again.
_MARGIN = 0.5


class Found(NamedTuple):
    """Pairs of one kind: the numbers of the elements on both sides."""

    first: np.ndarray
    second: np.ndarray

    def of(self, which):
        """Those of a mask or of indices."""
        return Found(self.first[which], self.second[which])


class Remembered:
    """Pairs that were found in pairs of leaves, which serve until their sides moved apart by more than a margin.

    patches: Patches; kinds: of pairs; reach: how close is to be found [m]; at: positions to begin with [m], shape
    (3, particle_count). Pairs of leaves p and q have the keys p * count + q.
    """

    def __init__(self, patches, kinds, reach, at):
        none = np.zeros(0, dtype=np.intp)
        self._patches, self._reach, self._at = patches, reach, at
        # Of every kind what was found, and the key of each, which rise.
        self._kept: dict[Any, tuple[Found, np.ndarray]] = {kind: (Found(none, none), none) for kind in kinds}
        # Keys of what was looked at, which rise, and how far both sides moved against each other since [m].
        self._keys, self._spent = none, np.zeros(0)

    def of(self, kind, there, again):
        """What is remembered of a kind; again: of the pairs of leaves of a Nearby alone."""
        kept, of_pair = self._kept[kind]
        return kept.of(np.flatnonzero(among(self._keys_of(there), of_pair))) if again else kept

    def add(self, fresh):
        """Remember what was Found with the keys of each, which rise, by kind."""
        for kind, (kept, of_pair) in self._kept.items():
            found, keys = fresh[kind]
            of_pair = np.append(of_pair, keys)
            order = np.argsort(of_pair, kind="stable")
            both = Found(*(np.concatenate(of)[order] for of in zip(kept, found, strict=True)))
            self._kept[kind] = both, of_pair[order]

    def stale(self, there, turned, again):
        """Mask of a Nearby's pairs of leaves that are to be looked at anew, and how far [m].

        turned: mask of leaves of which nothing serves; again: whether other pairs of leaves stay as they are,
        else they are forgotten.
        """
        if turned.any():
            p, q = np.divmod(self._keys, self._patches.count)
            self._spent[turned[p] | turned[q]] = np.inf
        p, q, keys = there.p, there.q, self._keys_of(there)
        places = np.searchsorted(self._keys, keys)
        known = np.append(self._keys, -1)[places] == keys
        spent = np.where(known, np.append(self._spent, np.inf)[places], np.inf)
        spent += parting(self._patches.moved(self._at, there.x), p, q)
        ahead = parting(self._patches.moved(there.x, there.end), p, q)
        margin = _MARGIN * self._reach
        stale = spent + ahead > margin
        # What moves fast is elsewhere next time: it is not looked for any farther than needed.
        serves = ahead < 0.5 * margin
        self._at = there.x
        self._keep(keys, np.where(stale, np.where(serves, 0.0, np.inf), spent), stale, again)
        return stale, self._reach + np.where(serves, margin, 0.0)

    def _keys_of(self, there):
        return there.p * self._patches.count + there.q

    def _keep(self, keys, spent, stale, again):
        """Keep what was found of pairs of leaves that are not stale, and if again of all others."""
        if again:
            others = np.flatnonzero(~among(keys, self._keys))
            keys = np.append(keys, self._keys[others])
            order = np.argsort(keys)
            keys, spent = keys[order], np.append(spent, self._spent[others])[order]
            stale = np.append(stale, np.zeros(len(others), dtype=bool))[order]
        for kind, (kept, of_pair) in self._kept.items():
            stays = np.flatnonzero(among(keys[~stale], of_pair))
            self._kept[kind] = kept.of(stays), of_pair[stays]
        self._keys, self._spent = keys, spent
