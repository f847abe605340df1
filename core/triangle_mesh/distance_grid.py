# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances from a triangle mesh that keeps its shape: on a grid, and exact where it is near."""

import numpy as np

from ..directions import lengths_and_directions
from .cells import MOST_CELLS, Cells, ranges
from .interpolation import Interpolation
from .signed import signed_offsets
from .triangles import Triangles

# Half the diagonal of a cell of unit length.
_HALF = 3**0.5 / 2
# Cells whose triangles are found at once: bounds the memory of building.
_BLOCK = 2_000
# From where several surfaces are equally near, interpolation leads out in steps; two or three are enough.
_STEPS_OUT = 6


class DistanceGrid:
    """Signed distances from triangles in one pose.

    mesh: TriangleMesh; points: of it, shape (point_count, 3) [m]; band: exact within it of the surface [m];
    resolution: cells along the longest side at most; they are no smaller than half a mean side of the triangles,
    nor more than MOST_CELLS in all.

    Cells within the band know all triangles that are closest to any of their points, in the order of their distance
    from the middle. The middles of all cells know a distance, within the band the exact one, elsewhere that of the
    triangle closest to the nearest middle in the band: between them it is interpolated linearly. Outside the grid the
    distance is that by way of its closest point.

    low, high: corners of the box about the triangles [m], shape (3,).
    """

    def __init__(self, mesh, points, band, resolution):
        points = np.asarray(points, dtype=np.float64)
        self._triangles, self._mesh = Triangles(mesh.vertices(points), mesh.triangles), mesh
        self._normals = mesh.sides.normals(self._triangles.a, self._triangles.ab, self._triangles.ac)
        low, high = self._triangles.low.min(axis=0), self._triangles.high.max(axis=0)
        self.low, self.high = low, high
        self._scale = max(np.abs(low).max(), np.abs(high).max())
        # Cells much smaller than the triangles tell nothing new.
        size = max(
            (high - low).max() / resolution,
            mesh.mean_side(points) / 2,
            (np.prod(high - low + 2 * band) / MOST_CELLS) ** (1 / 3),
        )
        reached, limit = self._cells_within(band, low, high, size)
        self._low, self._high, self._size, self._shape = (
            reached.low,
            reached.high,
            reached.size,
            reached.shape,
        )
        cells = np.flatnonzero(np.diff(reached.starts))
        near, signed, closest = self._list_triangles(reached.centers(cells), limit)
        self._middles = reached.centers(cells[near])
        self._rank = np.full(int(self._shape.prod()), -1, dtype=np.int32)
        self._rank[cells[near]] = np.arange(len(near))
        values = self._spread(cells[near], signed, closest).reshape(self._shape)
        self._values = Interpolation(self._low, self._high, self._size, values)

    def _cells_within(self, band, low, high, size):
        """Cells whose middles may be within a limit, and the limit [m]."""
        while True:
            # From all within a cell's length on, middles next to each other are on the same side.
            limit = max(band + size * _HALF, 1.01 * size)
            reach = limit - size / 2
            space = low - limit - size, high + limit + size
            cells = Cells(*space, size, self._triangles.low - reach, self._triangles.high + reach)
            if cells.size == size:
                return cells, limit
            size = cells.size

    def closest(self, x, *, lead_out=False):
        """Signed distances [m], shape (count,), and unit normals, shape (count, 3), at x, shape (count, 3).

        Of a sheet distances are at least 0 and normals those away from it.
        lead_out: whether from deep inside distances and normals lead to a point of the surface exactly.
        """
        ranks = self._ranks(x)
        distances, normals = np.empty(len(x)), np.zeros((len(x), 3))
        far, rows = np.flatnonzero(ranks < 0), np.flatnonzero(ranks >= 0)
        distances[far], normals[far] = self._values(x[far])
        if lead_out:
            self._lead_out(x, far[distances[far] < 0.0], distances, normals)
        distances[rows], away = self._signed(self._found(x[rows], ranks[rows]))
        normals[rows] = away.T
        return distances, normals

    def _lead_out(self, x, deep, distances, normals):
        if len(deep) == 0:
            return
        at = x[deep]
        for _ in range(_STEPS_OUT):
            left = self._ranks(at) < 0
            if not left.any():
                break
            depths, outwards = self._values(at[left])
            at[left] -= depths[:, None] * outwards
        ranks = self._ranks(at)
        rows = np.flatnonzero(ranks >= 0)
        surface = at[rows] - self._found(at[rows], ranks[rows]).offsets.T
        depths, normals[deep[rows]] = lengths_and_directions(surface - x[deep[rows]])
        distances[deep[rows]] = -depths

    def _ranks(self, x):
        """Ranks of the cells of positions, -1 beyond the band."""
        cells = self._cells_of(x)
        return np.where(cells >= 0, self._rank.take(cells, mode="clip"), -1)

    def _found(self, x, ranks):
        offsets = x - self._middles[ranks]
        away = np.sqrt(np.einsum("ij,ij->i", offsets, offsets))
        starts, ends = self._starts[ranks], self._starts[ranks + 1]
        first = self._triangles.each(x, np.arange(len(x)), self._items[starts])
        # What is farther from the middle than this is farther from x than the first of the list.
        ends = _places_above(self._bounds, starts, ends, (first.distances + away).astype(np.float32))
        which, places = ranges(starts, ends)
        return self._triangles.improved(first, np.ascontiguousarray(x.T), which, self._items[places])

    def _signed(self, found):
        features = self._mesh.sides.features(found.triangles, found.weights)
        signed, normals = signed_offsets(found, self._normals.take(features, axis=1), self._scale)
        return (signed, normals) if self._mesh.solid else (np.abs(signed), np.copysign(1.0, signed) * normals)

    def _list_triangles(self, middles, limit):
        """List for cells whose middles are within the limit the triangles that are closest to any of their points.

        Returns which cells these are, the signed distances at their middles, and which triangle is closest to each.
        """
        # Across a cell, what is closest changes to what is farther from the middle by this at most.
        spread, triangles = 2 * self._size * _HALF, self._triangles
        reach = limit + spread
        coarse = Cells(self._low, self._high, reach, triangles.low - reach, triangles.high + reach)
        parts = []
        for first in range(0, len(middles), _BLOCK):
            x = middles[first : first + _BLOCK]
            which, items = coarse.pairs(coarse.of(x)[1])
            likely = triangles.likely(x, which, items, limit, spread)
            which, items = which[likely], items[likely]
            bounds = triangles.bounds(np.ascontiguousarray(x.T), which, items)
            found = triangles.closest(x, which, items, limit, bounds)
            most = np.full(len(x), -np.inf)
            most[found.rows] = found.distances + spread
            kept = np.flatnonzero(bounds <= most[which])
            kept = kept[np.lexsort((bounds[kept], which[kept]))]
            counts = np.bincount(which[kept], minlength=len(x))[found.rows]
            signed, _ = self._signed(found)
            parts.append((found.rows + first, signed, found.triangles, counts, items[kept], bounds[kept]))
        near, signed, closest, counts, items, bounds = map(np.concatenate, zip(*parts, strict=True))
        self._items, self._bounds, self._starts = items, bounds, np.append(0, np.cumsum(counts))
        return near, signed, closest

    def _spread(self, near, signed, triangles):
        """Signed distances at the middles of all cells, from those within the band and their closest triangles."""
        from scipy.ndimage import distance_transform_edt

        far = np.ones(self._shape, dtype=bool)
        far.flat[near] = False
        nearest = distance_transform_edt(far, return_distances=False, return_indices=True)
        source = self._rank[np.ravel_multi_index(nearest, self._shape).ravel()]
        values = np.empty(len(source))
        for first in range(0, len(values), _BLOCK):
            cells = np.arange(first, min(first + _BLOCK, len(values)))
            x = self._low + self._size * (np.column_stack(np.unravel_index(cells, self._shape)) + 0.5)
            ranks = source[cells]
            distances = self._triangles.each(x, np.arange(len(x)), triangles[ranks]).distances
            values[cells] = np.copysign(distances, signed[ranks])
        return values

    def _cells_of(self, x):
        """Cell of every position, -1 outside the grid."""
        cells, within = np.zeros(len(x), dtype=np.int64), np.ones(len(x), dtype=bool)
        of_axes = zip(x.T, self._low, self._high, self._shape, strict=True)
        for along, low, high, count in of_axes:
            within &= (along >= low) & (along < high)
            cells = cells * count + np.where(within, (along - low) / self._size, 0.0).astype(np.int64)
        return np.where(within, cells, -1)


def _places_above(values, starts, ends, most):
    """First places, from starts to ends, of values that rise there above the most."""
    starts, ends = starts.copy(), ends.copy()
    for _ in range(int((ends - starts).max(initial=0)).bit_length()):
        middles = (starts + ends) // 2
        above = values.take(middles, mode="clip") > most
        ends = np.where(above, middles, ends)
        starts = np.where(above | (starts == ends), starts, middles + 1)
    return ends
