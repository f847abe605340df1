# SPDX-License-Identifier: GPL-3.0-or-later
"""Factorise a sparse matrix once, solve many right-hand sides."""

from typing import Any

import numpy as np

from .supernodal import INDEFINITE


class _ByColumns:
    """A solver for right sides in columns, called with rows."""

    solve: Any

    def by_rows(self):
        """A callable (b, out), both of shape (3, n): S^-1 b into `out`; with buffers of its own."""
        columns: list[np.ndarray] = []

        def solve(b, out):
            if not columns:
                columns.append(np.empty(b.shape[::-1]))
            # Column by column, which is a third of the time of a transposed copy.
            for axis, row in enumerate(b):
                columns[0][:, axis] = row
            for row, column in zip(out, self.solve(columns[0]).T, strict=True):
                row[:] = column

        return solve


class CholmodFactor(_ByColumns):
    """Cholesky factor by CHOLMOD (cholespy): about half the solve time of SuperLU."""

    name = "CHOLMOD"

    def __init__(self, matrix, definite=False):
        from cholespy import CholeskySolverD, MatrixType

        # In CSC form cholespy reallocates the caller's arrays; COO leaves them alone.
        coo = matrix.tocoo()
        try:
            self._solver = CholeskySolverD(matrix.shape[0], coo.row, coo.col, coo.data, MatrixType.COO)
        except ValueError as error:
            raise np.linalg.LinAlgError(INDEFINITE) from error

    def solve(self, b):
        """x with matrix x = b, for b of shape (n, k)."""
        x = np.empty(b.shape)
        self._solver.solve(np.ascontiguousarray(b), x)
        return x


class SuperLUFactor(_ByColumns):
    """LU factor by SuperLU (SciPy) without pivoting, ordered for a symmetric matrix."""

    name = "SUPERLU"

    def __init__(self, matrix, definite=False):
        from scipy.sparse.linalg import splu

        try:
            self._solver = splu(
                matrix.tocsc(),
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=0.0,
                options={"SymmetricMode": True},
            )
        except RuntimeError as error:
            # SuperLU's way of saying that a column holds no pivot: the matrix is singular, or not finite.
            raise np.linalg.LinAlgError(INDEFINITE) from error
        if definite:
            # Looking at the factor makes SciPy copy it, and keep the copy.
            return
        # Without pivoting the signs of U's diagonal are those of the eigenvalues (Sylvester). SuperLU pivots
        # all the same where a diagonal entry is exactly zero, which no positive definite matrix comes to.
        pivoted = not np.array_equal(self._solver.perm_r, self._solver.perm_c)
        if pivoted or not (self._solver.U.diagonal() > 0.0).all():
            raise np.linalg.LinAlgError(INDEFINITE)

    def solve(self, b):
        """x with matrix x = b, for b of shape (n, k)."""
        return self._solver.solve(b)

    def least_pivot(self, matrix):
        """Least pivot over its entry on the diagonal of the symmetric matrix this is the factor of."""
        return float((self._solver.U.diagonal()[self._solver.perm_c] / matrix.diagonal()).min())


class SparseLU:
    """LU factor by SuperLU (SciPy) of a matrix that need not be symmetric.

    Raises LinAlgError where the matrix is singular or not finite.
    """

    def __init__(self, matrix):
        from scipy.sparse.linalg import splu

        if not np.isfinite(matrix.data).all():
            raise np.linalg.LinAlgError("the matrix is not finite")
        try:
            self._solver = splu(matrix.tocsc())
        except RuntimeError as error:
            raise np.linalg.LinAlgError("the matrix is singular") from error

    def solve(self, b):
        """x with matrix x = b, for b of shape (n, k)."""
        return self._solver.solve(np.ascontiguousarray(b))


def backends():
    """The factor classes whose library is installed, fastest first; empty without SciPy, which makes the matrices."""
    found: list[type[CholmodFactor] | type[SuperLUFactor]] = []
    for module, factor in (("scipy.sparse.linalg", SuperLUFactor), ("cholespy", CholmodFactor)):
        try:
            __import__(module)
        except ImportError:
            continue
        found.insert(0, factor)
    return tuple(found) if SuperLUFactor in found else ()


def factorise(matrix, backend="AUTO", *, definite=False):
    """Factor of a symmetric positive definite SciPy sparse matrix.

    backend: "CHOLMOD", "SUPERLU", or "AUTO" for the one that solves fastest of those installed.
    definite: whether the matrix is known to be positive definite, which saves SuperLU half its memory. Where it
        is not known, SuperLU finds out, and AUTO stays with it.
    Raises ValueError for another name, ImportError where the library of the backend is missing, LinAlgError
    where the matrix is not positive definite.
    """
    if backend not in ("AUTO", "CHOLMOD", "SUPERLU"):
        raise ValueError(f"linear solver backend is {backend!r}: use AUTO, CHOLMOD or SUPERLU")
    if matrix is not None and not np.isfinite(matrix.data).all():
        raise np.linalg.LinAlgError(INDEFINITE)
    for factor in backends():
        if backend in ("AUTO", factor.name):
            if factor is CholmodFactor and not definite:
                # CHOLMOD prints on the console where a matrix is not positive definite, SuperLU tells quietly.
                tested = SuperLUFactor(matrix)
                if backend == "AUTO":
                    return tested
                if tested.least_pivot(matrix) <= matrix.shape[0] * np.finfo(np.float64).eps:
                    raise np.linalg.LinAlgError(INDEFINITE)
            return factor(matrix, definite)
    missing = "cholespy" if backend == "CHOLMOD" else "SciPy"
    raise ImportError(
        f"{missing} is not installed, and the linear solver backend {backend} needs it: install it"
    )
