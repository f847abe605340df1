# SPDX-License-Identifier: GPL-3.0-or-later
"""How what is near anywhere moves."""

import numpy as np

from ..directions import lengths
from .clearances import ROUNDING

# Cells are larger where there would be more.
_MOST_CELLS = 100_000


class LocalMotion:
    """The least and the greatest components of the ways of the points near anywhere: in its cell and those beside it.

    points: where they came, shape (count, 3) [m]; moved: their ways, likewise; size: how near is near [m], or more. All
    that walks together moves little against each other, however fast it walks.
    apart: how far at most any point moved from the mean of all [m].
    """

    def __init__(self, points, moved, size):
        self.points, self.moved, self._near = points, moved, size
        self._low, self._high = points.min(axis=0) - size, points.max(axis=0) + size
        self._size = max(size, 1e-9, (np.prod(self._high - self._low) / _MOST_CELLS) ** (1 / 3))
        self._shape = np.floor((self._high - self._low) / self._size).astype(np.intp) + 2
        self._extremes = tuple(_spread(self._cells(points), moved, self._shape))
        self._together = moved.mean(axis=0)
        self.apart = float(lengths(moved - self._together).max()) * (1.0 + ROUNDING)

    def most_against(self, x, ways):
        """How far any point at most that is near a position has moved against it [m], shape (count,), 0 where none is.

        x, ways: where positions are and how they came there, shape (count, 3).
        """
        rows, least, most = self._of(x)
        apart = np.maximum(most - ways[rows].T, ways[rows].T - least)
        against = np.zeros(len(x))
        against[rows] = lengths(apart.T)
        return against

    def carried(self, x, clear, longest):
        """How clear positions may be called that go along with what is near, or with all.

        x: positions, shape (count, 3) [m]; clear: distances within which no triangle was, whose vertices are the points
        [m]; longest: side of the triangles at most [m].
        Returns ways to go, shape (count, 3), how far from those any triangle moved that is now nearer than a distance,
        and that distance; shape (count,) both.
        """
        rows, least, most = self._of(x)
        ways, apart = np.zeros_like(x), np.zeros(len(x))
        ways[rows] = 0.5 * (least + most).T
        apart[rows] = 0.5 * lengths((most - least).T) * (1.0 + ROUNDING)
        within = self._near - longest - lengths(ways)
        alone = np.minimum(clear - apart, within) < clear - self.apart
        ways[alone], apart[alone], within[alone] = self._together, self.apart, np.inf
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


def _spread(cells, moved, shape):
    """Least and greatest components of what moved in every cell and those beside it, shape (3, cell_count) both."""
    order = np.argsort(cells, kind="stable")
    cells, moved = cells[order], moved[order]
    starts = np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))
    extremes = (
        (np.minimum, np.minimum.reduceat(moved, starts), np.inf),
        (np.maximum, np.maximum.reduceat(moved, starts), -np.inf),
    )
    for further, values, none in extremes:
        grid = np.full((3, *shape), none)
        grid.reshape(3, -1)[:, cells[starts]] = values.T
        for axis in (1, 2, 3):
            grid = _beside(further, grid, axis)
        yield grid.reshape(3, -1)


def _beside(further, grid, axis):
    """Every cell's value, or that of one beside it along an axis."""
    grid = np.moveaxis(grid, axis, 0)
    spread = grid.copy()
    further(spread[1:], grid[:-1], out=spread[1:])
    further(spread[:-1], grid[1:], out=spread[:-1])
    return np.moveaxis(spread, 0, axis)
