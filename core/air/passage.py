# SPDX-License-Identifier: GPL-3.0-or-later
"""How air that passes along a surface takes its momentum with it."""

import numpy as np

from ..axes import cross, dot
from ..bisection import halved
from ..listed import distinct_rows

# Groups of triangles over which velocities are averaged, about: of fields that have tens of waves no more are seen.
_GROUPS = 192

# Triangles of a group whose velocities are looked at, at most.
_LOOKED_AT = 4

# Products of more rows are summed in another order on another number of threads.
_ROWS = 64

_SMALLEST = 1e-300


class Passage:
    """Takes sums of fields along with air that passes over a surface: b' = -T b.

    T_ij is the integral of f_i (a . grad) f_j / 2 - f_j (a . grad) f_i / 2 over the surface, a the velocity of the air
    within it, and of f_i f_j |a . n| / 2 over its rim, n its outward normal there: what leaves is gone, and what comes
    brings nothing. So T + T^T is positive, and steps by the trapezoidal rule never let b grow.

    points: at rest [m], shape (n, 3); triangles: shape (count, 3); modes: SurfaceModes; still: mask of triangles
    that no air passes. The uniform part over a piece stays: the pressure of steady flow belongs to the drag.

    Crank and Nicolson 1947; Candelier, Boyer and Leroyer 2011, eq. 4.8, for the form of Lighthill's reactive force that
    half of either derivative is.
    """

    def __init__(self, points, triangles, modes, still):
        self._moves = (~modes.even).astype(float)
        fields = modes.fields
        middles = points[triangles].mean(axis=1)
        groups = halved(middles, np.arange(len(triangles)), max(-(-len(triangles) // _GROUPS), 1))
        sorted_by_group = triangles[np.concatenate(groups)].T
        starts = np.cumsum([0, *map(len, groups[:-1])])
        a, b, c = (points[column].T for column in sorted_by_group)
        normals = cross(b - a, c - a)
        doubled = np.sqrt(dot(normals, normals))
        areas = np.maximum(np.add.reduceat(0.5 * doubled, starts), _SMALLEST)
        values = np.stack([fields[:, column] for column in sorted_by_group])
        means = np.add.reduceat(0.5 * doubled * values.mean(axis=0), starts, axis=-1) / areas
        # grad f = n x (f_a (c - b) + f_b (a - c) + f_c (b - a)) / (2 A), n of length 1: summed over the area.
        turned = [
            cross(normals, side) / np.maximum(2.0 * doubled, _SMALLEST) for side in (c - b, a - c, b - a)
        ]
        slopes = sum(value[:, None] * of_corner for value, of_corner in zip(values, turned, strict=True))
        slopes = np.add.reduceat(slopes, starts, axis=-1)
        self._means, self._slopes = (
            np.ascontiguousarray(means.T),
            np.ascontiguousarray(slopes.transpose(1, 2, 0)),
        )
        weights = areas[:, None] * self._means**2
        self._weights = weights / np.maximum(weights.sum(axis=0), _SMALLEST)
        rim, self._outward, self._rim_means = _rim(points, triangles, fields)
        some = [
            group[np.linspace(0, len(group) - 1, min(len(group), _LOOKED_AT)).astype(int)] for group in groups
        ]
        self._counts = np.array([len(group) for group in some])
        self._starts = np.cumsum(self._counts) - self._counts
        looked_at = np.concatenate([*some, rim])
        self._passed = (~still[looked_at]).astype(float)
        self._triangles = [np.ascontiguousarray(c) for c in triangles[looked_at].T]
        first, *others = (points[column].T for column in self._triangles)
        self._sides = [other - first for other in others]

    def rate(self, x, u):
        """T [1/s], and the mean speed along the surface where each mode is [m/s].

        x: positions [m]; u: velocity of the air against the surface [m/s], shape (3, n) both.
        """
        along = self._along(x, u)
        looked_at = int(self._counts.sum())
        of_groups = np.add.reduceat(along[:, :looked_at], self._starts, axis=-1) / self._counts
        speeds = np.sqrt(dot(of_groups, of_groups))
        return self._rate(of_groups, along[:, looked_at:]), np.einsum("gr,g->r", self._weights, speeds)

    def _along(self, x, u):
        """Velocity of the air within every triangle, turned to where that is at rest [m/s], shape (3, count)."""
        corners = [x.take(column, axis=1) for column in self._triangles]
        first, second = corners[1] - corners[0], corners[2] - corners[0]
        mean = sum(u.take(column, axis=1) for column in self._triangles) / 3.0
        a, b, c = dot(first, first), dot(first, second), dot(second, second)
        p, q = dot(first, mean), dot(second, mean)
        # A triangle without an area says nothing.
        inverse = self._passed / np.maximum(a * c - b * b, 1e-6 * a * c + _SMALLEST)
        return self._sides[0] * ((c * p - b * q) * inverse) + self._sides[1] * ((a * q - b * p) * inverse)

    def _rate(self, of_groups, at_rim):
        slopes = sum(of_axis[:, None] * slope for of_axis, slope in zip(of_groups, self._slopes, strict=True))
        half = _product(self._means, 0.5 * slopes)
        passing = np.abs(dot(at_rim, self._outward))
        rate = half - half.T + _product(self._rim_means, 0.5 * passing[:, None] * self._rim_means)
        return self._moves[:, None] * rate * self._moves


def _rim(points, triangles, fields):
    """Triangles at the rim, their sides there turned outwards [m], shape (3, count), and the fields in the middles."""
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    _, first, times = distinct_rows(np.sort(sides, axis=1), return_index=True, return_counts=True)
    rim = np.sort(first[times == 1])
    a, b, c = (points[column].T for column in triangles[rim // 3].T)
    normals = cross(b - a, c - a)
    normals /= np.maximum(np.sqrt(dot(normals, normals)), _SMALLEST)
    one, other = sides[rim].T
    means = 0.5 * (fields[:, one] + fields[:, other])
    return rim // 3, cross(points[other].T - points[one].T, normals), np.ascontiguousarray(means.T)


def _product(one, other):
    """one^T other, the same on any number of threads."""
    return sum(
        (one[at : at + _ROWS].T @ other[at : at + _ROWS] for at in range(0, len(one), _ROWS)),
        np.zeros((one.shape[1], other.shape[1])),
    )
