# SPDX-License-Identifier: GPL-3.0-or-later
"""The inertia of air: what of a motion each of a few waves on a surface has, and what they push with; normals.

B = N G^T has a column a wave: N the direction at every vertex along which air moves, G the waves. Of n vertices the
waves are of shape (n, WAVES), those that a surface does not have 0.
"""

import numpy as np

from .kernel import kernel
from .lanes import VERTICES, lanes_of, slice_count
from .signature import Indices

# Waves of which a surface's air is made.
WAVES = 16

# Where a triangle or a vertex has no normal, any divisor does.
_SMALLEST = 1e-300


def _fields(random, size, *others):
    return random.normal(size=(3, size)), random.normal(size=(size, WAVES)), *others


def _in_slices(values, out):
    out[:] = np.add.reduceat(values, np.arange(0, len(values), VERTICES)) if len(values) else 0.0


@kernel(
    "directions(3,n) waves(n,16) p(3,n) -> sums(s,16)",
    over="s",
    grain=8,
    example=lambda random, size: _fields(
        random, size, random.normal(size=(3, size)), np.empty((slice_count(size), WAVES))
    ),
)
def sum_waves(directions, waves, p, sums):
    """B^T p, by slices of vertices."""
    _in_slices(np.einsum("in,in->n", directions, p)[:, None] * waves, sums)


@kernel(
    "directions(3,n) waves(n,16) numbers(16) scale(q) -> out(3,n) where q=1|n",
    over="n",
    grain=16384,
    example=lambda random, size: _fields(
        *(random, size, random.normal(size=WAVES)),
        *(random.normal(size=random.choice([1, size])), random.normal(size=(3, size))),
    ),
)
def spread_waves(directions, waves, numbers, scale, out):
    """Add B numbers, times a scale at each vertex, to `out`."""
    out += directions * (scale * (waves @ numbers))


def _lanes(random, size, *others):
    return lanes_of(random, size), random.normal(size=(size, WAVES)).astype(np.float32), *others


@kernel(
    "directions:f4(n,4) waves:f4(n,16) p:f4(n,4) -> sums(s,16)",
    over="s",
    grain=8,
    example=lambda random, size: _lanes(
        random, size, lanes_of(random, size), np.empty((slice_count(size), WAVES))
    ),
)
def sum_waves_lanes(directions, waves, p, sums):
    """As `sum_waves`, of fields in `lanes`."""
    _in_slices(np.einsum("ni,ni->n", directions, p)[:, None] * waves.astype(float), sums)


@kernel(
    "directions:f4(n,4) waves:f4(n,16) numbers:f4(16) -> out:f4(n,4)",
    over="n",
    grain=16384,
    example=lambda random, size: _lanes(
        random, size, random.normal(size=WAVES).astype(np.float32), lanes_of(random, size)
    ),
)
def spread_waves_lanes(directions, waves, numbers, out):
    """Add B numbers to `out`, fields in `lanes`."""
    out += directions * (waves @ numbers)[:, None]


@kernel(
    "columns:f4(n,16) field:f4(n,4) -> sums(s,16,4)",
    over="s",
    grain=8,
    example=lambda random, size: (
        *(random.normal(size=(size, WAVES)).astype(np.float32), lanes_of(random, size)),
        np.empty((slice_count(size), WAVES, 4)),
    ),
)
def sum_columns(columns, field, sums):
    """Products of each column with every axis of a field in `lanes`, by slices of vertices."""
    _in_slices(columns[:, :, None] * field[:, None, :].astype(float), sums)


@kernel(
    "columns:f4(n,16) numbers:f4(16,4) -> out:f4(n,4)",
    over="n",
    grain=16384,
    example=lambda random, size: (
        random.normal(size=(size, WAVES)).astype(np.float32),
        *(lanes_of(random, WAVES), lanes_of(random, size)),
    ),
)
def spread_columns(columns, numbers, out):
    """Add columns times numbers to a field in `lanes`."""
    out += columns @ numbers


def _triangles_example(random, size):
    n, m = size + 3, size
    triangles = random.integers(0, n, (m, 3))
    fields = random.normal(size=(3, n)), random.normal(size=(3, n))
    return *fields, 0.5, Indices(triangles, n), np.empty((m, 3))


@kernel(
    "x(3,n) v(3,n) dt:f8 triangles(m,3)<n -> across(m,3)",
    over="m",
    grain=16384,
    example=_triangles_example,
)
def triangle_normals(x, v, dt, triangles, across):
    """Normals of triangles at x + dt v, twice as long as their areas."""
    x = x + dt * v
    a, b, c = (x.take(column, axis=1).T for column in triangles.T)
    across[:] = np.cross(b - a, c - a)


def _around_example(random, size):
    counts = random.integers(0, 7 if size else 1, size)
    starts = np.concatenate([[0], np.cumsum(counts)])
    total = int(starts[-1])
    return (
        *(Indices(starts, total + 1), Indices(random.integers(0, size, total), size)),
        *(random.normal(size=(size, 3)), random.uniform(size=random.choice([1, size]))),
        np.empty((3, size)),
    )


@kernel(
    "starts(n+1)<=e around(e)<m across(m,3) sizes(q) -> normals(3,n) where q=1|n",
    over="n",
    grain=16384,
    example=_around_example,
)
def vertex_normals(starts, around, across, sizes, normals):
    """Normals at vertices, along the sum of those of the triangles around them, of the sizes given; z where it is 0."""
    from scipy import sparse

    matrix = sparse.csr_matrix((np.ones(len(around)), around, starts), (len(starts) - 1, len(across)))
    total = matrix @ across
    length = np.sqrt(np.einsum("ni,ni->n", total, total))
    flat = length < _SMALLEST
    total /= np.where(flat, 1.0, length)[:, None]
    total[flat] = 0.0, 0.0, 1.0
    np.multiply(total.T, sizes, out=normals)
