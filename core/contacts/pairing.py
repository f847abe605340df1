# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of what is in patches that are near each other."""

from itertools import pairwise

import numpy as np

from ..axes import dot
from .elements import AtRest
from .pair_kinds import Strands
from .remembered import Found

# Pairs of elements that are looked at together: the memory that takes is a few MB, however much lies on itself.
_AT_ONCE = 1 << 16


class Pairing:
    """Pairs the elements of two leaves, but for those that springs keep apart, and of which neither can move.

    sides: kinds of pairs with the Elements on both sides; rest: positions at rest [m], shape (particle_count, 3);
    count: of leaves; bodies: Bodies that are kept apart, None for all.
    """

    def __init__(self, sides, rest, count, bodies):
        self._sides, self._count, self._bodies = sides, count, bodies
        self._at_rest = AtRest(rest)

    def rows(self, kind, found):
        """Particles of pairs Found, shape (pair_count, 2 or 4)."""
        _, one, other = next(sides for sides in self._sides if sides[0] is kind)
        return np.concatenate([one.corners[found.first], other.corners[found.second]], axis=1)

    def found(self, there, p, q, reach, out, best=None):
        """Pairs of what is in leaves p and q, and closer than reach [m], and the leaves of each, by kind.

        out: mask of the strands that are looked at; best: of each pair the direction to be tried first, or None.
        """
        parts = [
            self._found(there, p[few], q[few], reach[few], out, None if best is None else best[few])
            for few in self._at_once(p, q)
        ]
        return {kind: _joined([found[kind] for found in parts]) for kind, *_ in self._sides}

    def _at_once(self, p, q):
        """Slices of pairs of leaves with about as many pairs of elements each as are looked at together."""
        pairs = sum(one.counts(p) * other.counts(q) for _, one, other in self._sides)
        turns = np.cumsum(pairs) // _AT_ONCE
        bounds = [0, *(np.flatnonzero(np.diff(turns)) + 1), len(p)]
        return [slice(*ends) for ends in pairwise(bounds)]

    def _found(self, there, p, q, reach, out, best):
        """As `found`, all at once."""
        found, keys = {}, p * self._count + q
        for kind, one, other in self._sides:
            here, facing, far, pair, first = p, q, reach, keys, best
            if one is not other:
                turned = np.flatnonzero(p != q)
                here, facing = np.append(p, q[turned]), np.append(q, p[turned])
                far, pair = (np.append(of, of[turned]) for of in (reach, keys))
                first = None if best is None else np.append(best, best[turned])
            listed = one.of_patches(here)
            if kind is Strands:
                looked = np.flatnonzero(out[listed[0]])
                listed = tuple(of[looked] for of in listed)
            i, numbers = there.beside(one, listed, facing, far, first)
            j, rows = other.of_patches(facing[numbers])
            i, numbers = i[rows], numbers[rows]
            if one is other:
                once = (here != facing)[numbers] | (i < j)
                once = np.flatnonzero(once & out[j] if kind is Strands else once)
                i, j, numbers = i[once], j[once], numbers[once]
                i, j = np.minimum(i, j), np.maximum(i, j)
            pairs, far = Found(i, j), far[numbers]
            close = np.flatnonzero(there.met(one, other, pairs, far))
            close = close[self._may_meet(kind, one, other, *pairs.of(close))]
            close = close[there.close(kind, one, other, pairs.of(close), far[close])]
            order = close[np.argsort(pair[numbers[close]], kind="stable")]
            found[kind] = pairs.of(order), pair[numbers[order]]
        return found

    def _may_meet(self, kind, one, other, i, j):
        """Mask of pairs that springs do not keep apart, and of which one side can move."""
        near = np.maximum(one.near.take(i), other.near.take(j))
        apart = [
            first.take(i) - second.take(j) for first, second in zip(one.middles, other.middles, strict=True)
        ]
        beside = dot(apart, apart) < (near + one.radii.take(i) + other.radii.take(j)) ** 2
        doubtful = np.flatnonzero(beside & (one.parts.take(i) == other.parts.take(j)))
        ones, others = (of.columns.take(these[doubtful], axis=1) for of, these in ((one, i), (other, j)))
        shared = np.zeros(len(doubtful), dtype=bool)
        for corner in ones:
            shared |= (corner == others).any(axis=0)
        may = one.movable.take(i) | other.movable.take(j)
        if self._bodies is not None:
            may &= self._bodies.meet(one.corners[i, 0], other.corners[j, 0])
        may[doubtful[shared]] = False
        doubtful = doubtful[~shared]
        may[doubtful] &= self._at_rest.apart(kind, one, other, i[doubtful], j[doubtful], near[doubtful])
        return may


def _joined(found):
    """Pairs Found, and the keys of each, of lists that follow each other."""
    pairs, keys = zip(*found, strict=True)
    return Found(*map(np.concatenate, zip(*pairs, strict=True))), np.concatenate(keys)
