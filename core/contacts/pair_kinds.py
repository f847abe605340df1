# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of pairs that come close: particles, particles and triangles, strands."""

from typing import NamedTuple

import numpy as np

from ..axes import cross, dot
from ..triangle_mesh.closest import closest_weights

_TINY = 1e-150

# Sine of the angle below which two strands are parallel: they pass beside each other, and do not cross.
_PARALLEL = 1e-6

# How often it is looked where on its way a pair crosses, and what share of its heights at both ends may be left there:
# where strands turn past being parallel, or triangles turn over, the normal of their plane jumps and nothing crosses.
_LOOKS, _FAR = 4, 0.1

# How often the time and the points are found anew where pairs pass.
_TURNS = 3


class Met(NamedTuple):
    """Where pairs meet on their ways, or are closest.

    weights: of the particles of each, sum 0, shape (particle_count of a pair, count); normals: towards the first side,
    from the second, as it was where the ways began, shape (3, count); distances: there [m], 0 of what crosses; shares:
    of the ways.
    """

    weights: np.ndarray
    normals: np.ndarray
    distances: np.ndarray
    shares: np.ndarray


class Points:
    """Two particles."""

    first, second = 1, None

    @staticmethod
    def weights(p):
        """Weights of what is closest, of positions p [m], shape (3, particle_count of a pair, count)."""
        return np.tile([[1.0], [-1.0]], p.shape[2])

    @staticmethod
    def plane(p):
        """Normals of planes through one side that the other may cross, or None."""
        return None


class Faces:
    """A particle and a triangle."""

    first, second = 1, 0

    @staticmethod
    def weights(p):
        """See `Points.weights`."""
        corner = p[:, 1]
        weights = closest_weights(p[:, 0] - corner, p[:, 2] - corner, p[:, 3] - corner)
        return np.concatenate([np.ones((1, p.shape[2])), -weights])

    @staticmethod
    def plane(p):
        """See `Points.plane`."""
        return cross(p[:, 2] - p[:, 1], p[:, 3] - p[:, 1])


class Strands:
    """Two strands."""

    first, second = 2, 1

    @staticmethod
    def weights(p):
        """See `Points.weights`: of two segments, Ericson 2005, "Real-Time Collision Detection", section 5.1.9."""
        one, other, apart = p[:, 1] - p[:, 0], p[:, 3] - p[:, 2], p[:, 0] - p[:, 2]
        a, e = np.maximum(dot(one, one), _TINY), np.maximum(dot(other, other), _TINY)
        b, c, f = dot(one, other), dot(one, apart), dot(other, apart)
        area = a * e - b * b
        crossing = area > _PARALLEL**2 * a * e
        s = np.where(crossing, np.clip((b * f - c * e) / np.where(crossing, area, 1.0), 0.0, 1.0), 0.5)
        t = (b * s + f) / e
        inside = np.clip(t, 0.0, 1.0)
        s = np.where(t == inside, s, np.clip((b * inside - c) / a, 0.0, 1.0))
        return np.stack([1.0 - s, s, inside - 1.0, -inside])

    @staticmethod
    def plane(p):
        """See `Points.plane`."""
        return cross(p[:, 1] - p[:, 0], p[:, 3] - p[:, 2])


