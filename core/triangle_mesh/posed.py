# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances from a triangle mesh in one of many poses."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from .pieces import Pieces
from .triangles import ROUNDING, Triangles

# Pairs of points and triangles that are looked for at once, at most: a quarter of a gigabyte.
_AT_ONCE = 10_000_000


class Surroundings(NamedTuple):
    """What of a mesh is close to points.

    distances: signed [m], shape (count,); normals: shape (count, 3); triangles, shape (count,), and the barycentric
    weights in them, shape (3, count), of what is closest.
    """

    distances: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    weights: np.ndarray

    @classmethod
    def none(cls, count, distance):
        """Of so many points as far away as that [m], on no triangle."""
        triangles = np.zeros(count, dtype=np.intp)
        return cls(np.full(count, distance), np.zeros((count, 3)), triangles, np.zeros((3, count)))


class PosedMesh:
    """Signed distances from triangles in a pose that is asked for a few times.

    mesh: TriangleMesh; points: of it, shape (point_count, 3) [m].
    """

    def __init__(self, mesh, points):
        self.vertices = mesh.vertices(points)
        self._triangles, self._mesh = Triangles(self.vertices, mesh.triangles), mesh
        self._scale = self._triangles.scale

    def closest(self, x, reach, side=1.0):
        """Surroundings of points, shape (count, 3).

        reach: distance up to which they are exact [m]; side: 1.0 or -1.0, of the distances where points belong. Farther
        away on this side they are those of a triangle whose middle is nearest.
        """
        guesses, clear = self._guessed(x)
        found, far = Surroundings.none(len(x), side * np.inf), np.ones(len(x), dtype=bool)
        near = self._of_nearest(x, np.flatnonzero(clear <= reach), reach, guesses)
        far[near.rows] = False
        rest = np.flatnonzero(far)
        self._take(found, self._triangles.each(x, rest, guesses[rest]))
        self._take(found, near)
        # That something is far on the wrong side must not be a guess.
        wrong = np.flatnonzero(far & (side * found.distances < 0.0))
        self._take(found, self._of_nearest(x, wrong, np.inf, guesses))
        return found

    def _take(self, surroundings, found):
        rows = found.rows
        surroundings.triangles[rows], surroundings.weights[:, rows] = found.triangles, found.weights
        surroundings.distances[rows], normals = self._signed(found)
        surroundings.normals[rows] = normals.T

    def _guessed(self, x):
        """Of each point the triangle whose middle is nearest, and a distance within which there is none."""
        if len(x) == 0:
            return np.zeros(0, dtype=np.intp), np.zeros(0)
        distances, pieces = self._tree.query(x)
        # Rounded down.
        rounding = ROUNDING * max(self._scale, np.abs(x).max())
        return self.pieces.owners[pieces], distances - self.pieces.farthest - rounding

    def _of_nearest(self, x, rows, reach, guesses):
        """Closest within reach of the points of some rows, by the triangles whose middles are nearest."""
        if len(rows) == 0:
            return self._triangles.each(x, rows, rows)
        guessed = self._triangles.each(x, rows, guesses[rows])
        most = np.minimum(guessed.distances, reach)
        which, triangles = self._pairs(x[rows], most)
        return self._triangles.closest(x, rows[which], triangles, reach)

    def _pairs(self, x, most):
        """Pairs of points, rising, and of the triangles that may be within a distance of each [m], shape (count,)."""
        from scipy.spatial import cKDTree

        count, owners, radii = len(self._mesh.triangles), self.pieces.owners, self.pieces.radii
        rounding = ROUNDING * max(self._scale, np.abs(x).max(initial=0.0))
        # Of those that look about as far: one that looks farther makes all look as far.
        order, size = np.argsort(most, kind="stable"), max(1, _AT_ONCE // count)
        found = [np.zeros(0, dtype=np.intp)]
        for start in range(0, len(x), size):
            rows = order[start : start + size]
            some = cKDTree(x[rows], balanced_tree=False, compact_nodes=False)
            farthest = most[rows[-1]] + self.pieces.farthest + rounding
            pairs = some.sparse_distance_matrix(self._tree, farthest, output_type="ndarray")
            of = rows[pairs["i"]]
            may_be = pairs["v"] <= most[of] + radii[pairs["j"]] + rounding
            found.append(of[may_be] * count + owners[pairs["j"][may_be]])
        keys = np.sort(np.concatenate(found))
        return np.divmod(keys[np.append(True, keys[1:] != keys[:-1])[: len(keys)]], count)

    def _signed(self, found):
        sides = self._mesh.sides
        features = sides.features(found.triangles, found.weights)
        normals = sides.normals(features, self._triangles.ab, self._triangles.ac)
        signed, normals = _signed_offsets(found, normals, self._scale)
        return (signed, normals) if self._mesh.solid else (np.abs(signed), np.copysign(1.0, signed) * normals)

    @cached_property
    def pieces(self):
        """Pieces of the triangles."""
        return Pieces(self._triangles)

    @cached_property
    def _tree(self):
        from scipy.spatial import cKDTree

        return cKDTree(self.pieces.middles, balanced_tree=False, compact_nodes=False)


def _signed_offsets(found, features, scale):
    """Signed distances [m], shape (count,), and normals out of the surface, shape (3, count), of what is closest.

    found: Closest; features: normals of the face, edge or vertex that each closest point lies on, shape (3, count);
    scale: of the coordinates [m]. Out is along the offset where a point is off the surface, else along the feature.
    """
    x, y, z = found.offsets * features
    out = x + y + z
    side = np.where(out >= 0.0, 1.0, -1.0)
    off = found.distances > ROUNDING * scale
    directions = side * found.offsets / np.where(off, found.distances, 1.0)
    return np.where(off, side * found.distances, out), np.where(off, directions, features)
