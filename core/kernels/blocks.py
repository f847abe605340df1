# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks of 3 by 3 on a symmetric matrix's diagonal: what springs have of them, their factors, and solves by these."""

import numpy as np

from .kernel import kernel
from .lanes import lanes_of
from .rows import matrix_of, rows_of


def _springs_example(random, size):
    return (
        *(*rows_of(random, size, size + 1), lanes_of(random, size + 1)),
        *(random.uniform(size=(size + 1, 2)).astype(np.float32), random.uniform(size=size + 1), 0.01),
        random.normal(size=(6, size)),
    )


@kernel(
    "starts(n+1)<=e springs(e)<m weights(e) directions:f4(m,4) stiff:f4(m,2) stiffness(m) least:f8 -> out(6,n)",
    over="n",
    grain=4096,
    example=_springs_example,
)
def add_spring_blocks(starts, springs, weights, directions, stiff, stiffness, least, out):
    """Add to each vertex what its springs have of a n n^T + c I, times their weights: xx, yy, zz, xy, yz and zx.

    directions: n in `lanes`; stiff: c and a, c at least a share of the stiffness; see `add_spring_pulls`.
    """
    n, (across, along) = directions[:, :3].T.astype(float), stiff.T.astype(float)
    of_vertices = matrix_of(starts, springs, weights, len(stiffness))
    for row, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))):
        entries = along * n[i] * n[j]
        out[row] += of_vertices @ (entries + np.maximum(across, least * stiffness) if i == j else entries)


def _factor_example(random, size):
    roots = random.normal(size=(3, 3, size))
    squares = np.einsum("ijn,kjn->ikn", roots, roots)
    blocks = np.stack([squares[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))])
    return blocks, random.uniform(0.5, 1.0, size), np.empty((size, 8), np.float32)


@kernel("blocks(6,n) least(n) -> factors:f4(n,8)", over="n", grain=4096, example=_factor_example)
def factor_blocks(blocks, least, factors):
    """Factors L D L^T of blocks: entries of L, yx, zx and zy, and the inverses of D's, no pivot below the least.

    Rounding of small pivots leaves what solves by them positive definite (Golub and Van Loan 2013, "Matrix
    Computations", sections 4.1 and 11.5).
    """
    xx, yy, zz, xy, yz, zx = blocks
    first = np.maximum(xx, least)
    yx, lower_zx = xy / first, zx / first
    second = np.maximum(yy - yx * xy, least)
    rest = yz - yx * zx
    zy = rest / second
    third = np.maximum(zz - lower_zx * zx - zy * rest, least)
    zero = np.zeros_like(first)
    factors[:] = np.column_stack([yx, lower_zx, zy, zero, 1.0 / first, 1.0 / second, 1.0 / third, zero])


def _solve_example(random, size):
    factors = random.normal(size=(size, 8)).astype(np.float32)
    return factors, lanes_of(random, size), lanes_of(random, size)


@kernel("factors:f4(n,8) r:f4(n,4) -> z:f4(n,4)", over="n", grain=4096, example=_solve_example)
def add_block_solve(factors, r, z):
    """Add to z what blocks by their factors give for r, in `lanes`."""
    yx, zx, zy, _, first, second, third, _ = factors.T
    x, y, w = r[:, 0], r[:, 1] - yx * r[:, 0], r[:, 2]
    w = third * (w - zx * x - zy * y)
    y = second * y - zy * w
    x = first * x - yx * y - zx * w
    z[:, :3] += np.column_stack([x, y, w])
