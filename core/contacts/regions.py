# SPDX-License-Identifier: GPL-3.0-or-later
"""Which sides and corners of triangles are really the closest to a particle, and not the next triangle's inside."""

import numpy as np

from ..axes import dot

# Products of directions below this share of their lengths are of rounding.
_ROUNDING = 1e-6


class Regions:
    """Drops what particles that slide over a surface would catch at: the sides of triangles beside those below them.

    A side is the closest of a surface only beyond both of its triangles, a corner beyond all sides that end there.

    triangles: corners, shape (triangle_count, 3).
    """

    def __init__(self, triangles, particle_count):
        ends = np.concatenate([triangles[:, [1, 2]], triangles[:, [2, 0]], triangles[:, [0, 1]]])
        beyond = triangles.T.ravel()
        low, high = ends.min(axis=1), ends.max(axis=1)
        # Of each side, by the corner opposite to it, the corner opposite to it in the triangle next to it, or itself.
        order = np.argsort(low * particle_count + high, kind="stable")
        keys = (low * particle_count + high)[order]
        twins = np.flatnonzero(keys[1:] == keys[:-1])
        across = beyond.copy()
        across[order[twins]], across[order[twins + 1]] = beyond[order[twins + 1]], beyond[order[twins]]
        self._across = across.reshape(3, -1)
        self._triangle_count = len(triangles)
        first = np.append(True, keys[1:] != keys[:-1]) if len(keys) else np.zeros(0, dtype=bool)
        low, high = low[order][first], high[order][first]
        one, other = np.concatenate([low, high]), np.concatenate([high, low])
        by_one = np.argsort(one, kind="stable")
        self._neighbours = other[by_one]
        self._starts = np.searchsorted(one[by_one], np.arange(particle_count + 1))

    def own(self, triangles, corners, weights, offsets, shares, start, end):
        """Mask of rows whose closest point is that of the surface.

        triangles: indices; corners: theirs, weights: barycentric, both of shape (3, count); offsets: from the closest
        points to the particles, shape (3, count); shares: of straight ways from start to end, of shape
        (3, particle_count), at which rows are taken.
        """
        own = np.ones(len(triangles), dtype=bool)
        zeros = (weights == 0.0).sum(axis=0)
        sides = np.flatnonzero(zeros == 1)
        opposite = (weights[:, sides] == 0.0).argmax(axis=0)
        end_of_side = corners[(opposite + 1) % 3, sides]
        across = self._across[opposite, triangles[sides]]
        own[sides] = self._beyond(sides, end_of_side, across, offsets, shares, start, end)
        own[sides] |= across == corners[opposite, sides]
        at = np.flatnonzero(zeros == 2)
        corner = corners[weights[:, at].argmax(axis=0), at]
        counts = self._starts[corner + 1] - self._starts[corner]
        rows = np.repeat(np.arange(len(at)), counts)
        entries = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts - self._starts[corner], counts)
        beyond = self._beyond(at[rows], corner[rows], self._neighbours[entries], offsets, shares, start, end)
        own[at[rows[~beyond]]] = False
        return own

    def _beyond(self, rows, origins, others, offsets, shares, start, end):
        """Mask of rows whose particle is not on the side of an origin where the other is."""
        a, b = (at.take(others, axis=1) - at.take(origins, axis=1) for at in (start, end))
        away = a + shares.take(rows) * (b - a)
        offset = offsets.take(rows, axis=1)
        lengths = np.sqrt(dot(away, away) * dot(offset, offset))
        return dot(away, offset) <= _ROUNDING * lengths