def met(kind, start, end):
    """Met of pairs on straight ways between positions [m], shape (3, particle_count of a pair, count).

    kind: Points, Faces or Strands. What crosses is taken where it crosses, what comes closer where it is closest, by
    the middles of both sides. What begins on the other side of that goes round an end: it is taken where its own points
    are closest, so that no normal points to where a pair has never been.
    """
    way = end - start
    u, w = (of[:, : kind.first].mean(axis=1) - of[:, kind.first :].mean(axis=1) for of in (start, way))
    share = _closest(u, w)
    side, crosses = None, np.zeros(share.shape, dtype=bool)
    if kind.plane(start) is not None:
        side, crosses = _crossing(kind, start, way, share)
    at = start + share * way
    weights = kind.weights(at)
    offsets = _apart(weights, at)
    began = _apart(weights, start)
    beyond = np.flatnonzero(~crosses & (dot(offsets, began) < 0.0))
    if len(beyond):
        share[beyond], weights[:, beyond], offsets[:, beyond] = _passing(
            kind, start[..., beyond], way[..., beyond], weights[:, beyond]
        )
    distances = np.sqrt(dot(offsets, offsets))
    normals = offsets / np.maximum(distances, _TINY)
    if side is not None:
        flat = np.flatnonzero(crosses | (distances == 0.0))
        across = _unit(kind.plane(at[..., flat]))
        along = dot(across, began[:, flat])
        # Planes turn: what counts is on which side the points that meet began.
        normals[:, flat] = np.where(along == 0.0, side[flat], np.sign(along)) * across
        distances[flat] = 0.0
    return Met(weights, normals, distances, share)


def _passing(kind, start, way, weights):
    """Shares of ways, weights and offsets [m] of pairs that go round an end, where these points are closest."""
    for turn in range(_TURNS):
        share = _closest(_apart(weights, start), _apart(weights, way))
        at = start + share * way
        if turn < _TURNS - 1:
            weights = kind.weights(at)
    return share, weights, _apart(weights, at)


def _closest(u, w):
    """Shares of straight ways w from u at which they are closest to nothing."""
    return np.clip(-dot(u, w) / np.maximum(dot(w, w), _TINY), 0.0, 1.0)


def _apart(weights, p):
    """Sums of the positions p of pairs with weights, shape (3, count)."""
    return np.einsum("kc,akc->ac", weights, p)


def _crossing(kind, start, way, share):
    """Sides on which pairs begin, and a mask of those that cross; their shares of the ways are changed in place."""
    # Which side it is does not take the length of the normal.
    low, high = (dot(kind.plane(p), p[:, 0] - p[:, kind.first]) for p in (start, start + way))
    side = np.where(low >= 0.0, 1.0, -1.0)
    crosses = side * high < 0.0
    rows = np.flatnonzero(crosses)
    start, way, side_of = start[..., rows], way[..., rows], side[rows]
    low, high = (side_of * _heights(kind, p) for p in (start, start + way))
    span = np.abs(high - low)
    first, last = np.zeros(len(rows)), np.ones(len(rows))
    for _ in range(_LOOKS):
        middle = first + (last - first) * low / (low - high)
        at = start + middle * way
        height = side_of * _heights(kind, at)
        before = height >= 0.0
        # Halved, what stays does not hold the other end up (the Illinois rule).
        low, high = np.where(before, height, 0.5 * low), np.where(before, 0.5 * high, height)
        first, last = np.where(before, middle, first), np.where(before, last, middle)
    weights = kind.weights(at)
    apart = _apart(weights, at)
    met_there = np.sqrt(dot(apart, apart)) <= _FAR * span
    crosses[rows] = met_there & (np.abs(weights).min(axis=0) > 0.0)
    share[crosses] = middle[crosses[rows]]
    return side, crosses


def _heights(kind, p):
    """Heights of first corners over the plane of `plane` through second sides [m]."""
    return dot(_unit(kind.plane(p)), p[:, 0] - p[:, kind.first])


def spans(kind, p):
    """Middles of the first and of the second sides, shape (3, count), and how far the corners are from them [m]."""
    one, other = p[:, : kind.first], p[:, kind.first :]
    middles = one.mean(axis=1), other.mean(axis=1)
    radii = sum(
        np.sqrt(((side - middle[:, None]) ** 2).sum(axis=0)).max(axis=0)
        for side, middle in zip((one, other), middles, strict=True)
    )
    return *middles, radii


def _unit(vectors):
    return vectors / np.maximum(np.sqrt(dot(vectors, vectors)), _TINY)
