# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles in one pose: what of them is closest to points."""

from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np

from ..axes import cross, dot
from .closest import closest_weights


class Closest(NamedTuple):
    """Points of triangles that are closest to others.

    rows: which of the others, rising, shape (count,); triangles: shape (count,); weights: barycentric, shape
    (3, count); distances: at least 0 [m], shape (count,); offsets: from the triangles' points, shape (3, count).
    """

    rows: np.ndarray
    triangles: np.ndarray
    weights: np.ndarray
    distances: np.ndarray
    offsets: np.ndarray

    def chosen(self, which):
        """Those of a mask or of indices."""
        return Closest(*(of_rows[..., which] for of_rows in self))


class Triangles:
    """Triangles in one pose.

    x: vertices, shape (vertex_count, 3) [m]; corners: their indices, shape (triangle_count, 3).
    a, b, c: the corners; ab, ac: from the first to the others; each of shape (3, triangle_count). scale: of the
    coordinates [m].
    """

    def __init__(self, x, corners):
        columns = np.ascontiguousarray(x.T)
        self.a, self.b, self.c = (columns.take(corners[:, corner], axis=1) for corner in range(3))
        self.ab, self.ac = self.b - self.a, self.c - self.a
        self.scale = max(float(np.abs(of).max()) for of in (self.a, self.b, self.c))

    def each(self, x, rows, triangles):
        """Closest to points, rows of x, shape (count, 3), each of one triangle."""
        return self.each_of(np.ascontiguousarray(x.T), rows, triangles)

    def each_of(self, points, rows, triangles):
        """Closest to some columns of points, shape (3, count), each of one triangle."""
        ab, ac = self.ab.take(triangles, axis=1), self.ac.take(triangles, axis=1)
        ap = points.take(rows, axis=1) - self.a.take(triangles, axis=1)
        weights = closest_weights(ap, ab, ac)
        offsets = ap - weights[1] * ab - weights[2] * ac
        return Closest(rows, triangles, weights, np.sqrt(dot(offsets, offsets)), offsets)

    def closest(self, x, which, triangles, reach=np.inf):
        """Closest of pairs of points and triangles; of several triangles equally close the first.

        x: points, shape (count, 3); which: rows of it, rising; triangles: of the pairs, rising for each point, both of
        shape (pair_count,); reach: distance beyond which nothing is closest [m].
        """
        points = np.ascontiguousarray(x.T)
        bounds = self._bounds(points, which, triangles)
        near = np.flatnonzero(bounds <= reach)
        which, triangles, bounds = which[near], triangles[near], bounds[near]
        first = least_of_runs(bounds, which)
        found = self._improved(
            self.each_of(points, which[first], triangles[first]), points, which, triangles, bounds
        )
        return found.chosen(found.distances <= reach)

    def _improved(self, found, points, which, triangles, bounds):
        """What is closest of what was found of points, shape (3, count), and more pairs of these, rising."""
        most, known = np.empty(points.shape[1]), np.full(points.shape[1], -1)
        most[found.rows], known[found.rows] = found.distances, found.triangles
        rest = np.flatnonzero((bounds <= most[which]) & (triangles != known[which]))
        if len(rest) == 0:
            return found
        more = self.each_of(points, which[rest], triangles[rest])
        best = more.chosen(least_of_runs(more.distances, more.rows, more.triangles))
        place = np.searchsorted(found.rows, best.rows)
        before = found.distances[place]
        closer = (best.distances < before) | (
            (best.distances == before) & (best.triangles < found.triangles[place])
        )
        place, best = place[closer], best.chosen(closer)
        better = Closest(*(array.copy() for array in found))
        for array, others in zip(better[1:], best[1:], strict=True):
            array[..., place] = others
        return better

    def likely(self, x, which, triangles):
        """Indices of pairs, as in `closest`, that may be the closest, by the spheres about triangles."""
        if len(which) == 0:
            return which
        spheres = self._spheres.take(triangles, axis=0)
        middles = spheres[:, :3].T
        px, py, pz = np.ascontiguousarray(x.T, dtype=np.float32).take(which, axis=1) - middles
        squares = px * px + py * py + pz * pz
        starts = _starts(which)
        # A middle is a point of the triangle.
        most = np.sqrt(np.minimum.reduceat(squares, starts))
        most += np.float32(1e-6) * (np.abs(x).max() + most)
        most = np.repeat(most, np.diff(starts, append=len(which))) + spheres[:, 3]
        return np.flatnonzero(squares <= most * most)

    def _bounds(self, points, which, triangles):
        """Lower bounds of the distances [m] of pairs: off the plane, and in it off the farthest of the three sides.

        points: of shape (3, count) [m]; the pairs as in `closest`.
        """
        x, y, z = points.astype(np.float32).take(which, axis=1)
        planes = (row.take(triangles) for row in self._planes_of(triangles))
        height, *beyond = (
            next(planes) * x + next(planes) * y + next(planes) * z - next(planes) for _ in range(4)
        )
        aside = np.maximum(np.maximum(beyond[0], beyond[1]), np.maximum(beyond[2], np.float32(0.0)))
        return np.sqrt(height * height + aside * aside) - self._rounding(points)

    def _rounding(self, points):
        # A few roundings to single precision, of products of coordinates with unit vectors.
        return np.float32(1e-6) * np.float32(max(np.abs(points).max(initial=0.0), self.scale))

    @cached_property
    def middles(self):
        """Means of the corners, shape (triangle_count, 3) [m]."""
        return (self.a + (self.ab + self.ac) / 3.0).T

    @cached_property
    def radii(self):
        """Distances from the middles to the farthest corners, shape (triangle_count,) [m]."""
        ab, ac, sum_ = self.ab, self.ac, self.ab + self.ac
        corners = (dot(away, away) for away in (sum_, 3.0 * ab - sum_, 3.0 * ac - sum_))
        return np.sqrt(reduce(np.maximum, corners)) / 3.0

    @cached_property
    def _spheres(self):
        return np.column_stack([self.middles, self.radii * (1.0 + 1e-6)]).astype(np.float32)

    def _planes_of(self, triangles):
        """The plane and the sides of some triangles at least, a row for each number, shape (16, triangle_count)."""
        planes, known = self._planes
        new = np.zeros_like(known)
        new[triangles] = True
        new = np.flatnonzero(new & ~known)
        if len(new):
            known[new] = True
            a, b, c, ab, ac = (of.take(new, axis=1) for of in (self.a, self.b, self.c, self.ab, self.ac))
            normal = _units(cross(ab, ac))
            sides = (a, ab), (b, c - b), (c, -ac)
            rows = [(a, normal), *((corner, _units(cross(side, normal))) for corner, side in sides)]
            planes[:, new] = np.concatenate([of for at, n in rows for of in (n, dot(at, n)[None])])
        return planes

    @cached_property
    def _planes(self):
        count = self.a.shape[1]
        return np.zeros((16, count), dtype=np.float32), np.zeros(count, dtype=bool)


def least_of_runs(values, which, names=None):
    """Index of the least value of each run of equal numbers; of several that of the lowest name, or the first."""
    if len(which) == 0:
        return np.zeros(0, dtype=np.intp)
    starts = _starts(which)
    counts = np.diff(starts, append=len(which))
    least = np.flatnonzero(values == np.repeat(np.minimum.reduceat(values, starts), counts))
    first = _starts(which[least])
    if names is None or len(first) == len(least):
        return least[first]
    return least[least_of_runs(names[least], which[least])]


def _starts(which):
    return np.append(0, np.flatnonzero(which[1:] != which[:-1]) + 1)


def _units(vectors):
    x, y, z = vectors
    lengths = np.sqrt(x * x + y * y + z * z)
    return vectors / np.where(lengths > 0.0, lengths, np.inf)
