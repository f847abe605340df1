# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs between weighted points: what they pull with, their energy and their second derivative.

A spring pulls a weighted sum of points, u = sum of w_i x_i, to a rest length L with the energy k/2 (|u| - L)^2; an edge
has the weights 1 and -1. Positions are of shape (3, vertex_count), one row an axis; of m springs of up to w vertices
each, weights are of shape (m, w), or (1, w) where all have the same.
"""

from typing import NamedTuple

import numpy as np

from .kernel import kernel
from .lanes import VERTICES, dot_lanes, lanes_of, slice_count
from .signature import Indices

# Springs that `largest_excess` goes through together.
SPRINGS = 4096

# Springs by slices of vertices, see `in_slices`.
_SPRINGS = "x(3,n) vertices(m,w)<n weights(q,w) inner(s+1)<=m touching(s+1)<=e touched(e)<m"

# Where the ends of a spring meet u is zero: any divisor gives zero force, as long as the quotient stays finite.
SHORTEST = 1e-150


class Slices(NamedTuple):
    """Springs by slices of vertices, so that each slice is written to by itself.

    order: of the springs, those within slices first; inner: where in that order each slice's begin, and the last one's
    end; touching, touched: those that leave their slice, by slices that have one of their vertices.
    """

    order: np.ndarray
    inner: Indices
    touching: Indices
    touched: Indices


def in_slices(vertices, vertex_count):
    """Slices of springs between vertices, shape (spring_count, width), which keep their order within each."""
    count, slices = len(vertices), slice_count(vertex_count)
    place = np.asarray(vertices) // VERTICES
    leaves = (place != place[:, :1]).any(axis=1)
    order = np.lexsort((place[:, 0], leaves))
    inner = np.concatenate([[0], np.cumsum(np.bincount(place[~leaves, 0], minlength=slices))])
    crossing = place[order[inner[-1] :]]
    pairs = np.unique(crossing * count + np.arange(inner[-1], count)[:, None])
    slice_of, touched = np.divmod(pairs, max(count, 1))
    touching = np.concatenate([[0], np.cumsum(np.bincount(slice_of, minlength=slices))])
    return Slices(
        order, Indices(inner, count + 1), Indices(touching, len(touched) + 1), Indices(touched, count)
    )


def _points(random, size):
    """Positions, and the vertices and weights of springs between them: edges, or wider ones of any weights."""
    # Of many vertices, so that there are several slices.
    n, m, width = (
        (12 if size > 99 else 2) * size + 2,
        9 * size * (size > 3) + size,
        int(random.choice([2, 4])),
    )
    vertices = random.integers(0, n, (m, width))
    near = random.random(m) < 0.5
    vertices[near] = (vertices[near, :1] + random.integers(0, 9, (near.sum(), width))) % n
    weights = np.array([[1.0, -1.0]]) if width == 2 else random.normal(size=(m, width))
    return random.normal(size=(3, n)), Indices(vertices, n), weights


def _points_in_slices(random, size):
    """The same by slices: positions, vertices, weights, and what says which springs a slice has."""
    x, vertices, weights = _points(random, size)
    slices = in_slices(vertices.values, x.shape[1])
    ordered = Indices(vertices.values[slices.order], x.shape[1])
    return x, ordered, weights if len(weights) == 1 else weights[slices.order], *slices[1:]


def _vectors_example(random, size):
    x, vertices, weights = _points(random, size)
    return x, vertices, weights, np.empty((3, vertices.shape[0]))


@kernel(
    "x(3,n) vertices(m,w)<n weights(q,w) -> u(3,m) where q=1|m",
    over="m",
    grain=8192,
    example=_vectors_example,
)
def point_differences(x, vertices, weights, u):
    """u = sum of w_i x_i of every spring."""
    u[:] = 0.0
    for corner, weight in zip(vertices.T, weights.T, strict=True):
        u += weight * x[:, corner]


def _excess_example(random, size):
    x, vertices, weights = _points(random, size)
    m = vertices.shape[0]
    return x, vertices, weights, random.uniform(0.0, 9.0, m), np.empty(-(-m // SPRINGS))


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
    excess[:] = np.fmax.reduceat(more, np.arange(0, len(more), SPRINGS)) if len(more) else 0.0


def _pulls_example(random, size):
    x, vertices, *rest = _points_in_slices(random, size)
    m, n = vertices.shape[0], x.shape[1]
    damped, held, limited, bent, single = m * random.integers(0, 2, 5)
    added = n * random.integers(0, 2)
    held *= damped > 0
    return (
        *(x, vertices, *rest, random.uniform(1.0, 2.0, m), random.uniform(0.0, 2.0, m)),
        *(random.uniform(0.0, 1.0, damped), random.normal(size=(3, damped)), random.normal(size=(3, held))),
        *(random.uniform(0.0, 1.0, limited), random.uniform(0.0, 0.5, limited)),
        *(random.normal(size=(3, added)), np.empty((3, held))),
        *(np.empty((3, bent)), np.empty(bent), np.empty(bent)),
        *(
            np.empty((single, 4), np.float32),
            np.empty((single, 2), np.float32),
            np.empty((slice_count(n), 2)),
        ),
    )


@kernel(
    f"{_SPRINGS} stiffness(m) rest_lengths(m) damping(d) begun(3,d) held(3,h) beyond(b) limits(b) "
    "-> out(3,g) resting(3,h) normals(3,c) across(c) along(c) directions:f4(l,4) stiff:f4(l,2) energies(s,2) "
    "where q=1|m d=0|m h=0|d b=0|m g=0|n c=0|m l=0|m",
    over="s",
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
    normals,
    across,
    along,
    directions,
    stiff,
    energies,
):
    """Add to each vertex what springs and their damping pull with [N], tension times u/|u|, times their weights there.

    Where s = |u| - L is above a limit the tension is k s + b (s - limit). Damping, which is divided by dt, adds
    mu n . (u - begun); it has no potential, but with its part across the spring held it has mu/2 |u - held|^2, and
    `resting` is where it would rest, u less its part along the spring. The second derivative has the tension over
    the length across a spring, and the stiffness along it, see `Curvature`; directions and stiff have the same in
    single precision, directions in `lanes`. energies: of springs and damping, and with
    what is held in place of damping's own, [J], by the slice of their first vertex. What is not asked for has the
    length 0.
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
    if len(across) or len(stiff):
        # Ends that meet have no direction: what acts there is taken to act in all of them.
        turned = np.maximum(np.where(length == SHORTEST, stiffness, tension / length), 0.0)
        pushed = stiffness - turned + (damping if len(damping) else 0.0)
        if len(across):
            normals[:], across[:], along[:] = u / length, turned, pushed
        if len(stiff):
            directions[:, :3], directions[:, 3] = (u / length).T, 0.0
            stiff[:] = np.column_stack([turned, pushed])
    if out.size:
        u *= tension / length
        _add(vertices, weights, u, out)
    slices = vertices[:, 0] // VERTICES
    for column, of_springs in zip(energies.T, (energy, with_held), strict=True):
        column[:] = np.bincount(slices, of_springs, len(energies))


