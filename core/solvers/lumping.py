# SPDX-License-Identifier: GPL-3.0-or-later
"""Weak springs moved onto the strong springs beside them: a matrix with far fewer entries in its factor."""

import numpy as np

# A spring is weak below one share of the stiffest at its ends, and strong above the other.
_WEAK, _STRONG = 0.3, 0.4


def lumped(edges, weights, vertex_count):
    """Weights of A^T diag(weights) A on fewer springs, zero where a spring is left out, shape (spring_count,).

    A weak spring (i, k) gives way to all paths i-j-k of two strong ones: as (a + b)^2 <= 2 a^2 + 2 b^2, twice its
    weight over the number of paths, added to every spring of them, makes a matrix that is nowhere smaller, and on a
    straight path equal for uniform strain. A sheet's springs to the vertex after next fill two thirds of its factor.

    edges: shape (spring_count, 2); weights: [N/m]. Needs SciPy.
    """
    from scipy import sparse

    if len(weights) == 0:
        return weights
    heads, tails = edges.T
    stiffest = np.zeros(vertex_count)
    for ends in (heads, tails):
        np.maximum.at(stiffest, ends, weights)
    beside = np.minimum(stiffest[heads], stiffest[tails])
    strong = (weights >= _STRONG * beside) & (weights > 0.0)
    weak = np.flatnonzero(weights <= _WEAK * beside)

    def symmetric(springs, values):
        matrix = sparse.coo_matrix((values, (heads[springs], tails[springs])), (vertex_count, vertex_count))
        return (matrix + matrix.T).tocsr()

    graph = symmetric(strong, np.ones(np.count_nonzero(strong)))
    graph.data[:] = 1.0
    paths = _entries(graph @ graph, heads[weak], tails[weak])
    left_out, paths = weak[paths > 0.0], paths[paths > 0.0]
    shares = symmetric(left_out, 2.0 * weights[left_out] / paths) @ graph
    kept = np.flatnonzero(strong)
    result = weights.copy()
    result[left_out] = 0.0
    # Two springs that join the same vertices would both get it.
    pairs = np.sort(edges[kept], axis=1) @ np.array([vertex_count, 1])
    _, first = np.unique(pairs, return_index=True)
    kept = kept[first]
    result[kept] += _entries(shares, heads[kept], tails[kept]) + _entries(shares, tails[kept], heads[kept])
    return result


def _entries(matrix, rows, columns):
    """Entries of a SciPy sparse matrix, shape (count,)."""
    return np.asarray(matrix.tocsr()[rows, columns]).ravel() if len(rows) else np.empty(0)
