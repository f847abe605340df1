# SPDX-License-Identifier: GPL-3.0-or-later
"""Sizes that distances are judged by."""

import numpy as np

from ..directions import lengths


def extent(points):
    """Size of points [m], however they are turned: twice how far the farthest is from their middle."""
    return 2.0 * float(lengths(points - points.mean(axis=0)).max()) if len(points) else 0.0


def medians(part, particles, values):
    """Median of the values that particles of each part have, of every particle; 0 where its part has none.

    part: number of that of every particle.
    """
    number, found = part[particles], np.zeros(part.max(initial=-1) + 1)
    order = np.lexsort((values, number))
    counts = np.bincount(number, minlength=len(found))
    some = np.flatnonzero(counts)
    first = (np.cumsum(counts) - counts)[some]
    values, middle = values[order], counts[some] - 1
    found[some] = 0.5 * (values[first + middle // 2] + values[first + (middle + 1) // 2])
    return found[part]
