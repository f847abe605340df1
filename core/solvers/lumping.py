# SPDX-License-Identifier: GPL-3.0-or-later
"""Long springs moved onto the shorter ones beside them: a matrix with far fewer entries in its factor."""

from functools import lru_cache

import numpy as np

from ..listed import ranges

# A spring is left out where two others lead from end to end: each at most this share of its length, both together
# at most this many times its length, and none much softer than itself.
_SHORTER, _DETOUR, _SOFTER = 0.85, 1.5, 0.2

# The same for two that lead straight: their directions are the spring's own.
_STRAIGHT = 1.1

# Share of what the springs along edges resist at a vertex up to which the matrix does without its stencils.
_BESIDE = 1 / 16


def lumped(edges, weights, lengths, vertex_count):
    """Weights of A^T diag(weights) A on fewer springs, zero where a spring is left out, shape (spring_count,).

    A diagonal gives way to sides, a spring to the vertex beyond the next to the two on the way: each gets
    w l^2/(l_1^2 + l_2^2), shared among the ways there are, so that slow waves meet the same stiffness; for
    (a + b)^2 <= 2 a^2 + 2 b^2 the matrix is nowhere below half of the other one, once for every round of
    moving. Ways are of shorter springs, so that what was joined stays joined, and the moving ends. The factor of a
    sheet solves in a third of the time.

    edges: shape (spring_count, 2); weights: [N/m]; lengths: at rest [m].

    Bern, Gilbert, Hendrickson, Nguyen, Toledo 2006, "Support-graph preconditioners", for the idea.
    """
    springs, first, second = _ways(edges, weights, lengths, vertex_count)
    count = len(edges)
    ways = np.bincount(springs, minlength=count)
    gain = lengths[springs] ** 2 / (lengths[first] ** 2 + lengths[second] ** 2) / ways[springs]
    left_out = ways > 0
    weights = np.array(weights, dtype=np.float64)
    while (weights[left_out] > 0.0).any():
        moved = gain * weights[springs]
        weights[left_out] = 0.0
        weights += np.bincount(first, moved, count) + np.bincount(second, moved, count)
    return weights


def stencils_that_count(stencils, weights, edges):
    """Mask of the stencils that a matrix of the springs along edges is too soft without, shape (stencil_count,).

    A matrix answers for stencils it does not have where what they resist is resisted far harder by what pulls at the
    same vertices: as a form, k |u|^2 is at most the sum of k |w_i| sum_j |w_j| over the vertices (Gershgorin).

    stencils: Stencils; weights: of the springs along edges in the matrix [N/m]; edges: theirs.
    """
    if len(stencils) == 0:
        return np.zeros(0, dtype=bool)
    size = np.abs(stencils.weights)
    rows = stencils.stiffness[:, None] * size * size.sum(axis=1, keepdims=True)
    count = int(max(stencils.vertices.max(), edges.max(initial=0))) + 1
    resisted = np.bincount(stencils.vertices.ravel(), rows.ravel(), count)
    pulled = np.bincount(edges.ravel(), np.repeat(weights, 2), count)
    stiff = resisted > _BESIDE * pulled
    if not stiff.any():
        return np.zeros(len(stencils), dtype=bool)
    return (stiff[stencils.vertices] & (size > 0.0)).any(axis=1)


def straightened(edges, weights, lengths, vertex_count):
    """Springs that are kept where those that lead straight over a vertex are left out, and what the kept ones carry.

    Returns indices and a SciPy CSR matrix of shape (kept count, spring_count) for any quantity w of springs that adds
    up, blocks of second derivatives too, with the shares of `lumped`. Arguments as there.
    """
    from scipy import sparse

    springs, first, second = _ways(edges, weights, lengths, vertex_count)
    straight = lengths[first] + lengths[second] <= _STRAIGHT * lengths[springs]
    springs, first, second = springs[straight], first[straight], second[straight]
    count = len(edges)
    ways = np.bincount(springs, minlength=count)
    gain = lengths[springs] ** 2 / (lengths[first] ** 2 + lengths[second] ** 2) / ways[springs]
    places = np.concatenate([first, second]), np.tile(springs, 2)
    moving = sparse.csr_matrix((np.tile(gain, 2), places), shape=(count, count))
    kept = np.flatnonzero(ways == 0)
    on_the_way = sparse.diags((ways > 0).astype(np.float64))
    carried, moved = sparse.identity(count, format="csr"), on_the_way
    while moved.nnz:
        found = moving @ moved
        carried = carried + found
        moved = on_the_way @ found
        moved.eliminate_zeros()
    return kept, carried.tocsr()[kept]


def _ways(edges, weights, lengths, vertex_count):
    """Springs and the two others that lead from end to end, as three arrays of one length."""
    springs, first, second = detours(edges, lengths, vertex_count)
    stiff = _SOFTER * weights[springs]
    fits = (weights[first] >= stiff) & (weights[second] >= stiff)
    return springs[fits], first[fits], second[fits]


def detours(edges, lengths, vertex_count):
    """The same whatever the springs' weights, kept of the springs that were asked for last."""
    return known_detours(edges.tobytes(), lengths.tobytes(), vertex_count)


@lru_cache(maxsize=2)
def known_detours(edges, lengths, vertex_count):
    edges, lengths = np.frombuffer(edges, np.intp).reshape(-1, 2), np.frombuffer(lengths)
    low, high = np.sort(edges, axis=1).T
    count = len(edges)
    keys = low * vertex_count + high
    order = np.argsort(keys, kind="stable")
    ends, others = np.concatenate([low, high]), np.concatenate([high, low])
    by_end = np.argsort(ends, kind="stable")
    neighbours, joining = others[by_end], by_end % count if count else by_end
    starts = np.searchsorted(ends[by_end], np.arange(vertex_count + 1))
    shortest = np.full(vertex_count, np.inf)
    np.minimum.at(shortest, ends, np.tile(lengths, 2))
    long = np.flatnonzero((lengths > 0.0) & (_SHORTER * lengths >= np.maximum(shortest[low], shortest[high])))
    # Every neighbour of one end is a way if a spring joins it to the other end.
    begin = starts[low[long]]
    which, at = ranges(begin, starts[low[long] + 1] - begin)
    springs, middle, first = long[which], neighbours[at], joining[at]
    fits = _SHORTER * lengths[springs] >= lengths[first]
    springs, middle, first = springs[fits], middle[fits], first[fits]
    wanted = np.minimum(middle, high[springs]) * vertex_count + np.maximum(middle, high[springs])
    place = np.minimum(np.searchsorted(keys[order], wanted), max(count - 1, 0))
    second = order[place] if count else place
    fits = (
        (keys[second] == wanted)
        & (_SHORTER * lengths[springs] >= lengths[second])
        & (lengths[first] + lengths[second] <= _DETOUR * lengths[springs])
        # Rest lengths need not be those of a triangle.
        & (lengths[first] + lengths[second] >= _SHORTER * lengths[springs])
    )
    return springs[fits], first[fits], second[fits]
