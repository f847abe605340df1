# SPDX-License-Identifier: GPL-3.0-or-later
"""Sparse matrices as kernels are given them: where each row starts, the columns of its entries, and these."""

import numpy as np

from .signature import Indices


def rows_of(random, rows, columns):
    """Starts, columns and entries of any sparse matrix of so many rows."""
    counts = random.integers(0, 5 if columns else 1, rows)
    starts = np.concatenate([[0], np.cumsum(counts)])
    total = int(starts[-1])
    return (
        Indices(starts, total + 1),
        Indices(random.integers(0, columns, total), columns),
        random.normal(size=total),
    )


def matrix_of(starts, columns, entries, width):
    """The same as a SciPy CSR matrix of so many columns."""
    from scipy import sparse

    return sparse.csr_matrix((entries, columns, starts), (len(starts) - 1, width), copy=False)