def _curvature_example(random, size):
    p, vertices, *rest = _points_in_slices(random, size)
    m = vertices.shape[0]
    return (
        *(p, vertices, *rest, random.normal(size=(3, m)), random.uniform(size=m), random.uniform(size=m)),
        random.normal(size=p.shape),
    )


@kernel(
    f"{_SPRINGS.replace('x(', 'p(')} normals(3,m) across(m) along(m) -> out(3,n) where q=1|m",
    over="s",
    example=_curvature_example,
)
def add_curvature(p, vertices, weights, inner, touching, touched, normals, across, along, out):
    """Add what an increment p changes springs' pulls by, to first order: across u + along n (n . u) [N]."""
    u = np.empty((3, len(across)))
    point_differences.definition(p, vertices, weights, u)
    pushed = along * np.einsum("ij,ij->j", u, normals)
    u *= across
    u += pushed * normals
    _add(vertices, weights, u, out)


def _curvature_lanes_example(random, size):
    x, vertices, *rest = _points_in_slices(random, size)
    n, m = x.shape[1], vertices.shape[0]
    return (
        *(lanes_of(random, n), vertices, *rest, lanes_of(random, m)),
        *(random.uniform(size=(m, 2)).astype(np.float32), random.integers(0, 2, n).astype(np.float32)),
        *(lanes_of(random, n), lanes_of(random, n), np.empty((slice_count(n), 2))),
    )


