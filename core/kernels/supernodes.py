# SPDX-License-Identifier: GPL-3.0-or-later
"""Solves with a sparse triangular factor in supernodes, tree by tree.

P D S D P^T = L diag(1/inverses) L^T, with D the scale, P the order, and L of ones on its diagonal. Columns next to
each other that have the same rows below them are a supernode: k of them, `columns` where each begins, `starts` and
`rows` its rows below, `at` where its panel begins: a square of its own columns, of which what is below the diagonal
counts, and below it a row for each of its rows. Trees are ranges of supernodes whose rows lie in themselves or in the
trunk, which is what stands behind them all: they can be gone through side by side. The factor is kept, and gone
through, in single precision: it is what a solve has to read, and a preconditioner need not be closer.

b and out: see `lanes`; x: the same in the order of the factor, for each tree, which has the trunk's as well, and for
the trunk, which is last: shape (trees + 1, unknowns, 4).
"""

from itertools import pairwise

import numpy as np

from .kernel import kernel
from .lanes import lanes_of
from .signature import Indices

_ORDER, _FACTOR = "order(n)<n scale:f4(n)", "columns(k+1)<=n starts(k+1)<=e rows(e)<n at(k+1)<=f panels:f4(f)"


def _tree_of(random, first, count, trunk, unknowns):
    """First columns of a tree's supernodes, and the rows of each."""
    widths: list[int] = []
    while sum(widths) < count:
        widths.append(min(int(random.integers(1, 7)), count - sum(widths)))
    ends = first + np.cumsum(widths)
    last = first + count
    later = [np.concatenate([np.arange(end, last), np.arange(max(trunk, last), unknowns)]) for end in ends]
    rows = [
        np.sort(random.choice(some, min(len(some), int(random.integers(0, 9))), replace=False))
        for some in later
    ]
    return (ends - widths).tolist(), rows


