# SPDX-License-Identifier: GPL-3.0-or-later
"""How far groups of particles reach along fixed directions, at both ends of their ways."""

from typing import Any

import numpy as np

from ..axes import dot

# Lengths of the directions: the axes, and what lies between two of them.
LENGTHS = np.sqrt([1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0])

_LEAST = 1e-300


def directed(x):
    """Places of positions along the directions, times their LENGTHS, shape (9, count); x: shape (3, count)."""
    a, b, c = x
    return np.stack([a, b, c, a + b, a - b, a + c, a - c, b + c, b - c])


def outlines(places, groups):
    """Least and greatest of groups, both of shape (len(places), group_count); groups: indices, a column each."""
    chosen = places.take(groups, axis=1)
    return chosen.min(axis=1), chosen.max(axis=1)


def columns(starts, counts):
    """Numbers from every start on, so many each, a column each, in which shorter ones repeat their first."""
    rows = np.arange(counts.max(initial=0))[:, None]
    return starts + np.where(rows < counts, rows, 0)


def separation(ones, others, i, j):
    """How far directions keep the pairs i and j apart at both ends at least [m], and which keeps them so farthest.

    ones, others: outlines of both sides at both ends; below 0 of what overlaps in all directions.
    """
    most, best = np.full(len(i), -np.inf), np.zeros(len(i), dtype=np.intp)
    for k, length in enumerate(LENGTHS):
        below = above = np.inf
        for (low, high), (other_low, other_high) in zip(ones, others, strict=True):
            below = np.minimum(below, other_low[k].take(j) - high[k].take(i))
            above = np.minimum(above, low[k].take(i) - other_high[k].take(j))
        apart = np.maximum(below, above) / length
        better = apart > most
        most[better], best[better] = apart[better], k
    return most, best


def beside(ones, others, i, j, reach, best=None):
    """Places of the pairs i and j that no direction keeps farther apart than reach at both ends.

    ones, others: outlines of both sides at both ends; reach: one distance [m], or one for every pair; best: of every
    pair the direction to be tried first, and then only the axes.
    """
    kept, far = np.arange(len(i)), np.asarray(reach)
    sides = [[np.stack(of) for of in zip(*side, strict=True)] for side in (ones, others)]
    # From direction to direction is as far as there are columns.
    first, second = (low.shape[-1] for low, _ in sides)
    rounds: list[Any] = [*range(3 if best is not None else len(ones[0][0]))]
    for k in rounds if best is None else [best, *rounds]:
        (low, high), (other_low, other_high) = (
            [of.reshape(len(ones), -1).take(k * size + at, axis=1) for of in side]
            for side, size, at in zip(sides, (first, second), (i, j), strict=True)
        )
        gap = LENGTHS[k] * far
        close = np.flatnonzero(~((high + gap < other_low).all(axis=0) | (other_high + gap < low).all(axis=0)))
        if len(close) < len(i):
            i, j, kept = i[close], j[close], kept[close]
            far = far[close] if far.ndim else far
    return kept


def above(n, ends, reach):
    """Mask of pairs whose first sides are farther than reach [m] from the second ones along n at both ends.

    n: shape (3, count); ends: positions of the corners of both sides at each, shape (3, corner_count, count).
    """
    mask, far = np.ones(n.shape[1], dtype=bool), reach * np.sqrt(dot(n, n))
    for sides in ends:
        one, other = (dot(n[:, None], side) for side in sides)
        mask &= np.minimum.reduce(one) > np.maximum.reduce(other) + far
    return mask


def gaps_along(n, sides):
    """How far planes across n keep first sides apart from second ones [m], below 0 of what overlaps.

    n: shape (3, count); sides: positions of the corners of both, shape (3, corner_count, count).
    """
    one, other = (dot(n[:, None], side) for side in sides)
    return (np.minimum.reduce(one) - np.maximum.reduce(other)) / np.maximum(np.sqrt(dot(n, n)), _LEAST)


def box_gaps(boxes, p, q):
    """How far any axis keeps groups p apart from groups q [m], below 0 of what overlaps; boxes: their outlines."""
    low, high = boxes
    gaps = np.full(len(p), -np.inf)
    for k in range(3):
        np.maximum(gaps, low[k].take(p) - high[k].take(q), out=gaps)
        np.maximum(gaps, low[k].take(q) - high[k].take(p), out=gaps)
    return gaps


def parting(moved, p, q):
    """How far anything in groups p moved at most against anything in groups q [m]; moved: outlines of the ways."""
    low, high = moved
    most = [np.maximum(high[k][p] - low[k][q], high[k][q] - low[k][p]) for k in range(3)]
    return np.sqrt(dot(most, most))
