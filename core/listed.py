# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists: NamedTuples of arrays that have a row for each of the field `particles`, and runs of numbers."""

import numpy as np


def chosen(rows, which):
    """Those of a mask or of indices."""
    return type(rows)(*(of_all[which] for of_all in rows))


def joined(found):
    """All of several lists of one kind, or None of none."""
    return type(found[0])(*map(np.concatenate, zip(*found, strict=True))) if found else None


def ranges(starts, counts):
    """start, start + 1, … of so many numbers for each of some starts, in turn: which of them, and the numbers."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) + np.repeat(starts - np.cumsum(counts) + counts, counts)
