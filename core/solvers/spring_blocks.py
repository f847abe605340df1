# SPDX-License-Identifier: GPL-3.0-or-later
"""All springs of a network in blocks that stay in the processor's cache, and how a block reads and writes vertices."""

from itertools import pairwise

import numpy as np

from ..incidence import BLOCK, Incidence

# Springs of a run from which on slices are worth their calls, the widest step between two of them, and the least share
# of the vertices on the way that have one.
_LONG, _WIDEST, _DENSE = 500, 64, 0.8


class Block:
    """Springs start … stop in the order of all blocks; with damping divided by dt.

    springs: their indices in the network; at: where they are among start … stop, gaps have no stiffness.
    """

    def __init__(self, network, dt, start, springs, at, size):
        self.start, self.stop, self.size, self.springs, self.at = start, start + size, size, springs, at
        self.stiffness, self.rest_lengths, self.damping = (np.zeros(size) for _ in range(3))
        self.stiffness[at], self.damping[at] = network.stiffness[springs], network.damping[springs] / dt
        self.change(network)

    def change(self, network):
        """Take up the rest lengths of a network that is the same in all else."""
        self.rest_lengths[self.at] = network.rest_lengths[self.springs]

    def differences(self, x, out, buffer):
        """x_i - x_j of the springs' ends into `out`, shape (3, size), as is the buffer, for x (3, vertex_count)."""
        raise NotImplementedError

    def add_at_ends(self, u, out):
        """Add +u at i and -u at j, of shape (3, size), to `out` of shape (3, vertex_count)."""
        raise NotImplementedError

    def add_at_both(self, entry, row):
        """Add `entry`, shape (size,), at both ends of the springs to `row`, shape (vertex_count,)."""
        raise NotImplementedError


class GatheredBlock(Block):
    """Springs between any vertices, whose order keeps what is read and written in a short range."""

    def __init__(self, network, dt, start, springs):
        super().__init__(network, dt, start, springs, slice(None), len(springs))
        edges = network.edges[springs]
        low, high = int(edges.min()), int(edges.max()) + 1
        incidence = Incidence(edges - low, high - low)
        self._span = slice(low, high)
        self._heads, self._tails = incidence.heads + low, incidence.tails + low
        self._sums = incidence.matrix().T.tocsr()
        self._at_both = abs(self._sums)

    def differences(self, x, out, buffer):
        """See `Block.differences`."""
        for row, tail, result in zip(x, buffer, out, strict=True):
            # Without mode="clip" NumPy buffers the output; the network has checked the indices.
            np.take(row, self._heads, out=result, mode="clip")
            np.take(row, self._tails, out=tail, mode="clip")
        np.subtract(out, buffer, out=out)

    def add_at_ends(self, u, out):
        """See `Block.add_at_ends`."""
        for row, result in zip(u, out, strict=True):
            result[self._span] += self._sums @ row

    def add_at_both(self, entry, row):
        """See `Block.add_at_both`."""
        row[self._span] += self._at_both @ entry


class ShiftedBlock(Block):
    """Springs from vertices one after the other to those a constant number later, as the rows of a grid have them.

    Slices take the place of indices, in a quarter of the time. i is the earlier vertex, whatever the network says.
    """

    def __init__(self, network, dt, start, springs, first, shift):
        low = network.edges[springs].min(axis=1)
        super().__init__(network, dt, start, springs, low - first, int(low[-1]) + 1 - first)
        self._heads = slice(first, first + self.size)
        self._tails = slice(first + shift, first + shift + self.size)

    def differences(self, x, out, buffer):
        """See `Block.differences`."""
        np.subtract(x[:, self._heads], x[:, self._tails], out=out)

    def add_at_ends(self, u, out):
        """See `Block.add_at_ends`."""
        out[:, self._heads] += u
        out[:, self._tails] -= u

    def add_at_both(self, entry, row):
        """See `Block.add_at_both`."""
        row[self._heads] += entry
        row[self._tails] += entry


def spring_blocks(network, dt):
    """All springs in blocks: runs of a constant shift where there are long ones, all others in the order of vertices."""
    low, high = np.sort(network.edges, axis=1).T
    runs, others = _runs(low, high - low)
    blocks, start = [], 0
    for springs in runs:
        first, shift = int(low[springs[0]]), int(high[springs[0]] - low[springs[0]])
        blocks.append(ShiftedBlock(network, dt, start, springs, first, shift))
        start += blocks[-1].size
    # In the order of the vertices a block gathers from, and adds to, a short range of them.
    others = others[np.lexsort((high[others], low[others]))]
    bounds = np.linspace(0, len(others), -(-len(others) // BLOCK) + 1).astype(int)
    for first, last in pairwise(bounds):
        blocks.append(GatheredBlock(network, dt, start, others[first:last]))
        start += last - first
    return blocks


def _runs(low, shift):
    """Springs of runs, a list of arrays in the order of their first vertices, and all other springs."""
    order = np.lexsort((low, shift))
    ahead = np.diff(low[order])
    follows = (np.diff(shift[order]) == 0) & (ahead > 0) & (ahead <= _WIDEST)
    bounds = np.concatenate([[0], np.flatnonzero(~follows) + 1, [len(order)]])
    runs, alone = [], np.ones(len(order), dtype=bool)
    for first, last in pairwise(bounds):
        places = low[order[first:last]]
        if last - first < _LONG or last - first < _DENSE * (places[-1] + 1 - places[0]):
            continue
        alone[first:last] = False
        parts = (places - places[0]) // BLOCK
        runs += np.split(order[first:last], np.flatnonzero(np.diff(parts)) + 1)
    return sorted(runs, key=lambda run: low[run[0]]), order[alone]
