# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances from a triangle mesh that keeps its shape: on a grid, and exact where it is near."""

import numpy as np

from .cells import MOST_CELLS, Cells, ranges
from .signed import signed_offsets
from .triangles import Triangles

# Cells whose triangles are found at once: bounds the memory of building.
_BLOCK = 20_000


class DistanceGrid:
    """Signed distances from triangles in one pose.

    mesh: TriangleMesh; points: of it, shape (point_count, 3) [m]; band: exact within this distance of the surface [m];
    resolution: cells along the longest side, fewer where there would be more than MOST_CELLS in all.

    Cells within the band know all triangles that are closest to any of their points, those closest to their middle first.
    The middles of all cells know a distance, within the band the exact one, elsewhere that of the triangle closest to the
    nearest middle in the band: between them it is interpolated linearly. Outside the grid the distance is that from the
    grid and what the grid is wider than the mesh, never more than the true one.
    """

    def __init__(self, mesh, points, band, resolution):
        self._triangles = Triangles(mesh.vertices(points), mesh.triangles)
        self._mesh = mesh
        self._normals = mesh.sides.normals(self._triangles.a, self._triangles.ab, self._triangles.ac)
        low, high = self._triangles.low.min(axis=0), self._triangles.high.max(axis=0)
        self._scale = max(np.abs(low).max(), np.abs(high).max())
        size = max((high - low).max() / resolution, (np.prod(high - low + 2 * band) / MOST_CELLS) ** (1 / 3))
        self._margin = band + 2.0 * size
        low, high = low - self._margin, high + self._margin
        reached = Cells(low, high, size, self._triangles.low - band, self._triangles.high + band)
        self._low, self._high, self._size, self._shape = low, high, reached.size, reached.shape
        self._half = reached.size * np.sqrt(3) / 2
        near = np.flatnonzero(np.diff(reached.starts))
        middles = reached.centers(near)
        distances, normals = self._list_triangles(middles, band)
        self._rank = np.full(int(self._shape.prod()), -1, dtype=np.int32)
        self._rank[near] = np.arange(len(near))
        self._middles = middles
        self._values = self._spread(near, distances)

    def closest(self, x):
        """Signed distances [m], shape (count,), and unit normals, shape (count, 3), at x, shape (count, 3).

        Of a sheet distances are at least 0 and normals those away from it.
        """
        distances, normals = self._interpolated(x)
        cells = self._cells(x)
        rows = np.flatnonzero(cells >= 0)
        ranks = self._rank[cells[rows]]
        rows, ranks = rows[ranks >= 0], ranks[ranks >= 0]
        distances[rows], normals[rows] = self._exact(x[rows], ranks)
        return distances, normals

    def _exact(self, x, ranks):
        offsets = x - self._middles[ranks]
        away = np.sqrt(np.einsum("ij,ij->i", offsets, offsets))
        starts = self._starts[ranks]
        # A triangle so far from the middle is farther from x than the one closest to the middle.
        most = self._keys[starts] + 2.0 * away * (1.0 + 1e-9)
        which, places = ranges(starts, np.searchsorted(self._keys, most, side="right"))
        found = self._triangles.closest(x, which, self._items[places])
        features = self._mesh.sides.features(found.triangles, found.weights)
        return signed_offsets(found, self._normals.take(features, axis=1), self._scale)

    def _list_triangles(self, middles, band):
        """Sort into cells the triangles closest to any of their points; distances and normals at their middles."""
        r, triangles = self._half, self._triangles
        reach = band + 4 * r
        coarse = Cells(self._low, self._high, reach, triangles.low - reach, triangles.high + reach)
        parts = []
        for first in range(0, len(middles), _BLOCK):
            x = middles[first : first + _BLOCK]
            which, items = coarse.pairs(coarse.of(x)[1])
            found = triangles.closest(x, which, items)
            bounds = np.maximum(triangles.bounds(np.ascontiguousarray(x.T), which, items), 0.0)
            kept = np.flatnonzero(bounds <= found.distances[which] + 2 * r)
