# SPDX-License-Identifier: GPL-3.0-or-later
"""A factor in single precision that the compiled kernels solve with, on several threads."""

import numpy as np

from ..kernels import Indices
from ..kernels.supernodes import eliminate_trees, solve_trunk, substitute_trees

# The trunk is what has more than this share of the work below it: of a sheet a sixth of it all, where with an eighth it
# is a quarter, which two, four and eight threads would wait for as long as for the trees.
_TREE = 1 / 4

INDEFINITE = "the matrix is not positive definite: check masses, stiffness and step for extreme values"

# Unknowns below which waking threads costs what they gain.
_FEW = 16000


class SupernodalFactor:
    """Cholesky factor of a symmetric positive definite matrix as a preconditioner: solves to single precision.

    SuperLU orders and factorises the matrix with ones on its diagonal; its columns are numbered anew so that trees of
    the elimination tree are together, and what has the same rows stands in panels, see `kernels.supernodes`. A solve of
    a sheet of 40,401 vertices reads 5 MB twice and takes a third of CHOLMOD's time.

    matrix: SciPy CSC. Raises LinAlgError where it is not positive definite.

    Demmel, Eisenstat, Gilbert, Li and Liu 1999, "A supernodal approach to sparse partial pivoting"; Liu 1990, "The role
    of elimination trees in sparse factorization".
    """

    name = "SUPERNODAL"

    def __init__(self, matrix, definite=False):
        from scipy import sparse

        diagonal = matrix.diagonal()
        if not (diagonal > 0.0).all():
            raise np.linalg.LinAlgError(INDEFINITE)
        scale = 1.0 / np.sqrt(diagonal)
        scaling = sparse.diags(scale)
        lower, pivots, order = _factored((scaling @ matrix @ scaling).tocsc())
        lower, numbers, trees = _in_trees(lower)
        order, pivots = order[numbers], pivots[numbers]
        columns, starts, rows, at, panels = _panels(lower, trees)
        count = len(order)
        self._factor = {
            "order": Indices(order, count),
            "scale": scale[order].astype(np.float32),
            "columns": Indices(columns, count + 1),
            "starts": Indices(starts, len(rows) + 1),
            "rows": Indices(rows, count),
            "at": Indices(at, len(panels) + 1),
            "panels": panels.astype(np.float32),
            "trees": Indices(np.searchsorted(columns, trees), len(columns)),
        }
        self._inverses = (1.0 / pivots).astype(np.float32)

    def by_lanes(self, b, out):
        """A callable that has S^-1 b in `out`, two fields that stay the same arrays, see `kernels.lanes`."""
        of_trees = self._factor["trees"].shape[0], len(self._inverses), 4
        # Of a tree's row nobody touches what other trees have: it takes no memory.
        shared = {**self._factor, "x": np.zeros(of_trees, np.float32)}
        solved = {**shared, "inverses": self._inverses, "out": out}
        eliminate, substitute = eliminate_trees.bound(**shared, b=b), substitute_trees.bound(**solved)
        trunk = solve_trunk.bound(**solved, b=b)

        def solve():
            eliminate()
            trunk()
            substitute()

        return solve


def single_factor(rows):
    """The power of two that brings the largest entry to a size in the midst of single precision; 1 of no numbers."""
    largest = max(rows.max(initial=0.0), -rows.min(initial=0.0))
    exponent = int(np.frexp(largest)[1]) if np.isfinite(largest) else 0
    return 2.0 ** min(max(-exponent, -1000), 1000)


def _factored(matrix):
    """L of ones on its diagonal, CSC with rows in order, the pivots, and the unknown of every column."""
    from scipy.sparse.linalg import splu

    try:
        factor = splu(
            matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
        )
    except RuntimeError as error:
        raise np.linalg.LinAlgError(INDEFINITE) from error
    pivots = factor.U.diagonal()
    if not (np.array_equal(factor.perm_r, factor.perm_c) and (pivots > 0.0).all()):
        raise np.linalg.LinAlgError(INDEFINITE)
    return factor.L.tocsc(), pivots, np.argsort(factor.perm_c)


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
    """First columns of supernodes, the starts of their rows, their rows, the starts of their panels, and these."""
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
    if not np.array_equal(rows[found[~inside]], lower.indices[~inside]):
        raise np.linalg.LinAlgError("entries of the factor that are zero hide what it is made of")
    down = np.where(inside, lower.indices - columns[node], widths[node] + found - starts[node])
    panels = np.zeros(at[-1])
    panels[at[node] + down * widths[node] + column - columns[node]] = lower.data
    return columns, starts, rows, at, panels
