# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of pairs that come close: particles, particles and triangles, strands."""

from typing import NamedTuple

import numpy as np

from ..axes import cross, dot
from ..triangle_mesh.closest import closest_weights

_TINY = 1e-150

# Sine of the angle below which two strands are parallel: they pass beside each other, and do not cross.
_PARALLEL = 1e-6


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

    kind: Points, Faces or Strands. What crosses is taken where it crosses, what comes closer where it is closest,
    by the middles of both sides.
    """
    way = end - start
    u, w = (of[:, : kind.first].mean(axis=1) - of[:, kind.first :].mean(axis=1) for of in (start, way))
    share = np.clip(-dot(u, w) / np.maximum(dot(w, w), _TINY), 0.0, 1.0)
    side, crosses = None, np.zeros(share.shape, dtype=bool)
    if kind.plane(start) is not None:
        heights = [dot(_unit(kind.plane(at)), at[:, 0] - at[:, kind.first]) for at in (start, end)]
        side = np.where(heights[0] >= 0.0, 1.0, -1.0)
        crosses = side * heights[1] < 0.0
        share = np.where(crosses, heights[0] / np.where(crosses, heights[0] - heights[1], 1.0), share)
    at = start + share * way
    weights = kind.weights(at)
    offsets = np.einsum("kc,akc->ac", weights, at)
    distances = np.sqrt(dot(offsets, offsets))
    normals = offsets / np.maximum(distances, _TINY)
    if side is not None:
        through = crosses & (np.abs(weights).min(axis=0) > 0.0)
        flat = through | (distances == 0.0)
        normals = np.where(flat, side * _unit(kind.plane(at)), normals)
        distances = np.where(flat, 0.0, distances)
    return Met(weights, normals, distances, share)


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
