# SPDX-License-Identifier: GPL-3.0-or-later
"""Products of springs' second derivative, in double precision and in single."""

import numpy as np

from .kernel import kernel
from .lanes import dot_lanes, lanes_of, slice_count
from .slices import SPRINGS, add_to_vertices, points_in_slices
from .springs import point_differences


def _curvature_example(random, size):
    p, vertices, *rest = points_in_slices(random, size)
    m = vertices.shape[0]
    return (
        *(p, vertices, *rest, lanes_of(random, m), random.uniform(size=(m, 2)).astype(np.float32)),
        random.normal(size=p.shape),
    )


@kernel(
    f"{SPRINGS.replace('x(', 'p(')} directions:f4(m,4) stiff:f4(m,2) -> out(3,n) where q=1|m",
    over="s",
    grain=4,
    example=_curvature_example,
)
def add_curvature(p, vertices, weights, inner, touching, touched, directions, stiff, out):
    """Add what an increment p changes springs' pulls by, to first order: across u + along n (n . u) [N].

    directions: n in `lanes`; stiff: across and along. Rounded to single precision they are those of another second
    derivative, as symmetric as this one and 1e-7 from it.
    """
    u, normals, (across, along) = (
        np.empty((3, len(stiff))),
        directions[:, :3].T.astype(float),
        stiff.T.astype(float),
    )
    point_differences.definition(p, vertices, weights, u)
    pushed = along * np.einsum("ij,ij->j", u, normals)
    u *= across
    u += pushed * normals
    add_to_vertices(vertices, weights, u, out)


def _curvature_lanes_example(random, size):
    x, vertices, *rest = points_in_slices(random, size)
    n, m = x.shape[1], vertices.shape[0]
    return (
        *(lanes_of(random, n), vertices, *rest, lanes_of(random, m)),
        *(random.uniform(size=(m, 2)).astype(np.float32), random.integers(0, 2, n).astype(np.float32)),
        *(lanes_of(random, n), lanes_of(random, n), np.empty((slice_count(n), 2))),
    )


@kernel(
    f"{SPRINGS.replace('x(3,n)', 'p:f4(n,4)')} directions:f4(m,4) stiff:f4(m,2) free:f4(n) r:f4(n,4) "
    "-> out:f4(n,4) sums(s,2) where q=1|m",
    over="s",
    grain=4,
    example=_curvature_lanes_example,
)
def add_curvature_lanes(
    p, vertices, weights, inner, touching, touched, directions, stiff, free, r, out, sums
):
    """As `add_curvature`, in `lanes`; sums: of p . out where vertices are free, and of p . r, by slices."""
    rows, increment = out[:, :3].T.astype(float), p[:, :3].T.astype(float)
    of_springs = vertices, weights, inner, touching, touched, directions, stiff
    add_curvature.definition(increment, *of_springs, rows)
    out[:, :3] = rows.T
    for column, product in zip(sums.T, (free[:, None] * out, r), strict=True):
        dot_lanes.definition(p, product, column)