@kernel(
    f"{_SPRINGS.replace('x(3,n)', 'p:f4(n,4)')} directions:f4(m,4) stiff:f4(m,2) free:f4(n) r:f4(n,4) "
    "-> out:f4(n,4) sums(s,2) where q=1|m",
    over="s",
    example=_curvature_lanes_example,
)
def add_curvature_lanes(
    p, vertices, weights, inner, touching, touched, directions, stiff, free, r, out, sums
):
    """As `add_curvature`, in `lanes`; sums: of p . out where vertices are free, and of p . r, by slices."""
    rows, (across, along) = out[:, :3].T.astype(float), stiff.T.astype(float)
    normals, increment = directions[:, :3].T.astype(float), p[:, :3].T.astype(float)
    of_springs = vertices, weights, inner, touching, touched, normals, across, along
    add_curvature.definition(increment, *of_springs, rows)
    out[:, :3] = rows.T
    for column, product in zip(sums.T, (free[:, None] * out, r), strict=True):
        dot_lanes.definition(p, product, column)


def _add(vertices, weights, u, out):
    """Add vectors of springs, times their weights, at their vertices."""
    for corner, weight in zip(vertices.T, weights.T, strict=True):
        for total, row in zip(out, u, strict=True):
            total += np.bincount(corner, weight * row, len(total))


def _rows(random, rows, columns):
    """Starts, columns and entries of a sparse matrix of so many rows."""
    counts = random.integers(0, 5 if columns else 1, rows)
    starts = np.concatenate([[0], np.cumsum(counts)])
    total = int(starts[-1])
    return (
        Indices(starts, total + 1),
        Indices(random.integers(0, columns, total), columns),
        random.normal(size=total),
    )


def _added_example(random, size):
    axes = int(random.choice([3, 6]))
    return (
        *(*_rows(random, size, size + 1), random.normal(size=(axes, size + 1))),
        random.normal(size=(axes, size)),
    )


@kernel(
    "starts(n+1)<=e springs(e)<m weights(e) pulls(a,m) -> out(a,n)",
    over="n",
    grain=4096,
    example=_added_example,
)
def add_at_points(starts, springs, weights, pulls, out):
    """Add to each vertex what its springs pull with, times their weights there: A^T pulls, A in rows of vertices."""
    for pull, total in zip(pulls, out, strict=True):
        total += _matrix(starts, springs, weights, len(pull)) @ pull


def _linear_example(random, size):
    return (
        *(*_rows(random, size, size), random.normal(size=(3, size)), random.normal(size=3)),
        *(random.normal(size=(3, size)), np.empty(slice_count(size))),
    )


@kernel(
    "starts(n+1)<=e columns(e)<n entries(e) x(3,n) origin(3) -> out(3,n) energies(s)",
    over="s",
    grain=4,
    example=_linear_example,
)
def add_linear(starts, columns, entries, x, origin, out, energies):
    """Add B (x - origin) to `out`, B the same for all axes; energies: (x - origin) B (x - origin)/2 in slices [J]."""
    away = x - origin[:, None]
    pulls = (_matrix(starts, columns, entries, x.shape[1]) @ away.T).T
    out += pulls
    if len(energies):
        products = np.einsum("ij,ij->j", pulls, away)
        energies[:] = 0.5 * np.add.reduceat(products, np.arange(0, len(products), VERTICES))


def _matrix(starts, columns, entries, width):
    from scipy import sparse

    return sparse.csr_matrix((entries, columns, starts), (len(starts) - 1, width), copy=False)
