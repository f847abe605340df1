# SPDX-License-Identifier: GPL-3.0-or-later
"""The points of two edges that are closest to each other."""

import numpy as np

# Of squares, only to divide by [m^2].
_LEAST = 1e-300


def edge_edge(x):
    """Weights (4, count) of two edges' ends, which sum to +1 and -1, at x [m], shape (4, 3, count).

    The least of the distance where both points are within their edges, else of the four ends from the other edge:
    no case of its own for parallel edges, whose ends are among the closest.
    """
    a, b, c, d = x
    count = x.shape[2]
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    square = uu * vv - uv * uv
    crossing = square > 1e-12 * uu * vv
    divisor = np.where(crossing, square, 1.0)
    s, t = (uv * vw - vv * uw) / divisor, (uu * vw - uv * uw) / divisor
    within = crossing & (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
    best, least = (s, t), np.where(within, 0.0, np.inf)
    zero, one = np.zeros(count), np.ones(count)
    others = (
        (zero, _along(a - c, v, vv)),
        (one, _along(b - c, v, vv)),
        (_along(c - a, u, uu), zero),
        (_along(d - a, u, uu), one),
    )
    for at in others:
        away = w + at[0] * u - at[1] * v
        squared = _dot(away, away)
        nearer = (squared < least) & ~within
        least = np.where(nearer, squared, least)
        best = tuple(np.where(nearer, new, old) for new, old in zip(at, best, strict=True))
    s, t = best
    return np.stack([1.0 - s, s, t - 1.0, -t])


def _along(way, edge, squared):
    return np.clip(_dot(way, edge) / np.maximum(squared, _LEAST), 0.0, 1.0)


def _dot(a, b):
    return np.einsum("ij,ij->j", a, b)
