# SPDX-License-Identifier: GPL-3.0-or-later
"""How far what is near each other moves against each other in a substep."""

import numpy as np

from ..directions import lengths

# Cells are larger where there would be more.
_MOST_CELLS = 100_000


def most_against(x, ways, points, moved, size):
    """How far any point at most that is near a position has moved against it [m], shape (count,), 0 where none is.

    x, ways: where positions are and how they came there, shape (count, 3); points, moved: likewise; size: how near
    is near [m], or more. All that walks together moves little against each other, however fast it walks.
    """
    low, high = points.min(axis=0) - size, points.max(axis=0) + size
    size = max(size, 1e-9, (np.prod(high - low) / _MOST_CELLS) ** (1 / 3))
    shape = np.floor((high - low) / size).astype(np.intp) + 2
    least, most = _spread(_cells(points, low, size, shape), moved, shape)
    near = np.flatnonzero(((x >= low) & (x <= high)).all(axis=1))
    cells, ways = _cells(x[near], low, size, shape), ways[near].T
    least, most = least[:, cells], most[:, cells]
    some = least[0] <= most[0]
    apart = np.maximum(most - ways, ways - least)
    against = np.zeros(len(x))
    against[near[some]] = lengths(apart.T[some])
    return against


def _cells(x, low, size, shape):
    i, j, k = np.minimum(((x - low) / size).astype(np.intp), shape - 1).T
    return (i * shape[1] + j) * shape[2] + k


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
