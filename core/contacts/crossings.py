# SPDX-License-Identifier: GPL-3.0-or-later
"""Which particles really pass through triangles, and strands through strands, on straight ways."""

import numpy as np

from ..axes import cross, dot

# Halvings of the time at which four particles lie in a plane.
_HALVINGS = 30

# Distance there below which a pair has met, over the longest way between two of its particles.
_MET = 1e-5

# What ends at more than so much of the distance that it began at has not come closer.
_CLOSER = 0.99

_LEAST = 1e-300


def crosses(kind, rows, start, end, least):
    """Mask of pairs that pass through each other on straight ways from start to end [m], shape (3, particle_count).

    So do those that end closer than `least` [m] and came closer: who has no distance has no side.
    kind: Faces or Strands; rows: particles of the pairs, shape (4, count). What a plane parts at both ends cannot
    meet; of the others all times are looked at when their four particles lie in one plane.
    Provot 1997, "Collision and self-collision handling in cloth model dedicated to design garments", section 3.3.
    """
    close = np.arange(rows.shape[1])
    for direction in (_between(kind), kind.plane):
        at, to = (of.take(rows[:, close], axis=1) for of in (start, end))
        close = close[~_parted(kind, direction(at), at, to, least)]
        if len(close) == 0:
            break
    mask = np.zeros(rows.shape[1], dtype=bool)
    if len(close) == 0:
        return mask
    at, to = (of.take(rows[:, close], axis=1) for of in (start, end))
    way, after = to - at, distances(kind, to)
    found = (after < least) & (after < _CLOSER * distances(kind, at))
    for share in _shares(at, way):
        p = at + np.maximum(share, 0.0) * way
        sides = p[:, 1:] - p[:, :1]
        longest = np.sqrt(np.einsum("akc,akc->kc", sides, sides).max(axis=0, initial=0.0))
        found |= (share >= 0.0) & (distances(kind, p) <= _MET * longest)
    mask[close] = found
    return mask


def _between(kind):
    """Directions from the middles of second sides to those of first ones."""
    return lambda p: p[:, : kind.first].mean(axis=1) - p[:, kind.first :].mean(axis=1)


def _parted(kind, n, at, to, least):
    """Mask of pairs that planes across directions n have on either side at both ends, and by `least` [m] at the end."""
    above = below = np.ones(n.shape[1], dtype=bool)
    for p, far in ((at, 0.0), (to, least * np.sqrt(dot(n, n)))):
        along = np.einsum("ac,akc->kc", n, p)
        one, other = along[: kind.first], along[kind.first :]
        above = above & (one.min(axis=0) > other.max(axis=0) + far)
        below = below & (one.max(axis=0) + far < other.min(axis=0))
    return above | below


def distances(kind, p):
    """Distances of pairs at positions [m], shape (3, particle_count of a pair, count)."""
    offsets = np.einsum("kc,akc->ac", kind.weights(p), p)
    return np.sqrt(dot(offsets, offsets))


def _shares(start, way):
    """Shares of the ways at which four particles lie in one plane, up to three, below 0 where there is none."""
    a, b, c = (start[:, k] - start[:, 0] for k in (1, 2, 3))
    u, v, w = (way[:, k] - way[:, 0] for k in (1, 2, 3))
    bc, vw, mixed = cross(b, c), cross(v, w), cross(b, w) + cross(v, c)
    volume = dot(a, bc), dot(u, bc) + dot(a, mixed), dot(u, mixed) + dot(a, vw), dot(u, vw)
    ends = np.zeros_like(volume[0]), *_turns(*volume[1:]), np.ones_like(volume[0])
    signs = [_cubic(volume, share) < 0.0 for share in ends]
    for low, high, below, after in zip(ends[:-1], ends[1:], signs[:-1], signs[1:], strict=True):
        turned = np.flatnonzero(below != after)
        if len(turned) == 0:
            continue
        terms = [of[turned] for of in volume]
        low, high, below = low[turned], high[turned], below[turned]
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            same = (_cubic(terms, middle) < 0.0) == below
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        share = np.full(len(after), -1.0)
        share[turned] = high
        yield share


def _cubic(terms, share):
    constant, linear, square, cube = terms
    return ((cube * share + square) * share + linear) * share + constant


def _turns(linear, square, cube):
    """Where a cubic may turn between 0 and 1, rising."""
    root = np.sqrt(np.maximum(square**2 - 3.0 * cube * linear, 0.0))
    # Without a difference of what is nearly the same.
    q = -(square + np.where(square < 0.0, -root, root))
    one, other = (
        np.where(np.abs(below) > _LEAST, above / np.where(np.abs(below) > _LEAST, below, 1.0), 0.0)
        for above, below in ((q, 3.0 * cube), (linear, q))
    )
    one, other = np.clip(one, 0.0, 1.0), np.clip(other, 0.0, 1.0)
    return np.minimum(one, other), np.maximum(one, other)
