# SPDX-License-Identifier: GPL-3.0-or-later
"""Deforming Mesh."""

from typing import Any

import numpy as np

from ..directions import lengths
from ..triangle_mesh import TriangleMesh
from ..triangle_mesh.clearances import Clearances
from ..triangle_mesh.cube import cube
from ..triangle_mesh.local_motion import LocalMotion
from ..triangle_mesh.neighbour_list import NeighbourList
from ..triangle_mesh.posed import PosedMesh, Surroundings
from .collider import Collider

# Distances are exact up to the thickness and the way of a substep, within these shares of the mean side.
_LEAST, _MOST = 0.1, 3.0
# Particles whose ways are up to so many mean sides are looked for together.
_LEVELS = np.array([0.25, 0.6, 1.2, _MOST])


class DeformingMesh(Collider):
    """A triangle mesh whose points move.

    points: [m], shape (point_count, 3), or a callable t -> such an array, t in s from the start; triangles of their
    indices, shape (triangle_count, 3); both None for a cube of 2 m. Solids and sheets are told apart as of `RigidMesh`,
    at the time 0. Distances are exact up to the thickness and the way that anything near a particle moves against it
    in a substep, three sides of a triangle at most; beyond they are about right, and of particles endless. What else it
    takes: see `Collider`.

    Needs SciPy. Raises ValueError for points that are not finite or change their number, triangles of no point or none
    with an area.
    """

    label = "Deforming Mesh"
    description = "Any mesh whose points move, as a body that is posed"

    def __init__(self, points=None, triangles=None, **contact):
        super().__init__(**contact)
        if points is None and triangles is None:
            points, triangles = cube()
        self._points, self._placed = points, contact.get("pose") is not None
        self._moves = callable(points) or self._pose.moves
        start = self._at(0.0)
        self._mesh = TriangleMesh(start, triangles)
        self.solid = self._mesh.solid
        self._side = self._mesh.mean_side(start)
        self._longest = self._mesh.longest_side(start)
        # Of every particle in the substep [m], None before the first.
        self._ways: Any = None
        # What the mesh did last.
        self._motion: Any = None
        self._posed = start, PosedMesh(self._mesh, start)
        self._forget()

    def closest(self, x):
        """Distances and normals at the time 0."""
        return self.near(x, 0.0, 0.0)[:2]

    def near(self, x, t, dt, particles=None):
        """See `Shape.near`; velocities are those of the points of triangles that are closest."""
        posed = self._pose_of(self._at(t))
        if particles is None or self._ways is None:
            way = _LEAST * self._side if self._ways is None else self._ways.max(initial=0.0)
            found = posed.closest(x, self.thickness.max() + way, -1.0 if self.inside else 1.0)
        else:
            self._follow(posed)
            found = self._by_ways(posed, x, particles)
        return found.distances, found.normals, self._velocities(posed.vertices, found, t, dt)

    def _by_ways(self, posed, x, particles):
        """Surroundings of particles at x, no farther for each than it needs them: endlessly far beyond."""
        reaches, side = self.thickness.max() + _LEVELS * self._side, -1.0 if self.inside else 1.0
        level, last = self._levels(self._ways[particles]), len(_LEVELS) - 1
        found = Surroundings.none(len(x), side * np.inf)
        # What moves farthest against the mesh may be anywhere.
        clear = np.where(level < last, self._clearances.of(x, particles), -np.inf)
        # Nearer ones first: cells of what is near are small.
        for number, reach in enumerate(reaches):
            rows = np.flatnonzero((level == number) & ~(clear > reach))
            if len(rows):
                of_rows = posed.closest(x[rows], reach, side, particles[rows], self._neighbours)
                away = side * of_rows.distances > reach
                self._clearances.learn(x[rows], particles[rows], np.where(away, of_rows.clear, -np.inf))
                found.put(rows, of_rows, ~away if number < last else np.ones_like(away))
        return found

    def prepare(self):
        """See `Collider.prepare`."""
        super().prepare()
        self._forget()

    def _forget(self):
        """Know nothing of the body's particles."""
        # What remembers the pose's triangles, and the vertices they had when it did.
        self._neighbours: NeighbourList | None = NeighbourList()
        self._clearances, self._followed = Clearances(), None

    def find(self, start, x, t):
        """See `Collider.find`."""
        self._set_ways(start, x.T, t)
        found = super().find(start, x, t)
        begun, at, heights = self._found
        if heights is not None:
            # Of what is farther than distances are exact no more is known than that.
            self._found = begun, at, np.minimum(heights, (_LEVELS * self._side)[self._levels(self._ways)])
        return found

    def resolve(self, before, after):
        """See `Collider.resolve`."""
        self._set_ways(before, after.x, after.t)
        return super().resolve(before, after)

    def _levels(self, ways):
        return np.searchsorted(_LEVELS[:-1] * self._side, ways)

    def _set_ways(self, start, x, t):
        ways = x - start.x
        if self._moves:
            vertices = self._pose_of(self._at(t)).vertices
            motion = self._motion_to(vertices, vertices - self._mesh.vertices(self._at(start.t)))
            most = motion.most_against(x, ways)
        else:
            most = lengths(ways)
        least = max(_LEAST * self._side, self._margin)
        self._ways = np.clip(most, least, max(least, _MOST * self._side))

    def _at(self, t):
        points = self._points(t) if callable(self._points) else self._points
        if not self._placed:
            return np.asarray(points, dtype=np.float64)
        rotation, origin = self._pose.at(t)
        return np.asarray(points, dtype=np.float64) @ rotation.T + origin

    def _pose_of(self, points):
        # What was made of other points is never taken: results depend on the arguments only.
        if not np.array_equal(points, self._posed[0]):
            self._posed = points.copy(), PosedMesh(self._mesh, points)
        return self._posed[1]

    def _motion_to(self, vertices, moved):
        """The LocalMotion of vertices that have moved [m] as far as distances are exact."""
        last = self._motion
        if last is None or last.points is not vertices or not np.array_equal(moved, last.moved):
            near = self.thickness.max() + _MOST * self._side + self._longest
            self._motion = LocalMotion(vertices, moved, near)
        return self._motion

    def _follow(self, posed):
        vertices = posed.vertices
        if self._followed is not None and self._followed is not vertices:
            motion = self._motion_to(vertices, vertices - self._followed)
            self._clearances.follow(motion, posed.longest)
            if motion.apart > posed.skin:
                # Lists would be made anew for most of the particles in every substep.
                self._neighbours = None
            elif self._neighbours is None:
                self._neighbours = NeighbourList()
            else:
                self._neighbours.follow(motion, posed.longest)
        self._followed = vertices

    def _velocities(self, vertices, found, t, dt):
        if dt == 0.0 or not self._moves:
            return np.zeros(3)
        moved = (vertices - self._mesh.vertices(self._at(t - dt))) / dt
        corners = self._mesh.triangles[found.triangles]
        return sum(
            weight[:, None] * moved[corner] for weight, corner in zip(found.weights, corners.T, strict=True)
        )
