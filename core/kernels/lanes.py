# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields in single precision, for what is a correction and need not be closer, as conjugate gradients are.

A field is of shape (n, 4): x, y and z of a vertex next to each other, and a zero, so that one instruction takes all of
a vertex. Elsewhere fields have one row an axis, shape (3, n), in double precision.
"""

import numpy as np

from .kernel import kernel
from .rows import matrix_of, rows_of


def lanes_of(random, size):
    """A field of random numbers."""
    field = random.normal(size=(size, 4)).astype(np.float32)
    field[:, 3] = 0.0
    return field


def _lengths(random, size):
    return random.normal(size=1 if random.integers(0, 2) else size).astype(np.float32)


def _sums(size):
    return np.empty(slice_count(size))


# Vertices that one thread writes to, and whose sums are added one after the other.
VERTICES = 2048


def slice_count(vertex_count):
    """How many slices so many vertices have."""
    return -(-vertex_count // VERTICES)


@kernel(
    "rows(3,n) factor:f8 -> out:f4(n,4)",
    over="n",
    grain=65536,
    example=lambda random, size: (random.normal(size=(3, size)), -2.0, np.empty((size, 4), np.float32)),
)
def to_lanes(rows, factor, out):
    """A field of one row an axis, times a factor."""
    out[:, :3], out[:, 3] = factor * rows.T, 0.0


@kernel(
    "field:f4(n,4) factor:f8 -> out(3,n)",
    over="n",
    grain=65536,
    example=lambda random, size: (lanes_of(random, size), 0.5, np.empty((3, size))),
)
def from_lanes(field, factor, out):
    """A field as one row an axis, times a factor."""
    np.multiply(field[:, :3].T, factor, out=out)


@kernel(
    "a:f4(n,4) b:f4(n,4) -> sums(s)",
    over="s",
    grain=32,
    example=lambda random, size: (lanes_of(random, size), lanes_of(random, size), _sums(size)),
)
def dot_lanes(a, b, sums):
    """Product of two fields, by slices of vertices."""
    starts = np.arange(0, len(a), VERTICES)
    sums[:] = np.add.reduceat(np.einsum("ij,ij->i", a, b, dtype=float), starts) if len(a) else 0.0


@kernel(
    "z:f4(n,4) factors:f4(l) -> p:f4(n,4) where l=1|n",
    over="n",
    grain=131072,
    example=lambda random, size: (lanes_of(random, size), _lengths(random, size), lanes_of(random, size)),
)
def follow_lanes(z, factors, p):
    """p = z + factor p, of all vertices or of each."""
    p *= factors[:, None]
    p += z


@kernel(
    "p:f4(n,4) change:f4(n,4) free:f4(n) lengths:f4(l) -> step:f4(n,4) r:f4(n,4) where l=1|n",
    over="n",
    grain=32768,
    example=lambda random, size: (
        *(
            lanes_of(random, size),
            lanes_of(random, size),
            random.integers(0, 2, size).astype(np.float32),
            _lengths(random, size),
        ),
        *(lanes_of(random, size), lanes_of(random, size)),
    ),
)
def advance_lanes(p, change, free, lengths, step, r):
    """A step longer by length p, of all vertices or of each, and r shorter by as much of its change where free."""
    step += lengths[:, None] * p
    r -= (lengths * free)[:, None] * change


def _linear_example(random, size):
    *rows, entries = rows_of(random, size, size)
    return (
        *(*rows, entries.astype(np.float32), random.uniform(size=size).astype(np.float32)),
        *(lanes_of(random, size), np.empty((size, 4), np.float32)),
    )


@kernel(
    "starts(n+1)<=e columns(e)<n entries:f4(e) diagonal:f4(n) p:f4(n,4) -> out:f4(n,4)",
    over="n",
    grain=8192,
    example=_linear_example,
)
def multiply_linear(starts, columns, entries, diagonal, p, out):
    """B p + diagonal p, B a sparse matrix that is the same for all axes, in rows."""
    out[:] = matrix_of(starts, columns, entries.astype(float), len(p)) @ p + diagonal[:, None] * p
