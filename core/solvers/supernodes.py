# SPDX-License-Identifier: GPL-3.0-or-later
"""The common structure of factors of one pattern: order, supernodes, and places of entries."""

from functools import lru_cache

import numpy as np

from ..kernels import Indices

# The trunk is what has more than this share of the work below it: of a sheet a sixth of it all, where with an eighth it
# is a quarter, which two, four and eight threads would wait for as long as for the trees.
_TREE = 1 / 4

INDEFINITE = "the matrix is not positive definite: check masses, stiffness and step for extreme values"

# Unknowns below which waking threads costs what they gain.
_FEW = 16000

# What the matrix that shows the structure has on its diagonal beyond the sum of its row: definite, and yet nothing in
# its factor dies away from column to column.
_BEYOND = 2.0**-10

# Columns that SuperLU factorises at a time: of sheets of 10,201 and 40,401 vertices 10 and 69 ms, with its own number,
# which is meant for wider supernodes, 15 and 113.
_TOGETHER = 2


class Supernodes:
    """The order of elimination and the supernodes of a symmetric pattern, whatever its values.

    They are found of the pattern's Laplacian, of whose factor no entry is zero by chance. A matrix of the pattern is
    factorised in that order: half of the time of one that is ordered anew, and the same bits in any process.

    Columns are numbered so that trees of the elimination tree are together. indptr, indices: of a CSC matrix with rows
    in order.
    order: unknown of every column; trees: where trees begin and the last ends; indices: what `kernels.supernodes` asks
    for by name; memory: of a factor [bytes].
    """

    def __init__(self, indptr, indices):
        from scipy import sparse

        count = len(indptr) - 1
        columns, sizes = np.repeat(np.arange(count), np.diff(indptr)), np.diff(indptr)
        entries = np.where(indices == columns, (sizes - 1.0 + _BEYOND)[columns], -1.0)
        laplacian = sparse.csc_matrix((entries, indices, indptr), shape=(count, count))
        lower, _, eliminated = _unpacked(_factor(laplacian, "MMD_AT_PLUS_A"))
        numbered = sparse.csc_matrix((np.arange(len(indices)), indices, indptr), shape=(count, count))
        numbered = numbered[eliminated][:, eliminated].tocsc()
        numbered.sort_indices()
        # Of the matrix in the order of elimination: its pattern, and where each entry comes from.
        self._pattern = numbered.indices, numbered.indptr
        self._taken, self._eliminated = numbered.data, eliminated
        self._starts, self._rows = lower.indptr, lower.indices
        lower.data = np.arange(lower.nnz)
        lower, numbers, self.trees = _in_trees(lower)
        self.order = eliminated[numbers]
        firsts, starts, rows, at, places = _panels(lower, self.trees)
        self._places, self._numbers, self._size = np.empty_like(places), numbers, int(at[-1])
        self._places[lower.data] = places
        self.memory = 8 * self._size
        self.indices = {
            "order": Indices(self.order, count),
            "columns": Indices(firsts, count + 1),
            "starts": Indices(starts, len(rows) + 1),
            "rows": Indices(rows, count),
            "at": Indices(at, self._size + 1),
            "trees": Indices(np.searchsorted(firsts, self.trees), len(firsts)),
        }

    def panels(self, matrix, scale):
        """Panels of the factor of a matrix of the pattern, its rows and columns times a scale, and its pivots.

        Raises LinAlgError where it is not positive definite.
        """
        scaled = self._eliminating(matrix)
        scale = scale[self._eliminated]
        scaled.data *= scale[scaled.indices] * np.repeat(scale, np.diff(scaled.indptr))
        lower, pivots, again = _unpacked(_factor(scaled, "NATURAL"))
        panels = np.zeros(self._size)
        panels[self._places[self._entries(lower, again)]] = lower.data
        own = np.empty_like(pivots)
        own[again] = pivots
        return panels, own[self._numbers]

    def solve(self, matrix, b):
        """x with matrix x = b in double precision, of a matrix of the pattern, for b of shape (n, k).

        Raises LinAlgError where it is not positive definite.
        """
        x = np.empty_like(b)
        x[self._eliminated] = _factor(self._eliminating(matrix), "NATURAL").solve(b[self._eliminated])
        return x

    def _eliminating(self, matrix):
        """A matrix of the pattern in the order of elimination."""
        from scipy import sparse

        indices, indptr = self._pattern
        return sparse.csc_matrix((matrix.data[self._taken], indices, indptr), shape=matrix.shape)

    def _entries(self, lower, again):
        """Number of each entry of a factor in that of the pattern; again: column there of every one here."""
        count = len(again)
        column = np.repeat(np.arange(count), np.diff(lower.indptr))
        if not np.array_equal(again, np.arange(count)):
            known = np.repeat(np.arange(count), np.diff(self._starts)) * count + self._rows
            return np.searchsorted(known, again[column] * count + again[lower.indices])
        # Entries that are zero are left out: only of columns that lack some they have to be looked for.
        lacks = np.diff(lower.indptr) < np.diff(self._starts)
        places = np.arange(lower.nnz) + (self._starts - lower.indptr)[column]
        if lacks.any():
            of_known = np.repeat(np.arange(count), np.diff(self._starts))
            among, here = np.flatnonzero(lacks[of_known]), np.flatnonzero(lacks[column])
            known = of_known[among] * count + self._rows[among]
            places[here] = among[np.searchsorted(known, column[here] * count + lower.indices[here])]
        return places


