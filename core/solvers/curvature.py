# SPDX-License-Identifier: GPL-3.0-or-later
"""The springs' second derivative about a position, by its products and its diagonal blocks."""

from functools import cached_property
from typing import Any

import numpy as np

# Where the ends of a spring meet u is zero: any divisor gives zero force, as long as the quotient stays finite.
SHORTEST = 1e-150

# Stiffness [N/m] beyond which, and below whose inverse, single precision has no room; and springs from which on it
# pays, as in double precision H leaves the cache.
_ROOM, _MANY = 1e30, 20_000


class Curvature:
    """H of all springs and their damping about a position, without compression's part.

    A spring of tension T >= 0 and length l has T/l across itself and k + mu/dt along itself: positive semidefinite,
    and of damping the part that does not turn.

    blocks: springs, see `Tensions`; vertex_count: of the network; linear: what is constant of H, the same for x, y
    and z, SciPy CSR, or None.
    single: whether many springs may have it in single precision, for few iterations, which it only steers: where they
    go is for gradients to say, in double. A frame of Standard takes 0.95 of the time.
    """

    def __init__(self, blocks, vertex_count, linear=None, *, single=False):
        self._linear = linear
        # Half of what rows sum to is what a spring along an edge has at its ends, and bounds H as that does.
        self._linear_diagonal = 0.0 if linear is None else 0.5 * np.asarray(abs(linear).sum(axis=1)).ravel()
        stiffest = max((float(block.stiffness.max()) for block in blocks), default=0.0)
        count, size = blocks[-1].stop if blocks else 0, max((block.size for block in blocks), default=0)
        self._single = single and count >= _MANY and 1.0 / _ROOM < stiffest < _ROOM
        kind: Any = np.float32 if self._single else np.float64
        self._blocks = blocks
        # n, and the stiffness across and along it.
        self._n, self._across, self._along = (np.empty(shape, kind) for shape in ((3, count), count, count))
        self._u, self._w, self._dots = (np.empty(shape, kind) for shape in ((3, size), (3, size), size))
        self._size = size
        # A share of the springs' stiffness asked for last, and what that is.
        self._least: tuple[float, list] = (-1.0, [])
        self._scaled = np.empty((3, vertex_count), kind) if self._single else None

    @cached_property
    def _entries(self):
        return np.empty((6, self._size), self._n.dtype)

    def note(self, block, u, length, tension, inverse, across):
        """Take up where the springs of a block are.

        u: differences of their ends [m], shape (3, size); length [m], not below SHORTEST; tension [N]; inverse, across:
        buffers.
        """
        span = slice(block.start, block.stop)
        # One division in place of four.
        np.divide(1.0, length, out=inverse)
        np.multiply(u, inverse, out=self._n[:, span], casting="same_kind")
        np.multiply(tension, inverse, out=across)
        if length.min() == SHORTEST:
            # Ends that meet have no direction: what acts there is taken to act in all of them.
            np.copyto(across, block.stiffness, where=length == SHORTEST)
        np.maximum(across, 0.0, out=across)
        self._across[span] = across
        np.subtract(block.stiffness, across, out=across)
        across += block.damping
        self._along[span] = across

    def product(self, p, out):
        """H p into `out`, both of shape (3, vertex_count)."""
        if not self._single:
            return self._with_linear(p, self._add_products(p, out))
        most = np.abs(p).max(initial=0.0)
        if not most > 0.0:
            out[:] = most
            return out
        np.divide(p, most, out=self._scaled, casting="same_kind")
        self._add_products(self._scaled, out)
        out *= most
        return self._with_linear(p, out)

    def diagonal_blocks(self, out, least_across=0.0):
        """Add to `out` what H has at each vertex itself: xx, yy, zz, xy, yz and zx, shape (6, vertex_count).

        least_across: share of its stiffness that a spring has across itself at least.
        """
        # Summed in the precision of the buffers: adding across two takes three times as long.
        sums = np.zeros(out.shape, self._n.dtype)
        if self._least[0] != least_across:
            firm = [(least_across * block.stiffness).astype(sums.dtype) for block in self._blocks]
            self._least = least_across, firm
        for block, least in zip(self._blocks, self._least[1], strict=True):
            span, size = slice(block.start, block.stop), block.size
            n, across, along = self._n[:, span], self._across[span], self._along[span]
            firm = np.maximum(across, least)
            scaled, entries = self._w[:, :size], self._entries[:, :size]
            np.multiply(n, along, out=scaled)
            np.multiply(scaled, n, out=entries[:3])
            entries[:3] += firm
            np.multiply(scaled[:2], n[1:], out=entries[3:5])
            np.multiply(scaled[2], n[0], out=entries[5])
            block.ends.add_to_both(entries, sums)
        out += sums
        out[:3] += self._linear_diagonal
        return out

    def _with_linear(self, p, out):
        if self._linear is not None:
            for row, result in zip(p, out, strict=True):
                result += self._linear @ row
        return out

    def _add_products(self, p, out):
        out[:] = 0.0
        for block in self._blocks:
            span, size = slice(block.start, block.stop), block.size
            u, w, along, n = self._u[:, :size], self._w[:, :size], self._dots[:size], self._n[:, span]
            block.ends.differences(p, u, w)
            np.einsum("ij,ij->j", u, n, out=along)
            along *= self._along[span]
            u *= self._across[span]
            np.multiply(n, along, out=w)
            u += w
            # Added in double precision, what a spring does to its two ends cancels: momentum is kept to round-off.
            block.ends.add(u, out)
        return out
