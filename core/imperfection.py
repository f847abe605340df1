# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a surface starts off its shape, so that nothing stands in an exact balance."""

import numpy as np

from .directions import lengths
from .incidence import sparse
from .quantities import quantity
from .solvers.attainable import solid_particles
from .topology import connected_parts

# A hundredth of the thickness of cotton [m]: a flag that begins level and a skirt that begins round come down within
# a second, as with ten times as much.
SLIGHT = 3e-6

# At most so much of the mean length of a part's edges, where meshes are small.
_OF_EDGES = 1e-3

# Rounds of averaging for every vertex, which spread a value over a twentieth of a sheet, at least and at most.
_ROUNDS, _LEAST, _MOST = 1.0 / 400.0, 8, 32


def imperfection(network, size):
    """Offsets of the vertices at the start along the normals of the surface [m], shape (n, 3).

    A smooth field of random signs, which depend on the numbers of the vertices within their part alone. So it is the
    same every time, whatever else is simulated. Pins, strands and solids have no offset. Without SciPy, which finds
    parts, nothing has one.
    network: SpringNetwork; size: largest offset of every part [m], a number or one for each vertex.
    Raises ValueError if it is negative or not finite.
    """
    count = network.vertex_count
    size = quantity("imperfection", size, "vertex", count, "m")
    triangles = network.surface.triangles
    if sparse is None or not size.any() or not len(triangles):
        return np.zeros((count, 3))
    normals = _normals(network.points, triangles)
    parts = connected_parts(network.edges, count)
    values = _smooth(_signs(parts), network.edges)
    values[(network.pins > 0.0) | solid_particles(network) | ~normals.any(axis=1)] = 0.0
    most = np.minimum(size, _OF_EDGES * _mean_lengths(network, parts))
    return (most * values / _largest(values, parts))[:, None] * normals


def _signs(parts):
    """-1 or 1 of every vertex, by its place among those of its part."""
    order = np.argsort(parts, kind="stable")
    sizes = np.bincount(parts)
    place = np.empty(len(parts), dtype=np.intp)
    place[order] = np.arange(len(parts)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    raw = np.random.PCG64(0).random_raw(int(sizes.max()))
    return np.where(raw >> np.uint64(63), 1.0, -1.0)[place]


def _smooth(values, edges):
    """Values averaged with those across edges, again and again."""
    count = len(values)
    heads, tails = edges.T
    beside = np.maximum(np.bincount(edges.ravel(), minlength=count), 1)
    for _ in range(int(np.clip(_ROUNDS * count, _LEAST, _MOST))):
        sums = np.bincount(heads, values[tails], count) + np.bincount(tails, values[heads], count)
        values = 0.5 * (values + sums / beside)
    return values


def _normals(points, triangles):
    """Unit normals of the surface at every vertex, zero where there is none, shape (n, 3)."""
    a, b, c = (points[column] for column in triangles.T)
    own = np.cross(b - a, c - a)
    sums = np.column_stack(
        [np.bincount(triangles.ravel(), np.repeat(axis, 3), len(points)) for axis in own.T]
    )
    size = lengths(sums)
    return sums / np.where(size > 0.0, size, 1.0)[:, None]


def _mean_lengths(network, parts):
    """Mean length of the edges of every vertex's part [m]."""
    of = parts[network.edges[:, 0]]
    count = parts.max() + 1
    sums = np.bincount(of, network.spring_lengths(network.points), count)
    return (sums / np.maximum(np.bincount(of, minlength=count), 1))[parts]


def _largest(values, parts):
    """The largest size of the values of every vertex's part, 1 where all are zero."""
    largest = np.zeros(parts.max() + 1)
    np.maximum.at(largest, parts, np.abs(values))
    return np.where(largest > 0.0, largest, 1.0)[parts]
