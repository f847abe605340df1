# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances from a triangle mesh in one of many poses."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from .cells import Cells
from .signed import signed_offsets
from .triangles import Triangles

# Cells are as long as so many mean sides of the triangles' boxes: smaller ones take longer to sort into than they save.
_CELL = 1.0
# Farther away than so many mean sides of the boxes, a middle may be farther than the nearest by this share.
_CAREFUL, _CARELESS = 8.0, 0.5


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

    def closest(self, x, reach):
        """Surroundings of points, shape (count, 3).

        reach: distance up to which they are exact [m]. Of points farther away they are those of a triangle whose middle
        is nearest, or nearly so.
        """
        triangles, weights = np.zeros(len(x), dtype=np.intp), np.zeros((3, len(x)))
        distances, normals = np.zeros(len(x)), np.zeros((3, len(x)))
        near = self._near(x, reach)
        far = np.ones(len(x), dtype=bool)
        far[near.rows] = False
        beyond = self._far(x, np.flatnonzero(far))
        for found in (near, beyond):
            rows = found.rows
            triangles[rows], weights[:, rows] = found.triangles, found.weights
            distances[rows], normals[:, rows] = self._signed(found)
        return Surroundings(distances, normals.T, triangles, weights)

    def _near(self, x, reach):
        """Closest of the points within reach."""
        inside = ((x >= self._low - reach) & (x <= self._high + reach)).all(axis=1)
        rows = np.flatnonzero(inside)
        if len(rows) == 0:
            return self._triangles.each(x, rows, rows)
        cells = self._sorted(x[rows].min(axis=0), x[rows].max(axis=0), reach)
        held, where = cells.of(x[rows])
        which, triangles = cells.pairs(where)
        which = rows[held][which]
        likely = self._triangles.likely(x, which, triangles, reach)
        return self._triangles.closest(x, which[likely], triangles[likely], reach)

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
