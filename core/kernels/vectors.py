# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums over long vectors in an order that no number of threads changes."""

import numpy as np

from .kernel import kernel

# Entries that are added one after the other; the sums of such slices are added afterwards.
SLICE = 4096


def _example(random, size):
    a, b = random.normal(size=(2, SLICE * size + size))
    return a, b, np.empty(slice_count(len(a)))


def slice_count(length):
    """How many slices a vector has."""
    return -(-length // SLICE)


@kernel("a(n) b(n) -> sums(s)", over="s", grain=8, example=_example)
def slice_dots(a, b, sums):
    """Scalar products of slices of SLICE entries, the last of them shorter, of two vectors."""
    if len(a):
        np.add.reduceat(a * b, np.arange(0, len(a), SLICE), out=sums)


def dot(a, b):
    """Scalar product of two vectors of any shape, contiguous."""
    a, b = a.reshape(-1), b.reshape(-1)
    sums = np.empty(slice_count(len(a)))
    slice_dots(a, b, sums)
    return float(sums.sum())
