# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances from a triangle mesh in one of many poses."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from .cells import Cells
from .clearances import ROUNDING
from .signed import signed_offsets
from .triangles import Triangles, least_of_runs

# Cells are as long as so many mean sides of the triangles' boxes: smaller ones take longer to sort into than they save.
_CELL = 1.0
# Farther away than so many mean sides of the boxes, a middle may be farther than the nearest by this share.
_CAREFUL, _CARELESS = 8.0, 0.5
# NeighbourLists know of so many mean sides more than what is closest.
_SKIN = 0.5
# Middles that are looked for about a point, and points that are so few that lists do not pay.
_NEAREST, _FEW_ROWS = 64, 256
# Pairs of points and triangles that are tried where it has to be right, and triangles a point at the least.
_MOST_PAIRS, _FEW = 2_000_000, 16


class Surroundings(NamedTuple):
    """What of a mesh is close to points.

    distances: signed [m], shape (count,); normals: shape (count, 3); triangles, shape (count,), and the barycentric
    weights in them, shape (3, count), of what is closest. clear: distances within which there is nothing [m].
    """

    distances: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    weights: np.ndarray
    clear: np.ndarray

    @classmethod
    def none(cls, count, distance):
        """Of so many points as far away as that [m], on no triangle."""
        triangles = np.zeros(count, dtype=np.intp)
        return cls(
            np.full(count, distance), np.zeros((count, 3)), triangles, np.zeros((3, count)), triangles + 0.0
        )

    def put(self, rows, others, which):
        """Take over others, of some rows, where a mask of them says so."""
        at = rows[which]
        for name in ("distances", "normals", "triangles", "clear"):
            getattr(self, name)[at] = getattr(others, name)[which]
        self.weights[:, at] = others.weights[:, which]


class PosedMesh:
    """Signed distances from triangles in a pose that is asked for a few times.

    mesh: TriangleMesh; points: of it, shape (point_count, 3) [m].
    longest: no side of a triangle is longer [m]; skin: how much more than what is closest NeighbourLists know of [m].
    """

    def __init__(self, mesh, points):
        self.vertices = mesh.vertices(points)
        self._triangles, self._mesh = Triangles(self.vertices, mesh.triangles), mesh
        self._low, self._high = self._triangles.low.min(axis=0), self._triangles.high.max(axis=0)
        self._scale = max(np.abs(self._low).max(), np.abs(self._high).max())
        sides = self._triangles.high - self._triangles.low
        self._side, self.longest = float(sides.mean()), float(np.sqrt((sides**2).sum(axis=1).max()))
        self.skin = _SKIN * self._side
        # Cells know what is within reach of any of their points.
        self._cells, self._reach = None, 0.0

    def closest(self, x, reach, side=1.0, particles=None, neighbours=None):
        """Surroundings of points, shape (count, 3).

        reach: distance up to which they are exact [m]; side: 1.0 or -1.0, of the distances where points belong. Farther
        away on this side they are those of a triangle whose middle is nearest, or nearly so. particles, neighbours:
        which particles are there, and the NeighbourList that knows them, to be quicker.
        """
        guesses, clear = self._guessed(x)
        weights, distances, normals = np.zeros((3, len(x))), np.zeros(len(x)), np.zeros((3, len(x)))
        rows, far = np.flatnonzero(clear <= reach), np.ones(len(x), dtype=bool)
        if neighbours is None or len(rows) <= _FEW_ROWS:
            near = self._of_nearest(x, rows, reach, guesses)
        else:
            near = self._remembered(x, rows, reach, particles, neighbours)
        clear[rows] = reach
        clear[near.rows], far[near.rows] = near.distances, False
        triangles = guesses

        def take(found):
            rows = found.rows
            triangles[rows], weights[:, rows] = found.triangles, found.weights
            distances[rows], normals[:, rows] = self._signed(found)

        rest = np.flatnonzero(far)
        take(self._triangles.each(x, rest, guesses[rest]))
        take(near)
        # That something is far on the wrong side must not be a guess.
        take(self._surely(x, np.flatnonzero(far & (side * distances < 0.0))))
        return Surroundings(distances, normals.T, triangles, weights, clear)

    def _guessed(self, x):
        """Of each point the triangle whose middle is nearest, or nearly so, and a distance within which is none."""
        if len(x) == 0:
            return np.zeros(0, dtype=np.intp), np.zeros(0)
        distances, triangles = self._tree.query(x, distance_upper_bound=_CAREFUL * self._side)
        farther = ~np.isfinite(distances)
        if farther.any():
            distances[farther], triangles[farther] = self._tree.query(x[farther], eps=_CARELESS)
            distances[farther] /= 1.0 + _CARELESS
        # Rounded down: of coordinates, and of the tree's own sums.
        rounding = ROUNDING * max(self._scale, np.abs(x).max())
        return triangles, distances - self._triangles.radii.max() - rounding

    def _near(self, x, rows, reach):
        """Closest within reach of the points of some rows."""
        if len(rows) == 0:
            return self._triangles.each(x, rows, rows)
        cells = self._sorted(x[rows].min(axis=0), x[rows].max(axis=0), reach)
        held, where = cells.of(x[rows])
        which, triangles = cells.pairs(where)
        which = rows[held][which]
        likely = self._triangles.likely(x, which, triangles, reach)
        return self._triangles.closest(x, which[likely], triangles[likely], reach)

    def _of_nearest(self, x, rows, reach, guesses):
        """Closest within reach of the points of some rows, by the triangles whose middles are nearest."""
        count = min(_NEAREST, len(self._triangles.middles))
        guessed = self._triangles.each(x, rows, guesses[rows]).distances
        most = (np.minimum(guessed, reach) + self._triangles.radii.max()) * (1.0 + ROUNDING)
        distances, triangles = self._tree.query(x[rows], k=count, distance_upper_bound=most.max(initial=0.0))
        likely = distances.reshape(len(rows), count) <= most[:, None]
        if count == _NEAREST and likely[:, -1].any():
            # Not all that may be closest are among them.
            return self._near(x, rows, reach)
        triangles = np.sort(np.where(likely, triangles.reshape(len(rows), count), -1), axis=1)
        which, places = np.nonzero(triangles >= 0)
        return self._triangles.closest(x, rows[which], triangles[which, places], reach)

    def _remembered(self, x, rows, reach, particles, neighbours):
        """As `_near`, of particles that a NeighbourList knows."""
        found = neighbours.closest(
            self._triangles, x[rows], particles[rows], lambda of: self._listed(x[rows[of]], reach, of), reach
        )
        return found._replace(rows=rows[found.rows])

    def _listed(self, x, reach, rows):
        """What may be closest to x, rows of something, within reach, for `NeighbourList.closest`."""
        skin = self.skin
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
