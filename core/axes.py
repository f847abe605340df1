# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors with one row an axis."""

import numpy as np


def dot(a, b):
    """Products of vectors, shape (3, …), each of its own pair.

    Written out: the bits of a pair do not depend on which other pairs are asked for with it.
    """
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape):
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    # The same sums in half of the time: all products at once, and no sum in an array of its own.
    products = a * b
    total = products[0]
    total += products[1]
    total += products[2]
    return total


def hypotenuse(a, b):
    """sqrt(a^2 + b^2), the same bits on every system, which what the C library has for it is not; no overflow."""
    a, b = np.abs(a), np.abs(b)
    long, short = np.maximum(a, b), np.minimum(a, b)
    share = short / np.maximum(long, np.finfo(np.float64).tiny)
    return long * np.sqrt(1.0 + share * share)


def cross(a, b):
    """Cross products of vectors, shape (3, …), each of its own pair."""
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def put(x, columns, values):
    """Set columns of x, shape (3, …), to values: row by row, in half the time that it takes at once."""
    for row, of_row in zip(x, values, strict=True):
        row[columns] = of_row


def rows_of(vectors, chosen):
    """Some of the vectors, shape (count, 3), with one row an axis."""
    return np.ascontiguousarray(vectors.take(chosen, axis=0).T)


def axes_of(vectors):
    """Vectors, shape (count, 3), with one row an axis, in an array of their own."""
    return vectors.T.copy()
