# SPDX-License-Identifier: GPL-3.0-or-later
"""Small dense systems whose solution has the same bits on every number of threads."""

import numpy as np


def eliminated(matrix, b):
    """x with matrix x = b, by Gauss and Jordan with partial pivoting; matrix: shape (count, count).

    LAPACK divides a hundred rows and more among threads, and rounds by their number.
    """
    rows = np.column_stack([matrix, b])
    for k in range(len(b)):
        pivot = k + int(np.abs(rows[k:, k]).argmax())
        if pivot != k:
            rows[[k, pivot], k:] = rows[[pivot, k], k:]
        shares = rows[:, k] / rows[k, k]
        shares[k] = 0.0
        rows[:, k + 1 :] -= shares[:, None] * rows[k, k + 1 :]
    return rows[:, -1] / rows.diagonal()
