# SPDX-License-Identifier: GPL-3.0-or-later
"""Deforming Mesh."""

import numpy as np

from ..triangle_mesh import TriangleMesh
from ..triangle_mesh.cube import cube
from ..triangle_mesh.neighbour_list import NeighbourList
from ..triangle_mesh.posed import PosedMesh
from .collider import Collider

# Distances are exact up to the thickness and the longest way of a substep, within these shares of the mean side.
_LEAST, _MOST = 0.1, 3.0


class DeformingMesh(Collider):
    """A triangle mesh whose points move.

    points: [m], shape (point_count, 3), or a callable t -> such an array, t in s from the start; triangles of their
    indices, shape (triangle_count, 3); both None for a cube of 2 m. Solids and sheets are told apart as of `RigidMesh`,
    at the time 0. Distances are exact up to the thickness and the way that anything moves in a substep, three sides of
    a triangle at most; beyond they are about right. What else it takes: see `Collider`.

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
        self._way = 0.0
        self._posed = start, PosedMesh(self._mesh, start)
        # What remembers the pose's triangles, and the vertices they had when it did.
        self._neighbours, self._followed = NeighbourList(), None

    def closest(self, x):
        """Distances and normals at the time 0."""
        return self.near(x, 0.0, 0.0)[:2]

    def near(self, x, t, dt, particles=None):
        """See `Shape.near`; velocities are those of the points of triangles that are closest."""
        posed = self._pose_of(self._at(t))
        way = np.clip(self._way, _LEAST * self._side, _MOST * self._side)
        reach, side = self.thickness.max() + way, -1.0 if self.inside else 1.0
        if particles is None:
            found = posed.closest(x, reach, side)
        else:
            self._follow(posed.vertices)
            found = posed.closest(x, reach, side, particles, self._neighbours)
        return found.distances, found.normals, self._velocities(posed.vertices, found, t, dt)

    def prepare(self):
        """See `Collider.prepare`."""
        super().prepare()
        # Of the body's particles.
        self._neighbours, self._followed = NeighbourList(), None

    def find(self, start, x, t):
        """See `Collider.find`."""
        self._set_way(start, x.T, t)
        return super().find(start, x, t)

    def resolve(self, before, after):
        """See `Collider.resolve`."""
        self._set_way(before, after.x, after.t)
        return super().resolve(before, after)

    def _set_way(self, start, x, t):
        ways = [x - start.x]
        if self._moves:
            ways.append(self._at(t) - self._at(start.t))
        self._way = sum(np.sqrt(np.einsum("ij,ij->i", way, way).max(initial=0.0)) for way in ways)

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

    def _follow(self, vertices):
        if self._followed is not None and self._followed is not vertices:
            self._neighbours.follow(vertices - self._followed)
        self._followed = vertices

    def _velocities(self, vertices, found, t, dt):
        if dt == 0.0 or not self._moves:
            return np.zeros(3)
        moved = (vertices - self._mesh.vertices(self._at(t - dt))) / dt
        corners = self._mesh.triangles[found.triangles]
        return sum(
            weight[:, None] * moved[corner] for weight, corner in zip(found.weights, corners.T, strict=True)
        )
