# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists: NamedTuples of arrays that have a row for each of the field `particles`, runs of numbers, rows of indices."""

import numpy as np


def chosen(rows, which):
    """Those of a mask or of indices."""
    return type(rows)(*(of_all[which] for of_all in rows))


def ranges(starts, counts):
    """start, start + 1, … of so many numbers for each of some starts, in turn: which of them, and the numbers."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) + np.repeat(starts - np.cumsum(counts) + counts, counts)


def distinct_rows(rows, **asked):
    """Distinct rows of indices, shape (count, width), ascending; asked: as of `np.unique`, which returns the same.

    Rows are compared as one number each, which takes a twentieth of the time of NumPy's own comparison of rows.
    """
    above = int(rows.max(initial=0)) + 1
    places = [above**place for place in reversed(range(rows.shape[1]))]
    if above ** rows.shape[1] > np.iinfo(np.int64).max:
        return np.unique(rows, axis=0, **asked)
    found = np.unique(rows.astype(np.int64) @ np.array(places, dtype=np.int64), **asked)
    keys, *more = found if asked else (found,)
    values = (keys[:, None] // places % above).astype(rows.dtype)
    return (values, *more) if asked else values
