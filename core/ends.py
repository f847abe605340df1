# SPDX-License-Identifier: GPL-3.0-or-later
"""The ends of all springs, in blocks that stay in the processor's cache: reading vertices, and adding to them."""

from abc import ABC, abstractmethod
from functools import cached_property
from itertools import pairwise

import numpy as np

from .incidence import BLOCK, Incidence

# Springs of a run from which on slices are worth their calls, the widest step between two of them, and the least share
# of the vertices on the way that have one.
_LONG, _WIDEST, _DENSE = 1000, 64, 0.8


class Ends(ABC):
    """The ends (i, j) of some springs, an operator on rows of numbers: one row an axis, one entry a vertex or spring.

    springs: their indices in the network; size: of rows, at: where the springs are in them. The rest are gaps, whose
    entries have to be zero where they are added.
    """

    def __init__(self, springs, at, size):
        self.springs, self.at, self.size = springs, at, size

    def row(self, values):
        """A row of what these springs have of values of shape (spring_count,), zero in gaps."""
        row = np.zeros(self.size)
        row[self.at] = values[self.springs]
        return row

    @abstractmethod
    def differences(self, x, out, buffer):
        """x_i - x_j into `out`, shape (3, size), as is the buffer, for x of shape (3, vertex_count)."""

    @abstractmethod
    def add(self, u, out):
        """Add +u at i and -u at j, of shape (3, size), to `out` of shape (3, vertex_count)."""

    @abstractmethod
    def add_to_both(self, entries, out):
        """Add `entries`, shape (count, size), at i and at j to `out`, shape (count, vertex_count)."""


class WeightedEnds(Ends):
    """Of springs that join any number of vertices with any weights: u is their weighted sum. Needs SciPy.

    incidence: Incidence of all of them; springs: their indices in the network; rows: which of the incidence's rows.
    """

    def __init__(self, incidence, springs, rows):
        super().__init__(springs, slice(None), len(springs))
        self._matrix = incidence.matrix()[rows]
        self._transpose = self._matrix.T.tocsr()

    @cached_property
    def _bounds(self):
        sizes = abs(self._matrix)
        return (0.5 * sizes.T.multiply(np.asarray(sizes.sum(axis=1)).ravel())).tocsr()

    def differences(self, x, out, buffer):
        """See `Ends.differences`."""
        for row, result in zip(x, out, strict=True):
            result[:] = self._matrix @ row

    def add(self, u, out):
        """See `Ends.add`: each vertex gets its weight times u."""
        for row, result in zip(u, out, strict=True):
            result += self._transpose @ row

    def add_to_both(self, entries, out):
        """See `Ends.add_to_both`: each vertex gets the entries by |w_i| sum_j |w_j|/2, as much as an edge's ends do.

        The square of a weight alone would let what is far apart give way together: a block of it bounds nothing.
        """
        for entry, row in zip(entries, out, strict=True):
            row += self._bounds @ entry


class GatheredEnds(Ends):
    """Of springs between any vertices, in an order that keeps what is read and written in a short range.

    Adding needs SciPy.
    """

    def __init__(self, edges, springs):
        super().__init__(springs, slice(None), len(springs))
        edges = edges[springs]
        low, high = int(edges.min()), int(edges.max()) + 1
        self._range = slice(low, high)
        self._incidence = Incidence(edges - low, high - low)
        self._heads, self._tails = np.ascontiguousarray(edges.T)

    @cached_property
    def _both(self):
        return abs(self._incidence.transpose)

    def differences(self, x, out, buffer):
        """See `Ends.differences`."""
        for row, head, tail in zip(x, out, buffer, strict=True):
            # Without mode="clip" NumPy buffers the output; the network has checked the indices.
            np.take(row, self._heads, out=head, mode="clip")
            np.take(row, self._tails, out=tail, mode="clip")
        np.subtract(out, buffer, out=out)

    def add(self, u, out):
        """See `Ends.add`."""
        sums = self._incidence.transpose
        for row, result in zip(u, out, strict=True):
            result[self._range] += sums @ row

    def add_to_both(self, entries, out):
        """See `Ends.add_to_both`."""
        for entry, row in zip(entries, out, strict=True):
            row[self._range] += self._both @ entry


class ShiftedEnds(Ends):
    """Of springs from vertices one after the other to those a constant number later, as a grid's rows have them.

    Slices take the place of indices, in half of the time. i is the earlier vertex, whatever the network says.
    """

    def __init__(self, edges, springs):
        low, high = np.sort(edges[springs], axis=1).T
        first, last, shift = int(low[0]), int(low[-1]) + 1, int(high[0] - low[0])
        super().__init__(springs, low - first, last - first)
        self._heads, self._tails = slice(first, last), slice(first + shift, last + shift)

    def differences(self, x, out, buffer):
        """See `Ends.differences`."""
        np.subtract(x[:, self._heads], x[:, self._tails], out=out)

    def add(self, u, out):
        """See `Ends.add`."""
        out[:, self._heads] += u
        out[:, self._tails] -= u

    def add_to_both(self, entries, out):
        """See `Ends.add_to_both`."""
        out[:, self._heads] += entries
        out[:, self._tails] += entries


def ends_of(edges):
    """Ends of all springs, from edges of shape (spring_count, 2): runs of a constant shift, and all others."""
    low, high = np.sort(edges, axis=1).T
    runs, others = _runs(low, high - low)
    # In the order of the vertices a block reads from, and adds to, a short range of them.
    others = others[np.lexsort((high[others], low[others]))]
    bounds = np.linspace(0, len(others), -(-len(others) // BLOCK) + 1).astype(int)
    gathered = [GatheredEnds(edges, others[first:last]) for first, last in pairwise(bounds)]
    return [ShiftedEnds(edges, run) for run in runs] + gathered


def weighted_ends_of(incidence, springs):
    """WeightedEnds of all springs of an Incidence in blocks; springs: their indices in the network."""
    rows = np.arange(len(springs))
    blocks = np.array_split(rows, -(-len(rows) // BLOCK)) if len(rows) else []
    return [WeightedEnds(incidence, springs[block], block) for block in blocks]


def _runs(low, shift):
    """Springs of runs, a list of arrays in the order of their first vertices, and all other springs."""
    order = np.lexsort((low, shift))
    ahead = np.diff(low[order])
    follows = (np.diff(shift[order]) == 0) & (ahead > 0) & (ahead <= _WIDEST)
    bounds = np.concatenate([[0], np.flatnonzero(~follows) + 1, [len(order)]])
    runs, alone = [], np.ones(len(order), dtype=bool)
    for start in np.flatnonzero(np.diff(bounds) >= _LONG):
        first, last = bounds[start : start + 2]
        places = low[order[first:last]] - low[order[first]]
        if last - first >= _DENSE * (places[-1] + 1):
            alone[first:last] = False
            runs += np.split(order[first:last], np.flatnonzero(np.diff(places // BLOCK)) + 1)
    return sorted(runs, key=lambda run: low[run[0]]), order[alone]
