# SPDX-License-Identifier: GPL-3.0-or-later
"""The point of a triangle that is closest to a point."""

import numpy as np

# Of squares, only to divide by [m^2].
_LEAST = 1e-300


def point_triangle(x):
    """Weights (4, count) of a point, +1, and of a triangle's corners, which sum to -1, at x [m], shape (4, 3, count).

    By the signs of the barycentric coordinates and of the places along the sides (Ericson 2005, "Real-Time Collision
    Detection", 5.1.5); triangles without area are their sides.
    """
    p, corners = x[0], x[1:]
    inside, share = _in_plane(p, corners)
    best, least = share, np.where(inside, 0.0, np.inf)
    for k in range(3):
        i, j = k, (k + 1) % 3
        along = corners[j] - corners[i]
        place = np.clip(_dot(p - corners[i], along) / np.maximum(_dot(along, along), _LEAST), 0.0, 1.0)
        away = p - corners[i] - place * along
        squared = _dot(away, away)
        nearer = squared < least
        nearer &= ~inside
        least = np.where(nearer, squared, least)
        of_side = np.zeros_like(best)
        of_side[i], of_side[j] = 1.0 - place, place
        best = np.where(nearer, of_side, best)
    return np.concatenate([np.ones((1, x.shape[2])), -best])


def _in_plane(p, corners):
    """Whether the foot of the perpendicular is in the triangle, and its barycentric coordinates (3, count)."""
    a, b, c = corners
    u, v, w = b - a, c - a, p - a
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    area = uu * vv - uv * uv
    divisor = np.maximum(area, _LEAST)
    s, t = (vv * uw - uv * vw) / divisor, (uu * vw - uv * uw) / divisor
    inside = (area > 1e-12 * uu * vv) & (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
    return inside, np.stack([1.0 - s - t, s, t])


def _dot(a, b):
    return np.einsum("ij,ij->j", a, b)
