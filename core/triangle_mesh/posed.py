# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances from a triangle mesh in one of many poses."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from .cells import Cells
from .signed import signed_offsets
from .triangles import Triangles, least_of_runs

# Cells are as long as so many mean sides of the triangles' boxes: smaller ones take longer to sort into than they save.
_CELL = 1.0
# Farther away than so many mean sides of the boxes, a middle may be farther than the nearest by this share.
_CAREFUL, _CARELESS = 8.0, 0.5
# NeighbourLists know of so many mean sides more than what is closest.
_SKIN = 0.5
# Pairs of points and triangles that are tried where it has to be right, and triangles a point at the least.
_MOST_PAIRS, _FEW = 2_000_000, 16


class Surroundings(NamedTuple):
    """What of a mesh is close to points.

    distances: signed [m], shape (count,); normals: shape (count, 3); triangles, shape (count,), and the barycentric
    weights in them, shape (3, count), of what is closest.
    """

    distances: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    weights: np.ndarray


class PosedMesh:
    """Signed distances from triangles in a pose that is asked for a few times.

    mesh: TriangleMesh; points: of it, shape (point_count, 3) [m].
    """

    def __init__(self, mesh, points):
        self.vertices = mesh.vertices(points)
        self._triangles, self._mesh = Triangles(self.vertices, mesh.triangles), mesh
        self._low, self._high = self._triangles.low.min(axis=0), self._triangles.high.max(axis=0)
        self._scale = max(np.abs(self._low).max(), np.abs(self._high).max())
        self._side = float((self._triangles.high - self._triangles.low).mean())
        # Cells know what is within reach of any of their points.
        self._cells, self._reach = None, 0.0

    def closest(self, x, reach, side=1.0, particles=None, neighbours=None):
        """Surroundings of points, shape (count, 3).

        reach: distance up to which they are exact [m]; side: 1.0 or -1.0, of the distances where points belong. Farther
        away on this side they are those of a triangle whose middle is nearest, or nearly so. particles, neighbours:
        which particles are there, and the NeighbourList that knows them, to be quicker.
        """
        triangles, weights = np.zeros(len(x), dtype=np.intp), np.zeros((3, len(x)))
        distances, normals = np.zeros(len(x)), np.zeros((3, len(x)))
        near = (
            self._near(x, reach) if particles is None else self._remembered(x, reach, particles, neighbours)
        )
        far = np.ones(len(x), dtype=bool)
        far[near.rows] = False

        def take(found):
            rows = found.rows
            triangles[rows], weights[:, rows] = found.triangles, found.weights
            distances[rows], normals[:, rows] = self._signed(found)

        take(near)
        take(self._far(x, np.flatnonzero(far)))
        # That something is far on the wrong side must not be a guess.
        take(self._surely(x, np.flatnonzero(far & (side * distances < 0.0))))
        return Surroundings(distances, normals.T, triangles, weights)

    def _near(self, x, reach):
        """Closest of the points within reach."""
        rows = self._inside(x, reach)
        if len(rows) == 0:
            return self._triangles.each(x, rows, rows)
        cells = self._sorted(x[rows].min(axis=0), x[rows].max(axis=0), reach)
        held, where = cells.of(x[rows])
        which, triangles = cells.pairs(where)
        which = rows[held][which]
        likely = self._triangles.likely(x, which, triangles, reach)
        return self._triangles.closest(x, which[likely], triangles[likely], reach)

    def _remembered(self, x, reach, particles, neighbours):
        """As `_near`, of particles that a NeighbourList knows."""
        rows = self._inside(x, reach)
        found = neighbours.closest(
            self._triangles, x[rows], particles[rows], lambda of: self._listed(x[rows[of]], reach, of), reach
        )
        return found._replace(rows=rows[found.rows])

    def _listed(self, x, reach, rows):
        """What may be closest to x, rows of something, within reach, for `NeighbourList.closest`."""
        skin = _SKIN * self._side
        cells = self._sorted(x.min(axis=0), x.max(axis=0), reach + skin)
        held, where = cells.of(x)
        which, triangles = cells.pairs(where)
        which = held[which]
        likely = self._triangles.likely(x, which, triangles, reach + skin, skin)
        which, triangles = which[likely], triangles[likely]
        bounds = self._triangles.bounds(np.ascontiguousarray(x.T), which, triangles)
        complete = np.full(len(x), reach + skin)
        least = least_of_runs(bounds, which)
        complete[which[least]] = np.minimum(complete[which[least]], bounds[least] + skin)
        return rows[which], triangles, bounds, complete

    def _inside(self, x, reach):
        return np.flatnonzero(((x >= self._low - reach) & (x <= self._high + reach)).all(axis=1))

    def _sorted(self, low, high, reach):
        """Cells of a space at least as large as between two corners, for at least a reach."""
        if self._cells is not None:
            held = (low >= self._cells.low).all() and (high <= self._cells.high).all()
            if held and reach <= self._reach:
                return self._cells
            low, high = np.minimum(low, self._cells.low), np.maximum(high, self._cells.high)
        self._reach = max(reach, self._reach)
        box_low, box_high = self._triangles.low - self._reach, self._triangles.high + self._reach
        size = _CELL * self._side + self._reach
        self._cells = Cells(low - self._reach, high + self._reach, size, box_low, box_high)
        return self._cells

    def _far(self, x, rows):
        """Closest of points, each to the triangle whose middle is nearest, or so."""
        if len(rows) == 0:
            return self._triangles.each(x, rows, rows)
        distances, triangles = self._tree.query(x[rows], distance_upper_bound=_CAREFUL * self._side)
        farther = ~np.isfinite(distances)
        if farther.any():
            triangles[farther] = self._tree.query(x[rows[farther]], eps=_CARELESS)[1]
        return self._triangles.each(x, rows, triangles)

    def _surely(self, x, rows):
        """Closest of a few points, of all triangles; of many, of those whose middles are nearest."""
        count = len(self._triangles.middles)
        nearest = min(count, max(_FEW, _MOST_PAIRS // max(len(rows), 1)))
        if len(rows) == 0 or nearest == count:
            which, triangles = np.repeat(rows, count), np.tile(np.arange(count), len(rows))
        else:
            _, triangles = self._tree.query(x[rows], k=nearest)
            which, triangles = np.repeat(rows, nearest), np.sort(triangles, axis=1).ravel()
        likely = self._triangles.likely(x, which, triangles)
        return self._triangles.closest(x, which[likely], triangles[likely])

    def _signed(self, found):
        features = self._mesh.sides.features(found.triangles, found.weights)
        signed, normals = signed_offsets(found, self._normals.take(features, axis=1), self._scale)
        return (signed, normals) if self._mesh.solid else (np.abs(signed), np.copysign(1.0, signed) * normals)

    @cached_property
    def _normals(self):
        return self._mesh.sides.normals(self._triangles.a, self._triangles.ab, self._triangles.ac)

    @cached_property
    def _tree(self):
        from scipy.spatial import cKDTree

        return cKDTree(self._triangles.middles, balanced_tree=False, compact_nodes=False)
