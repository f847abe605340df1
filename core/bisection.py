# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of points that lie together."""

import numpy as np


def halved(points, chosen, size):
    """Index arrays of at most `size` points each that lie together, of the chosen ones, halved along their extents.

    points: shape (point_count, 3); chosen: numbers of points.
    """
    if len(chosen) <= size:
        return [chosen]
    at = points[chosen]
    axis = np.ptp(at, axis=0).argmax()
    order = np.argsort(at[:, axis], kind="stable")
    half = len(chosen) // 2
    return halved(points, chosen[order[:half]], size) + halved(points, chosen[order[half:]], size)
