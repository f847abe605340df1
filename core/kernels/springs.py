# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs between weighted points: what they pull with, their energy and their second derivative.

A spring pulls a weighted sum of points, u = sum of w_i x_i, to a rest length L with the energy k/2 (|u| - L)^2; an edge
has the weights 1 and -1. Positions are of shape (3, vertex_count), one row an axis; of m springs of up to w vertices
each, weights are of shape (m, w), or (1, w) where all have the same.
"""

import numpy as np

from .kernel import kernel
from .lanes import VERTICES, slice_count
from .rows import matrix_of, rows_of
from .slices import SPRINGS, add_to_vertices, points, points_in_slices

# Springs that `largest_excess` goes through together.
TOGETHER = 4096

# Where the ends of a spring meet u is zero: any divisor gives zero force, as long as the quotient stays finite.
SHORTEST = 1e-150


def _vectors_example(random, size):
    x, vertices, weights = points(random, size)
    return x, vertices, weights, np.empty((3, vertices.shape[0]))


@kernel(
    "x(3,n) vertices(m,w)<n weights(q,w) -> u(3,m) where q=1|m",
    over="m",
    grain=8192,
    example=_vectors_example,
)
def point_differences(x, vertices, weights, u):
    """u = sum of w_i x_i of every spring."""
    first, *others = np.ascontiguousarray(vertices.T, dtype=np.intp)
    for row, total in zip(x, u, strict=True):
        np.multiply(row.take(first), weights[:, 0], out=total)
        for corner, weight in zip(others, weights.T[1:], strict=True):
            total += weight * row.take(corner)


def _excess_example(random, size):
    x, vertices, weights = points(random, size)
    m = vertices.shape[0]
    return x, vertices, weights, random.uniform(0.0, 9.0, m), np.empty(-(-m // TOGETHER))


@kernel(
    "x(3,n) vertices(m,w)<n weights(q,w) squares(m) -> excess(s) where q=1|m",
    over="s",
    grain=4,
    example=_excess_example,
)
def largest_excess(x, vertices, weights, squares, excess):
    """Of so many springs at a time the most that |u|^2 is above a square."""
    u = np.empty((3, len(squares)))
    point_differences.definition(x, vertices, weights, u)
    more = np.einsum("ij,ij->j", u, u) - squares
    excess[:] = np.fmax.reduceat(more, np.arange(0, len(more), TOGETHER)) if len(more) else 0.0


def _pulls_example(random, size):
    x, vertices, *rest = points_in_slices(random, size)
    m, n = vertices.shape[0], x.shape[1]
    damped, held, limited, bent = m * random.integers(0, 2, 4)
    added = n * random.integers(0, 2)
    held *= damped > 0
    return (
        *(x, vertices, *rest, random.uniform(1.0, 2.0, m), random.uniform(0.0, 2.0, m)),
        *(random.uniform(0.0, 1.0, damped), random.normal(size=(3, damped)), random.normal(size=(3, held))),
        *(random.uniform(0.0, 1.0, limited), random.uniform(0.0, 0.5, limited)),
        *(random.normal(size=(3, added)), np.empty((3, held))),
        *(np.empty((bent, 4), np.float32), np.empty((bent, 2), np.float32), np.empty((slice_count(n), 2))),
        np.empty(m * random.integers(0, 2)),
    )


@kernel(
    f"{SPRINGS} stiffness(m) rest_lengths(m) damping(d) begun(3,d) held(3,h) beyond(b) limits(b) "
    "-> out(3,g) resting(3,h) directions:f4(c,4) stiff:f4(c,2) energies(s,2) each(a) "
    "where q=1|m d=0|m h=0|d b=0|m g=0|n c=0|m a=0|m",
    over="s",
    grain=4,
    example=_pulls_example,
)
def add_spring_pulls(
    x,
    vertices,
    weights,
    inner,
    touching,
    touched,
    stiffness,
    rest_lengths,
    damping,
    begun,
    held,
    beyond,
    limits,
    out,
    resting,
    directions,
    stiff,
    energies,
    each,
):
    """Add to each vertex what springs and their damping pull with [N], tension times u/|u|, times their weights there.

    Where s = |u| - L is above a limit the tension is k s + b (s - limit). Damping, which is divided by dt, adds
    mu n . (u - begun); it has no potential, but with its part across the spring held it has mu/2 |u - held|^2, and
    `resting` is where it would rest, u less its part along the spring. The second derivative has the tension over
    the length across a spring, and the stiffness along it, see `Curvature`: directions has u/|u| in `lanes`, stiff
    both. energies: of springs and damping, and with what is held in place of damping's own, [J], by the slice of their
    first vertex; each: of every spring, with its own damping. What is not asked for has the length 0.
    """
    u = np.empty((3, len(stiffness)))
    point_differences.definition(x, vertices, weights, u)
    size = np.sqrt(np.einsum("ij,ij->j", u, u))
    stretch, length = size - rest_lengths, size + SHORTEST
    tension = stiffness * stretch
    energy = 0.5 * tension * stretch
    if len(limits):
        more = beyond * np.maximum(stretch - limits, 0.0)
        energy += 0.5 * more * (stretch - limits)
        tension += more
    with_held = energy
    if len(damping):
        rate = np.einsum("ij,ij->j", u, u - begun) / length
        tension = tension + damping * rate
        elastic, energy = energy, energy + 0.5 * damping * rate**2
        with_held = energy
        if held.size:
            away = u - held
            with_held = elastic + 0.5 * damping * np.einsum("ij,ij->j", away, away)
            np.subtract(u, u * (rate / length), out=resting)
    if len(stiff):
        # Ends that meet have no direction: what acts there is taken to act in all of them.
        turned = np.maximum(np.where(length == SHORTEST, stiffness, tension / length), 0.0)
        pushed = stiffness - turned + (damping if len(damping) else 0.0)
        directions[:, :3], directions[:, 3] = (u / length).T, 0.0
        stiff[:] = np.column_stack([turned, pushed])
    if out.size:
        u *= tension / length
        add_to_vertices(vertices, weights, u, out)
    if len(each):
        each[:] = energy
    slices = vertices[:, 0] // VERTICES
    for column, of_springs in zip(energies.T, (energy, with_held), strict=True):
        column[:] = np.bincount(slices, of_springs, len(energies))


def _linear_example(random, size):
    return (
        *(*rows_of(random, size, size), random.normal(size=(3, size)), random.normal(size=3)),
        *(random.normal(size=(3, size * int(random.integers(0, 2)))), np.empty(slice_count(size))),
    )


@kernel(
    "starts(n+1)<=e columns(e)<n entries(e) x(3,n) origin(3) -> out(3,g) energies(s) where g=0|n",
    over="s",
    grain=4,
    example=_linear_example,
)
def add_linear(starts, columns, entries, x, origin, out, energies):
    """Add B (x - origin) to `out`, or nothing to an `out` of length 0, B the same for all axes.

    energies: (x - origin) B (x - origin)/2 in slices [J].
    """
    away = x - origin[:, None]
    pulls = (matrix_of(starts, columns, entries, x.shape[1]) @ away.T).T
    if out.size:
        out += pulls
    if len(energies):
        products = np.einsum("ij,ij->j", pulls, away)
        energies[:] = 0.5 * np.add.reduceat(products, np.arange(0, len(products), VERTICES))
