# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings of keys, compared: until which frame two of them say the same.

What enters a frame can be read in that frame alone. After an edit of keys this tells which frames need no look.
A reading is a dict of arrays, see `keys.read`: a row a key, which begins with its frame.
"""

from math import inf

import numpy as np

from .lazy_values import checksum


def same_until(one, other):
    """The last frame until which two readings say the same: inf for all, -inf for none."""
    if one.keys() != other.keys():
        return -inf
    return min((_same_until(one[name], other[name]) for name in one), default=inf)


def fingerprint(reading):
    """Checksum of a reading, whatever the data-blocks are called."""
    return checksum(sorted(checksum([name[2:], checksum(array)]) for name, array in reading.items()))


def _same_until(one, other):
    count = min(len(one), len(other))
    differ = np.flatnonzero((one[:count] != other[:count]).any(axis=1))
    first = int(differ[0]) if len(differ) else count
    if first == len(one) == len(other):
        return inf
    # Up to the key before, and what comes before the first key follows from it.
    return float(one[first - 1, 0]) if first else -inf
