# SPDX-License-Identifier: GPL-3.0-or-later
"""The springs' second derivative about a position, by its products and its diagonal blocks."""

import numpy as np


class Curvature:
    """H of all springs and their damping about a position, without compression's part.

    A spring of tension T >= 0 and length l has T/l across itself and k + mu/dt along itself: positive semidefinite,
    and of damping the part that does not turn.

    blocks: springs, see `Tensions`; linear: LinearStencils, what is constant of H, or None.
    """

    def __init__(self, blocks, linear=None):
        self._blocks, self._linear = blocks, linear

    def product(self, p, out):
        """H p into `out`, both of shape (3, vertex_count)."""
        if not out.flags.c_contiguous:
            out[:] = self.product(p, np.empty(out.shape))
            return out
        p, out[:] = np.ascontiguousarray(p), 0.0
        for block in self._blocks:
            block.add_product(p, out)
        if self._linear is not None:
            self._linear.add_product(p, out)
        return out

    def diagonal_blocks(self, out, least_across=0.0):
        """Add to `out` what H has at each vertex itself: xx, yy, zz, xy, yz and zx, shape (6, vertex_count).

        least_across: share of its stiffness that a spring has across itself at least.
        """
        for block in self._blocks:
            block.ends.add_blocks(*block.about, block.stiffness, least_across, out)
        if self._linear is not None:
            out[:3] += self._linear.bounds
        return out
