# SPDX-License-Identifier: GPL-3.0-or-later
"""How what is near anywhere moves."""

from typing import NamedTuple

import numpy as np

from ..axes import dot

# Cells are larger where there would be more.
_MOST_CELLS = 100_000


class Nearby(NamedTuple):
    """How what is near some positions moved.

    x: the positions, shape (3, count) [m]; near: how far from these a middle is at least that does not count [m];
    radius: how far what moved reaches from its middle at most [m]; some: whether anything is near each, a mask; least,
    most: components of its ways, 0 where nothing is, shape (3, count) [m].
    """

    x: np.ndarray
    near: float
    radius: float
    some: np.ndarray
    least: np.ndarray
    most: np.ndarray

    def most_against(self, ways):
        """How far any point at most that is near a position has moved against it [m], shape (count,), 0 where none is.

        ways: how positions came there, shape (count, 3).
        """
        ways = ways.T
        apart = np.maximum(self.most - ways, ways - self.least)
        return np.where(self.some, np.sqrt(dot(apart, apart)), 0.0)


class LocalMotion:
    """The least and the greatest components of the ways of what is near anywhere: in its cell and those beside it.

    points: middles of what moved, where they came, shape (count, 3) [m]; least, most: components of its ways, shape
    (3, count) [m]; size: how near middles are at least [m]; radius: how far what moved reaches from its middle at
    most [m]. All that walks together moves little against each other, however fast it walks.
    """

    def __init__(self, points, least, most, size, radius=0.0):
        self._near, self._radius = size, radius
        columns = np.ascontiguousarray(points.T)
        low = columns.min(axis=1)
        extent = columns.max(axis=1) - low
        self._size = max(size, 1e-9, (np.prod(extent + 5.0 * size) / _MOST_CELLS) ** (1 / 3))
        # Beside the cells that anything is in are some that count, and beside these some that nothing is near.
        self._low = low - 2.5 * self._size
        self._shape = np.floor(extent / self._size).astype(np.intp) + 6
        self._extremes = _spread(self._cells(columns), least, most, self._shape)
        self.together = 0.5 * (least.mean(axis=1) + most.mean(axis=1))
        together = self.together[:, None]
        farthest = np.maximum(most - together, together - least)
        self.apart = float(np.sqrt(dot(farthest, farthest).max()))

    def about(self, x):
        """What is Nearby positions, shape (3, count) [m]."""
        cells = self._cells(x)
        least, most = (of.take(cells, axis=1) for of in self._extremes)
        some = least[0] <= most[0]
        if not some.all():
            least[:, ~some] = most[:, ~some] = 0.0
        return Nearby(x, self._near, self._radius, some, least, most)

    def _cells(self, x):
        cells = 0
        for along, low, count in zip(x, self._low, self._shape, strict=True):
            # What is no number is nowhere near.
            place = np.fmin(np.fmax((along - low) / self._size, 0.0), count - 1.0)
            cells = cells * count + place.astype(np.intp)
        return cells


def _spread(cells, least, most, shape):
    """Least and greatest components of what moved in every cell and those beside it, shape (3, cell_count) both."""
    if np.prod(shape) < 2**16:
        # Sorted by digits, in a tenth of the time.
        cells = cells.astype(np.uint16)
    order = np.argsort(cells, kind="stable")
    cells = cells[order]
    starts = np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))
    spread = []
    for further, values, none in ((np.minimum, least, np.inf), (np.maximum, most, -np.inf)):
        grid = np.full((3, *shape), none)
        grid.reshape(3, -1)[:, cells[starts]] = further.reduceat(values.take(order, axis=1), starts, axis=1)
        for axis in (1, 2, 3):
            grid = _beside(further, grid, axis)
        spread.append(grid.reshape(3, -1))
    return spread


def _beside(further, grid, axis):
    """Every cell's value, or that of one beside it along an axis."""
    spread = grid.copy()
    low, high = (
        tuple(part if of == axis else slice(None) for of in range(4)) for part in (slice(-1), slice(1, None))
    )
    further(spread[high], grid[low], out=spread[high])
    further(spread[low], grid[high], out=spread[low])
    return spread
