# SPDX-License-Identifier: GPL-3.0-or-later
"""The block-Jacobi preconditioner: every vertex answers alone, in all its directions."""

import numpy as np


class BlockJacobi:
    """The inverse of the 3 by 3 blocks on a symmetric matrix's diagonal, as factors L D L^T.

    blocks: xx, yy, zz, xy, yz and zx, shape (6, vertex_count); least: below which no eigenvalue of a block is, shape
    (vertex_count,): what rounding leaves of a pivot is no less either.

    Golub and Van Loan 2013, "Matrix Computations", sections 4.1 and 11.5.
    """

    def __init__(self, blocks, least):
        xx, yy, zz, xy, yz, zx = blocks
        first = np.maximum(xx, least)
        self._yx, self._zx = xy / first, zx / first
        second = np.maximum(yy - self._yx * xy, least)
        rest = yz - self._yx * zx
        self._zy = rest / second
        third = np.maximum(zz - self._zx * zx - self._zy * rest, least)
        self._inverses = 1.0 / np.stack([first, second, third])

    def solve(self, b):
        """The blocks' inverses times b, shape (3, vertex_count)."""
        x = b.copy()
        x[1] -= self._yx * x[0]
        x[2] -= self._zx * x[0] + self._zy * x[1]
        x *= self._inverses
        x[1] -= self._zy * x[2]
        x[0] -= self._yx * x[1] + self._zx * x[2]
        return x
