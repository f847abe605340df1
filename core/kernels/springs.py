# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs between weighted points: what they pull with, their energy and their second derivative.

A spring pulls a weighted sum of points, u = sum of w_i x_i, to a rest length L with the energy k/2 (|u| - L)^2; an edge
has the weights 1 and -1. Positions are of shape (3, vertex_count), one row an axis; of m springs of up to w vertices
each, weights are of shape (m, w), or (1, w) where all have the same.
"""

import numpy as np

from .kernel import kernel
from .signature import Indices

# Springs, and vertices, whose energies are added one after the other.
SLICE, VERTICES = 4096, 1024

# Where the ends of a spring meet u is zero: any divisor gives zero force, as long as the quotient stays finite.
SHORTEST = 1e-150


def slice_count(length, size=SLICE):
    """How many slices so many springs, or vertices, have."""
    return -(-length // size)


def _points(random, size):
    """Positions, and the vertices and weights of springs between them: edges, or wider ones of any weights."""
    n, m, width = 2 * size + 2, 9 * size * (size > 3) + size, int(random.choice([2, 4]))
    vertices = Indices(random.integers(0, n, (m, width)), n)
    weights = np.array([[1.0, -1.0]]) if width == 2 else random.normal(size=(m, width))
    return random.normal(size=(3, n)), vertices, weights


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


def _pulls_example(random, size):
    x, vertices, weights = _points(random, size)
    m = vertices.shape[0]
    damped, held, limited, pulled, bent = m * random.integers(0, 2, 5)
    held *= damped > 0
    return (
        *(
            x,
            vertices,
            weights,
            random.uniform(1.0, 2.0, m),
            random.uniform(0.0, 2.0, m),
            random.uniform(0.0, 1.0, damped),
        ),
        *(random.normal(size=(3, damped)), random.normal(size=(3, held))),
        *(random.uniform(0.0, 1.0, limited), random.uniform(0.0, 0.5, limited)),
        *(np.empty((3, pulled)), np.empty((3, held)), np.empty((3, bent)), np.empty(bent), np.empty(bent)),
        np.empty((slice_count(m), 2)),
    )


@kernel(
    "x(3,n) vertices(m,w)<n weights(q,w) stiffness(m) rest_lengths(m) damping(d) begun(3,d) held(3,h) beyond(b) "
    "limits(b) -> pulls(3,f) resting(3,h) normals(3,c) across(c) along(c) energies(s,2) "
    "where q=1|m d=0|m h=0|d b=0|m f=0|m c=0|m",
    over="s",
    grain=2,
    example=_pulls_example,
)
def spring_pulls(
    x,
    vertices,
    weights,
    stiffness,
    rest_lengths,
    damping,
    begun,
    held,
    beyond,
    limits,
    pulls,
    resting,
    normals,
    across,
    along,
    energies,
):
    """What springs and their damping pull with, tension times u/|u| [N].

    Where s = |u| - L is above a limit the tension is k s + b (s - limit). Damping, which is divided by dt, adds
    mu n . (u - begun); it has no potential, but with its part across the spring held it has mu/2 |u - held|^2, and
    `resting` is where it would rest, u less its part along the spring. The second derivative has the tension over
    the length across a spring, and the stiffness along it, see `Curvature`. energies: of springs and damping, and with
    what is held in place of damping's own, [J], the sums of slices. Every array of springs that is not asked for has
    the length 0.
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
    if len(across):
        # Ends that meet have no direction: what acts there is taken to act in all of them.
        np.maximum(np.where(length == SHORTEST, stiffness, tension / length), 0.0, out=across)
        np.subtract(stiffness, across, out=along)
        along += damping if len(damping) else 0.0
        np.divide(u, length, out=normals)
    if pulls.size:
        np.multiply(u, tension / length, out=pulls)
    if len(energies):
        starts = np.arange(0, len(stiffness), SLICE)
        energies[:] = np.column_stack([np.add.reduceat(energy, starts), np.add.reduceat(with_held, starts)])


def _curvature_example(random, size):
    p, vertices, weights = _points(random, size)
    m = vertices.shape[0]
    return (
        *(p, vertices, weights, random.normal(size=(3, m)), random.uniform(size=m), random.uniform(size=m)),
        np.empty((3, m)),
    )


@kernel(
    "p(3,n) vertices(m,w)<n weights(q,w) normals(3,m) across(m) along(m) -> pulls(3,m) where q=1|m",
    over="m",
    grain=8192,
    example=_curvature_example,
)
def curvature_pulls(p, vertices, weights, normals, across, along, pulls):
    """What an increment p changes springs' pulls by, to first order: across u + along n (n . u) [N]."""
    point_differences.definition(p, vertices, weights, pulls)
    pushed = along * np.einsum("ij,ij->j", pulls, normals)
    pulls *= across
    pulls += pushed * normals


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
        *(random.normal(size=(3, size)), np.empty(slice_count(size, VERTICES))),
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