def structure_of(matrix):
    """Supernodes of a matrix's pattern, SciPy CSC with rows in order, kept of the patterns asked for last."""
    return known_structure(matrix.indptr.tobytes(), matrix.indices.tobytes(), matrix.indptr.dtype.str)


# Of one object with and without its first pins.
@lru_cache(maxsize=2)
def known_structure(indptr, indices, kind):
    return Supernodes(np.frombuffer(indptr, kind), np.frombuffer(indices, kind))


def _factor(matrix, ordering):
    """SuperLU's factor without pivoting, ordered for a symmetric matrix."""
    from scipy.sparse.linalg import splu

    try:
        factor = splu(
            matrix,
            permc_spec=ordering,
            diag_pivot_thresh=0.0,
            panel_size=_TOGETHER,
            options={"SymmetricMode": True},
        )
    except RuntimeError as error:
        raise np.linalg.LinAlgError(INDEFINITE) from error
    if not np.array_equal(factor.perm_r, factor.perm_c):
        raise np.linalg.LinAlgError(INDEFINITE)
    return factor


def _unpacked(factor):
    """L of ones on its diagonal, CSC with rows in order, the pivots, and the unknown of every column."""
    pivots = factor.U.diagonal()
    if not (pivots > 0.0).all():
        raise np.linalg.LinAlgError(INDEFINITE)
    lower = factor.L.tocsc()
    lower.sort_indices()
    return lower, pivots, np.argsort(factor.perm_c)


def _parents(lower):
    """Of every column the first row below its diagonal, the count of columns where there is none."""
    count = lower.shape[0]
    below = np.diff(lower.indptr) > 1
    parents = np.full(count, count)
    parents[below] = lower.indices[lower.indptr[:-1][below] + 1]
    return parents


def _in_trees(lower):
    """L with its columns in trees and then the trunk, their numbers before, and where trees begin and the last ends.

    Within each they stay in the order of elimination, in which neighbours seldom wait for each other.
    """
    lower.sort_indices()
    count, parents = lower.shape[0], _parents(lower)
    work, total = _work_below(lower, parents), float(lower.nnz)
    many = count > _FEW
    trunk = work > (_TREE if many else 1.0) * total
    # Trees end at their roots; small ones go together.
    is_root = ~trunk & np.append(trunk, True)[parents]
    share = np.zeros(count)
    share[is_root] = (np.cumsum(work[is_root]) - 0.5 * work[is_root]) // ((_TREE if many else 1.0) * total)
    bundle = share[_ends_of(np.where(is_root | trunk, np.arange(count), parents))]
    bundle[trunk] = np.inf
    numbers = np.argsort(bundle, kind="stable")
    sizes = np.unique(bundle[~trunk], return_counts=True)[1]
    lower = lower[numbers][:, numbers].tocsc()
    lower.sort_indices()
    return lower, numbers, np.concatenate([[0], np.cumsum(sizes)])


def _work_below(lower, parents):
    """Entries of every column and of all that are eliminated into it."""
    from scipy import sparse
    from scipy.sparse.linalg import spsolve_triangular

    count = lower.shape[0]
    child = np.flatnonzero(parents < count)
    adds = sparse.csr_matrix((-np.ones(len(child)), (parents[child], child)), (count, count))
    entries = np.diff(lower.indptr).astype(float)
    return spsolve_triangular(adds + sparse.identity(count, format="csr"), entries, lower=True)


def _ends_of(following):
    """Where following leads in the end, an array of indices, which points at itself there."""
    while not np.array_equal(further := following[following], following):
        following = further
    return following


def _panels(lower, trees):
    """First columns of supernodes, the starts of their rows, their rows, the starts of their panels, and the place of
    every entry in these.
    """
    count, sizes, parents = lower.shape[0], np.diff(lower.indptr), _parents(lower)
    with_next = (parents[:-1] == np.arange(1, count)) & (sizes[:-1] == sizes[1:] + 1)
    with_next[trees[(trees > 0) & (trees < count)] - 1] = False
    firsts = np.flatnonzero(np.append(True, ~with_next)[:count])
    columns = np.append(firsts, count)
    widths, last = np.diff(columns), columns[1:] - 1
    below = sizes[last] - 1
    starts = np.concatenate([[0], np.cumsum(below)])
    own = np.repeat(np.arange(len(widths)), below)
    rows = lower.indices[lower.indptr[last][own] + 1 + np.arange(starts[-1]) - starts[own]]
    at = np.concatenate([[0], np.cumsum(widths * (widths + below))])
    column = np.repeat(np.arange(count), sizes)
    node = np.repeat(np.arange(len(widths)), widths)[column]
    # A row's place among the rows of its supernode: rows are in order within each.
    found = np.searchsorted(own * count + rows, node * count + lower.indices)
    inside = lower.indices < columns[node + 1]
    down = np.where(inside, lower.indices - columns[node], widths[node] + found - starts[node])
    return columns, starts, rows, at, at[node] + down * widths[node] + column - columns[node]
