# SPDX-License-Identifier: GPL-3.0-or-later
"""Sewing patterns: panels of grids of quads, joined along their rims by loose edges."""

import numpy as np

# Points of a panel that are closer than this are one [m].
_SAME = 1e-6


class Pattern:
    """What is cut and sewn: points [m], faces, the material of each, and seams, pairs of points."""

    def __init__(self):
        self.points: list[list[float]] = []
        self.faces: list[list[int]] = []
        self.materials: list[int] = []
        self.seams: list[list[int]] = []

    def panel(self, *grids, flip=()):
        """Add a panel of grids of points [m], shape (rows + 1, columns + 1, 3), one where they coincide.

        flip: numbers of the grids that turn their other side. Returns the numbers of every grid's points.
        """
        at = np.concatenate([grid.reshape(-1, 3) for grid in grids])
        _, first, which = np.unique(np.round(at / _SAME), axis=0, return_index=True, return_inverse=True)
        which = which.ravel() + len(self.points)
        self.points += at[first].tolist()
        ends = np.cumsum([grid.shape[0] * grid.shape[1] for grid in grids])
        found = [
            part.reshape(grid.shape[:2]) for part, grid in zip(np.split(which, ends[:-1]), grids, strict=True)
        ]
        for number, grid in enumerate(found):
            quads = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=-1)
            self.faces += (quads[..., ::-1] if number in flip else quads).reshape(-1, 4).tolist()
            self.materials += [0] * (quads.size // 4)
        return found

    def sew(self, one, other):
        """Join points of one rim to those of another, in pairs."""
        self.seams += np.column_stack([one, other]).tolist()

    def trim(self, *rows, material=1):
        """Give a material to faces with all of their points among some."""
        among = set(np.concatenate([np.ravel(row) for row in rows]).tolist())
        for number, face in enumerate(self.faces):
            if among.issuperset(face):
                self.materials[number] = material


def coons(top, bottom, left, right):
    """A grid of points between four rims, shape (rows + 1, columns + 1, 2): straight across both ways, blended.

    top and bottom from left to right, left and right from top to bottom; they meet at the corners.
    """
    across, down = (
        np.linspace(0.0, 1.0, len(top))[None, :, None],
        np.linspace(0.0, 1.0, len(left))[:, None, None],
    )
    rows = (1.0 - down) * top[None] + down * bottom[None]
    columns = (1.0 - across) * left[:, None] + across * right[:, None]
    above, below = (
        (1.0 - across) * ends[0] + across * ends[1] for ends in ((top[0], top[-1]), (bottom[0], bottom[-1]))
    )
    return rows + columns - (1.0 - down) * above - down * below


def line(start, end, cells):
    """Points from one to another, evenly, shape (cells + 1, 2)."""
    return np.linspace(start, end, cells + 1)


def quarter(start, end, cells):
    """The same along a quarter of an ellipse, level where it starts and upright where it ends."""
    turn = np.linspace(0.0, np.pi / 2.0, 20 * cells + 1)[:, None]
    fine = np.add(start, np.concatenate([np.sin(turn), 1.0 - np.cos(turn)], axis=1) * np.subtract(end, start))
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(fine, axis=0), axis=1))])
    evenly = np.linspace(0.0, along[-1], cells + 1)
    return np.column_stack([np.interp(evenly, along, fine[:, axis]) for axis in (0, 1)])
