# SPDX-License-Identifier: GPL-3.0-or-later
"""The point of a triangle that is closest to another point."""

import numpy as np

from ..axes import dot
from ..directions import LEAST

# Below this share of the product of its sides squared a triangle has no inside to speak of, only sides.
_FLAT = 1e-14


def closest_weights(ap, ab, ac):
    """Barycentric weights of the points of triangles closest to points, shape (3, count); 0 exactly on sides.

    ap: from the first corners to the points; ab, ac: from the first corners to the second and third, each of shape
    (3, count) [m]. Triangles without area are the lines or points that they look like.

    The foot of the perpendicular where it lies inside, else the closest of the three sides' closest points.
    """
    e, f, g = dot(ab, ab), dot(ab, ac), dot(ac, ac)
    d, h = dot(ab, ap), dot(ac, ap)
    area = e * g - f * f
    scale = np.where(area > _FLAT * e * g, area, np.inf)
    v, w = (g * d - f * h) / scale, (e * h - f * d) / scale
    u = 1.0 - v - w
    outside = np.flatnonzero((v <= 0.0) | (w <= 0.0) | (u <= 0.0))
    weights = np.stack([u, v, w])
    if len(outside):
        weights[:, outside] = _on_sides(*(given[outside] for given in (e, f, g, d, h)))
    return weights


def _on_sides(e, f, g, d, h):
    # Half the squared distance less what is common to all points of a triangle: q = (v ab + w ac)^2 / 2 - (…) ap.
    bc = np.maximum(e - 2.0 * f + g, 0.0)
    along = [
        np.clip(top / np.maximum(bottom, LEAST), 0.0, 1.0)
        for top, bottom in ((d, e), (h, g), (h - d + e - f, bc))
    ]
    ab, ac, cb = along
    corner = 0.5 * e - d
    height = np.stack(
        [ab * (0.5 * ab * e - d), ac * (0.5 * ac * g - h), corner + cb * (0.5 * cb * bc - (h - d + e - f))]
    )
    side = height.argmin(axis=0)
    zero = np.zeros_like(e)
    return np.stack(
        [
            np.choose(side, [1.0 - ab, 1.0 - ac, zero]),
            np.choose(side, [ab, zero, 1.0 - cb]),
            np.choose(side, [zero, ac, cb]),
        ]
    )
