# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances from a triangle mesh in one of many poses."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from .clearances import ROUNDING
from .local_motion import LocalMotion
from .pieces import Pieces
from .signed import signed_offsets
from .triangles import Triangles

# Farther away than so many mean radii of triangles, a middle may be farther than the nearest by this share.
_CAREFUL, _CARELESS = 6.0, 0.5
# NeighbourLists know of so many mean radii more than what is closest.
_SKIN = 1.0
# Points that are so few that lists do not pay.
_FEW_ROWS = 256
# Pairs of points and triangles that are looked for at once, at most.
_AT_ONCE = 10_000_000
# Points that look up to so many times as far as others are looked for together with them.
_AS_FAR = 1.3
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
    skin: how much more than what is closest NeighbourLists know of [m].
    """

    def __init__(self, mesh, points):
        self.vertices = mesh.vertices(points)
        self._triangles, self._mesh = Triangles(self.vertices, mesh.triangles), mesh
        self._scale = self._triangles.scale
        self._side = float(self._triangles.radii.mean())
        self.skin = _SKIN * self._side

    def closest(self, x, reach, side=1.0):
        """Surroundings of points, shape (count, 3).

        reach: distance up to which they are exact [m]; side: 1.0 or -1.0, of the distances where points belong. Farther
        away on this side they are those of a triangle whose middle is nearest, or nearly so.
        """
        guesses, clear = self._guessed(x)
        found, far = Surroundings.none(len(x), side * np.inf), np.ones(len(x), dtype=bool)
        near = self._of_nearest(x, np.flatnonzero(clear <= reach), reach, guesses)
        far[near.rows] = False
        rest = np.flatnonzero(far)
        self._take(found, self._triangles.each(x, rest, guesses[rest]))
        self._take(found, near)
        # That something is far on the wrong side must not be a guess.
        self._take(found, self._surely(x, np.flatnonzero(far & (side * found.distances < 0.0))))
        return found._replace(clear=clear)

    def near(self, x, reach, side, particles, neighbours):
        """Surroundings of particles at x, shape (count, 3), as `closest`, but endlessly far beyond reach.

        reach: of every one [m]; neighbours: the NeighbourList that knows the particles.
        """
        near = neighbours.closest(
            self._triangles,
            x,
            particles,
            lambda of, apart: self._listed(x[of], reach[of], side, of, apart),
            reach,
        )
        found, rest = Surroundings.none(len(x), side * np.inf), neighbours.unknown(particles)
        self._take(found, near)
        rest[near.rows] = False
        rest = np.flatnonzero(rest)
        if len(rest):
            of_rest = self.closest(x[rest], reach[rest].max(), side)
            away = side * of_rest.distances > reach[rest]
            found.put(rest, of_rest, ~away)
            neighbours.learn(x[rest], particles[rest], np.where(away, of_rest.clear, -np.inf))
        return found

    def _take(self, surroundings, found):
        rows = found.rows
        surroundings.triangles[rows], surroundings.weights[:, rows] = found.triangles, found.weights
        surroundings.distances[rows], normals = self._signed(found)
        surroundings.normals[rows] = normals.T

    def _guessed(self, x, careless=None):
        """Of each point the triangle whose middle is nearest, or nearly so, and a distance within which is none.

        careless: which of those that are far from all are not worth a search, a mask: of these it is any triangle.
        """
        if len(x) == 0:
            return np.zeros(0, dtype=np.intp), np.zeros(0)
        far = _CAREFUL * self._side
        distances, pieces = self._tree.query(x, distance_upper_bound=far)
        farther = ~np.isfinite(distances)
        distances[farther], pieces[farther] = far, 0
        if careless is not None:
            farther &= ~careless
        if farther.any():
            distances[farther], pieces[farther] = self._tree.query(x[farther], eps=_CARELESS)
            distances[farther] /= 1.0 + _CARELESS
        # Rounded down: of coordinates, and of the tree's own sums.
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
        order, size = np.argsort(most, kind="stable"), max(_FEW, _AT_ONCE // count)
        rising, found, start = most[order], [np.zeros(0, dtype=np.intp)], 0
        while start < len(x):
            # Of those that look about as far: one that looks farther would make all look as far.
            end = np.searchsorted(rising, _AS_FAR * rising[start], side="right")
            rows = order[start : min(max(end, start + 1), start + size)]
            start += len(rows)
            some = cKDTree(x[rows], balanced_tree=False, compact_nodes=False)
            farthest = most[rows[-1]] + self.pieces.farthest + rounding
            pairs = some.sparse_distance_matrix(self._tree, farthest, output_type="ndarray")
            of = rows[pairs["i"]]
            may_be = pairs["v"] <= most[of] + radii[pairs["j"]] + rounding
            found.append(of[may_be] * count + owners[pairs["j"][may_be]])
        keys = np.sort(np.concatenate(found))
        return np.divmod(keys[np.append(True, keys[1:] != keys[:-1])[: len(keys)]], count)

    def _listed(self, x, reach, side, rows, apart):
        """What may be closest to x, rows of something, within reach, for `NeighbourList.closest`."""
        guesses, complete = self._guessed(x, apart)
        near = complete <= reach
        # What nothing is near to, and nothing came to, is on the side it was on.
        some = np.flatnonzero(near | ~apart)
        guessed, reach = self._triangles.each(x, some, guesses[some]), reach[some]
        near = np.flatnonzero(near[some])
        complete[some[near]] = np.minimum(guessed.distances, reach)[near] + self.skin
        which, triangles = self._pairs(x[some[near]], complete[some[near]])
        which = some[near[which]]
        bounds = self._triangles.bounds(np.ascontiguousarray(x.T), which, triangles)
        likely = bounds <= complete[which]
        wrong = side * self._signed(guessed)[0] < 0.0
        # On the wrong side nothing is far enough to be left out of account, and farther on it nothing is remembered.
        within = np.where(guessed.distances > reach, -np.inf, np.minimum(complete[some], 0.99 * reach))
        complete[some[wrong]] = within[wrong]
        return rows[which[likely]], triangles[likely], bounds[likely], complete

    def _surely(self, x, rows):
        """Closest of a few points, of all triangles; of many, of those whose middles are nearest."""
        count = len(self._mesh.triangles)
        nearest = min(count, max(_FEW, _MOST_PAIRS // max(len(rows), 1)))
        if len(rows) == 0 or nearest == count:
            which, triangles = np.repeat(rows, count), np.tile(np.arange(count), len(rows))
        else:
            _, found = self._tree.query(x[rows], k=nearest)
            which, triangles = np.repeat(rows, nearest), np.sort(self.pieces.owners[found], axis=1).ravel()
        likely = self._triangles.likely(x, which, triangles)
        return self._triangles.closest(x, which[likely], triangles[likely])

    def motion(self, before, size):
        """The LocalMotion of the triangles from where their vertices were before [m]; size: how near is near [m]."""
        moved, pieces = np.ascontiguousarray((self.vertices - before).T), self.pieces
        a, b, c = (moved.take(corners, axis=1) for corners in self._mesh.triangles.T)
        least, most = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        more = pieces.owners[len(self._mesh.triangles) :]
        if len(more):
            least, most = (np.concatenate([of, of.take(more, axis=1)], axis=1) for of in (least, most))
        return LocalMotion(pieces.middles, least, most, size, pieces.farthest)

    def _signed(self, found):
        features = self._mesh.sides.features(found.triangles, found.weights)
        signed, normals = signed_offsets(found, self._normals(features), self._scale)
        return (signed, normals) if self._mesh.solid else (np.abs(signed), np.copysign(1.0, signed) * normals)

    @cached_property
    def pieces(self):
        """Pieces of the triangles."""
        return Pieces(self._triangles)

    def _normals(self, features):
        return self._mesh.sides.normals_of(features, self._triangles.ab, self._triangles.ac)

    @cached_property
    def _tree(self):
        from scipy.spatial import cKDTree

        return cKDTree(self.pieces.middles, balanced_tree=False, compact_nodes=False)
