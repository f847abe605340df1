# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists: NamedTuples of arrays that have a row for each of the field `particles`, and rows taken a block at a time."""

import numpy as np


def moved(rows, first):
    """The same among more particles, of which its first has another index."""
    return rows._replace(particles=rows.particles + first)


def chosen(rows, which):
    """Those of a mask or of indices."""
    return type(rows)(*(of_all[which] for of_all in rows))


def joined(found):
    """All of several lists of one kind, or None of none."""
    return type(found[0])(*map(np.concatenate, zip(*found, strict=True))) if found else None


def by_blocks(of_rows, count, size):
    """What a function of slices of so many rows returns, an array or a tuple of them, with rows last: joined.

    It is asked for `size` rows at a time, so that what it needs on its way takes no more memory than that.
    """
    found = [of_rows(slice(first, first + size)) for first in range(0, max(count, 1), size)]
    if len(found) == 1:
        return found[0]
    if isinstance(found[0], np.ndarray):
        return np.concatenate(found, axis=-1)
    return tuple(np.concatenate(of_all, axis=-1) for of_all in zip(*found, strict=True))
