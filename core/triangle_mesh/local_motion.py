# SPDX-License-Identifier: GPL-3.0-or-later
"""How what is near anywhere moves."""

import numpy as np

from ..directions import lengths
from .clearances import ROUNDING

# Cells are larger where there would be more.
_MOST_CELLS = 100_000


class LocalMotion:
    """The least and the greatest components of the ways of what is near anywhere: in its cell and those beside it.

    points: middles of what moved, where they came, shape (count, 3) [m]; least, most: components of its ways, shape
    (3, count) [m]; size: how near middles are at least [m]; radius: how far what moved reaches from its middle at
    most [m]. All that walks together moves little against each other, however fast it walks.
    """

    def __init__(self, points, least, most, size, radius=0.0):
        self._near, self._radius = size, radius
        self._low, self._high = points.min(axis=0) - size, points.max(axis=0) + size
        volume = np.prod(self._high - self._low)
        self._size = max(size, 1e-9, (volume / _MOST_CELLS) ** (1 / 3))
        self._shape = np.floor((self._high - self._low) / self._size).astype(np.intp) + 2
        self._extremes = tuple(_spread(self._cells(points), least, most, self._shape))
        self._together = 0.5 * (least.mean(axis=1) + most.mean(axis=1))
        farthest = np.maximum(most.T - self._together, self._together - least.T)
        self._apart = float(lengths(farthest).max()) * (1.0 + ROUNDING)

    def most_against(self, x, ways):
        """How far any point at most that is near a position has moved against it [m], shape (count,), 0 where none is.

        x, ways: where positions are and how they came there, shape (count, 3).
        """
        rows, least, most = self._of(x)
        apart = np.maximum(most - ways[rows].T, ways[rows].T - least)
        against = np.zeros(len(x))
        against[rows] = lengths(apart.T)
        return against

    def carried(self, x, clear):
        """How clear positions may be called that go along with what is near, or with all.

        x: positions, shape (count, 3) [m]; clear: distances within which there was nothing [m].
        Returns ways to go, shape (count, 3), how far from those anything moved that is now nearer than a distance, and
        that distance; shape (count,) both.
        """
        # What walks together comes where it is looked for.
        rows, least, most = self._of(x + self._together)
        ways, apart = np.tile(self._together, (len(x), 1)), np.zeros(len(x))
        ways[rows] = 0.5 * (least + most).T
        apart[rows] = 0.5 * lengths((most - least).T) * (1.0 + ROUNDING)
        within = self._near - self._radius - lengths(ways - self._together)
        alone = np.minimum(clear - apart, within) < clear - self._apart
        ways[alone], apart[alone], within[alone] = self._together, self._apart, np.inf
        return ways, apart, within

    def _of(self, x):
        """Rows of positions near which there are points, and the extremes of their ways, shape (3, row_count) both."""
        rows = np.flatnonzero(((x >= self._low) & (x <= self._high)).all(axis=1))
        cells = self._cells(x[rows])
        least, most = (of[:, cells] for of in self._extremes)
        some = least[0] <= most[0]
        return rows[some], least[:, some], most[:, some]

    def _cells(self, x):
        i, j, k = np.minimum(((x - self._low) / self._size).astype(np.intp), self._shape - 1).T
        return (i * self._shape[1] + j) * self._shape[2] + k


def _spread(cells, least, most, shape):
    """Least and greatest components of what moved in every cell and those beside it, shape (3, cell_count) both."""
    order = np.argsort(cells, kind="stable")
    cells = cells[order]
    starts = np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))
    for further, values, none in ((np.minimum, least, np.inf), (np.maximum, most, -np.inf)):
        grid = np.full((3, *shape), none)
        grid.reshape(3, -1)[:, cells[starts]] = further.reduceat(values.take(order, axis=1), starts, axis=1)
        for axis in (1, 2, 3):
            grid = _beside(further, grid, axis)
        yield grid.reshape(3, -1)


def _beside(further, grid, axis):
    """Every cell's value, or that of one beside it along an axis."""
    spread = grid.copy()
    low, high = (
        tuple(part if of == axis else slice(None) for of in range(4)) for part in (slice(-1), slice(1, None))
    )
    further(spread[high], grid[low], out=spread[high])
    further(spread[low], grid[high], out=spread[low])
    return spread