def _example_factor(random, size):
    """Order, scale, the factor, its inverses and its trees, of any numbers."""
    count = min(3, size // 2)
    bounds = np.linspace(0, size - size // 4, count + 1).astype(int)
    trunk = int(bounds[-1])
    columns: list = []
    rows: list = []
    trees = [0]
    for first, last in pairwise(bounds):
        firsts, own = _tree_of(random, first, last - first, trunk, size)
        columns, rows, trees = columns + firsts, rows + own, [*trees, trees[-1] + len(firsts)]
    firsts, own = _tree_of(random, trunk, size - trunk, size, size)
    columns, rows = [*columns, *firsts, size], rows + own
    widths, below = np.diff(columns), np.array([len(some) for some in rows], dtype=int)
    starts = np.concatenate([[0], np.cumsum(below)])
    at = np.concatenate([[0], np.cumsum(widths * (widths + below))])
    joined = np.concatenate([*rows, np.empty(0, int)]).astype(int)
    factor = (
        *(Indices(columns, size + 1), Indices(starts, len(joined) + 1), Indices(joined, size)),
        *(Indices(at, at[-1] + 1), random.uniform(-0.1, 0.1, at[-1]).astype(np.float32)),
    )
    order = Indices(random.permutation(size), size), random.uniform(0.5, 2.0, size).astype(np.float32)
    inverses = random.uniform(0.5, 2.0, size).astype(np.float32)
    x = lanes_of(random, (count + 1) * size).reshape(count + 1, size, 4)
    return order, factor, inverses, Indices(trees, len(widths) + 1), x


def _eliminate_example(random, size):
    order, factor, _, trees, x = _example_factor(random, size)
    return lanes_of(random, size), *order, *factor, trees, x


@kernel(
    f"b:f4(n,4) {_ORDER} {_FACTOR} trees(t+1)<=k -> x:f4(t+1,n,4)",
    over="t",
    example=_eliminate_example,
)
def eliminate_trees(b, order, scale, columns, starts, rows, at, panels, trees, x):
    """x = L^-1 P D b of every tree, and what it adds to the trunk's right side."""
    lower, trunk = _lower(columns, starts, rows, at, panels), columns[trees[-1]]
    found = _solved(lower[:trunk, :trunk], _scaled(b, order, scale)[:trunk])
    for own, first, last in zip(x[:-1], columns[trees[:-1]], columns[trees[1:]], strict=True):
        own[first:last, :3], own[first:last, 3], own[trunk:, 3] = found[first:last], 0.0, 0.0
        own[trunk:, :3] = -(lower[trunk:, first:last] @ found[first:last])


def _trunk_example(random, size):
    order, factor, inverses, trees, x = _example_factor(random, size)
    return lanes_of(random, size), *order, *factor, inverses, trees, x, np.zeros((size, 4), np.float32)


@kernel(
    f"b:f4(n,4) {_ORDER} {_FACTOR} inverses:f4(n) trees(t+1)<=k -> x:f4(t+1,n,4) out:f4(n,4)",
    over=None,
    example=_trunk_example,
)
def solve_trunk(b, order, scale, columns, starts, rows, at, panels, inverses, trees, x, out):
    """x of the trunk, which every tree gets, and S^-1 b of it in `out`."""
    trunk = columns[trees[-1]]
    lower = _lower(columns, starts, rows, at, panels)[trunk:, trunk:]
    right = _scaled(b, order, scale)[trunk:] + x[:-1, trunk:, :3].sum(axis=0, dtype=float)
    middle = inverses[trunk:, None] * _solved(lower, right)
    x[:, trunk:, :3], x[:, trunk:, 3] = _solved(lower, middle, transposed=True), 0.0
    out[order[trunk:]] = scale[trunk:, None] * x[-1, trunk:]


def _substitute_example(random, size):
    order, factor, inverses, trees, x = _example_factor(random, size)
    return *order, *factor, inverses, trees, x, np.zeros((size, 4), np.float32)


@kernel(
    f"{_ORDER} {_FACTOR} inverses:f4(n) trees(t+1)<=k -> x:f4(t+1,n,4) out:f4(n,4)",
    over="t",
    example=_substitute_example,
)
def substitute_trees(order, scale, columns, starts, rows, at, panels, inverses, trees, x, out):
    """x of every tree after the trunk's, and S^-1 b of it in `out`."""
    lower, trunk = _lower(columns, starts, rows, at, panels), columns[trees[-1]]
    for own, first, last in zip(x[:-1], columns[trees[:-1]], columns[trees[1:]], strict=True):
        right = inverses[first:last, None] * own[first:last, :3]
        right -= lower[trunk:, first:last].T @ own[trunk:, :3]
        own[first:last, :3] = _solved(lower[first:last, first:last], right, transposed=True)
        out[order[first:last]] = scale[first:last, None] * own[first:last]


def _scaled(b, order, scale):
    return b[order, :3] * scale[:, None].astype(float)


def _lower(columns, starts, rows, at, panels):
    """L as a SciPy CSR matrix."""
    from scipy import sparse

    widths, count = np.diff(columns), columns[-1]
    owner = np.repeat(np.arange(len(widths)), np.diff(at))
    down, across = np.divmod(np.arange(len(panels)) - at[owner], widths[owner])
    own, column = down < widths[owner], columns[owner] + across
    row = columns[owner] + down
    row[~own] = rows[(starts[owner] + down - widths[owner])[~own]]
    below = row > column
    entries = panels[below].astype(np.float64), (row[below], column[below])
    return sparse.csr_matrix(entries, (count, count)) + sparse.identity(count, format="csr")


def _solved(lower, right, transposed=False):
    from scipy.sparse.linalg import spsolve_triangular

    if len(right) == 0:
        return right
    matrix = lower.T.tocsr() if transposed else lower
    return spsolve_triangular(matrix, right, lower=not transposed, unit_diagonal=True)
