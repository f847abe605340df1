# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes sorted into the cells of a regular grid."""

import numpy as np

MOST_CELLS, MOST_ENTRIES = 2_000_000, 4_000_000


class Cells:
    """A regular grid over some space, and which boxes reach into each of its cells.

    low, high: corners of the space [m]; size: of a cell [m]. Cells are larger where there would be more than MOST_CELLS
    of them, or of boxes in them more than MOST_ENTRIES, which together take up to 50 MB.
    box_low, box_high: corners of boxes, shape (box_count, 3) [m]; those outside the space are in no cell.
    """

    def __init__(self, low, high, size, box_low, box_high):
        self.low, self.high = low, high
        boxes = np.flatnonzero((box_high >= low).all(axis=1) & (box_low <= high).all(axis=1)).astype(np.int32)
        ends = box_low[boxes], box_high[boxes]
        while True:
            self.size, self.shape = size, np.floor((high - low) / size).astype(np.int64) + 1
            first, last = (np.clip((end - low) / size, 0, self.shape - 1).astype(np.int32) for end in ends)
            spans = last - first + 1
            entries = spans.prod(axis=1, dtype=float).sum()
            if self.shape.prod(dtype=float) <= MOST_CELLS and entries <= MOST_ENTRIES:
                break
            size = 1.3 * size
        self._sort(boxes, first, spans)

    def _sort(self, boxes, first, spans):
        from scipy.sparse import coo_matrix

        rows, cells = np.arange(len(boxes), dtype=np.int32), np.zeros(len(boxes), dtype=np.int32)
        for axis, count in enumerate(self.shape):
            repeats = spans[rows, axis]
            cells = np.repeat(cells * np.int32(count) + first[rows, axis], repeats)
            rows = np.repeat(rows, repeats)
            cells += within(repeats)
        sorted_ = coo_matrix((boxes[rows], (cells, rows)), (int(self.shape.prod()), len(boxes))).tocsr()
        self.starts, self.boxes = sorted_.indptr, sorted_.data

    def of(self, x):
        """Rows of positions, shape (count, 3), within the space, and the cell of each."""
        rows = np.flatnonzero(((x >= self.low) & (x <= self.high)).all(axis=1))
        i, j, k = np.minimum(((x[rows] - self.low) / self.size).astype(np.int64), self.shape - 1).T
        return rows, (i * self.shape[1] + j) * self.shape[2] + k

    def centers(self, cells):
        """Middles of cells, shape (count, 3) [m]."""
        return self.low + self.size * (np.column_stack(np.unravel_index(cells, self.shape)) + 0.5)

    def pairs(self, cells):
        """All boxes in each of some cells: which of the cells, in rising order, and the boxes."""
        which, places = ranges(self.starts[cells], self.starts[cells + 1])
        return which, self.boxes[places]


def ranges(starts, ends):
    """start, start + 1, …, end - 1 for each of some starts and ends, in turn: which of them, and the numbers."""
    counts = ends - starts
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.repeat(starts, counts) + within(counts)


def within(counts):
    """0, 1, …, count - 1 for each of some counts, one after the other."""
    ends = np.cumsum(counts, dtype=np.int32)
    return np.arange(ends[-1] if len(ends) else 0, dtype=np.int32) - np.repeat(
        ends - counts.astype(np.int32), counts
    )
