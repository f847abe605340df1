# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists: NamedTuples of arrays that have a row for each of the field `particles`, and runs of numbers."""

import numpy as np


def chosen(rows, which):
    """Those of a mask or of indices."""
    return type(rows)(*(of_all[which] for of_all in rows))


def ranges(starts, counts):
    """start, start + 1, … of so many numbers for each of some starts, in turn: which of them, and the numbers."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) + np.repeat(starts - np.cumsum(counts) + counts, counts)
