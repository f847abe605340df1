# SPDX-License-Identifier: GPL-3.0-or-later
"""Deforming Mesh."""

import numpy as np

from ..quantities import real_array
from ..triangle_mesh import TriangleMesh
from ..triangle_mesh.cube import cube
from ..triangle_mesh.posed import PosedMesh
from .collider import Collider


class DeformingMesh(Collider):
    """A triangle mesh whose points move.

    points: [m], shape (point_count, 3), or a callable t -> such an array, t in s from the start; triangles of their
    indices, shape (triangle_count, 3); both None for a cube of 2 m. Solids and sheets are told apart as of `RigidMesh`,
    at the time 0.
    Other arguments: see `Collider`.

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
        self.solid, self.triangles = self._mesh.solid, self._mesh.triangles
        self._posed = [(start, PosedMesh(self._mesh, start))]
        self._known: dict[float, PosedMesh] = {}

    def corners(self, t):
        """See `Shape.corners`."""
        return self._posed_at(t).vertices

    def closest(self, x):
        """Distances and normals at the time 0."""
        return self.near(x, 0.0, 0.0)[:2]

    def rests(self, t, dt):
        """See `Shape.rests`."""
        return not self._moves

    def near(self, x, t, dt):
        """See `Shape.near`; velocities are those of the points of triangles that are closest."""
        found = self._posed_at(t).closest(x)
        return found.distances, found.normals, self._velocities(found, t, dt)

    def _at(self, t):
        points = real_array("points", self._points(t) if callable(self._points) else self._points)
        if not self._placed:
            return points
        rotation, origin = self._pose.at(t)
        return points @ rotation.T + origin

    def _posed_at(self, t):
        if t not in self._known:
            # A substep asks for both of its ends in turns, and for one before for the velocities at its start.
            self._known = {time: self._known[time] for time in list(self._known)[-2:]}
            self._known[t] = self._pose_of(self._at(t))
        return self._known[t]

    def _pose_of(self, points):
        # Where nothing moves the pose stays the same.
        for known, posed in self._posed:
            if np.array_equal(points, known):
                return posed
        self._posed = [*self._posed[-1:], (points.copy(), PosedMesh(self._mesh, points))]
        return self._posed[-1][1]

    def _velocities(self, found, t, dt):
        if dt == 0.0 or not self._moves:
            return np.zeros(3)
        velocities = np.zeros((len(found.distances), 3))
        corners = self._mesh.triangles[found.triangles]
        vertices, before = self.corners(t), self.corners(t - dt)
        for weight, corner in zip(found.weights, corners.T, strict=True):
            velocities += weight[:, None] * ((vertices[corner] - before[corner]) / dt)
        return velocities
