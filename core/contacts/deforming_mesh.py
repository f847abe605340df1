# SPDX-License-Identifier: GPL-3.0-or-later
"""Deforming Mesh."""

from typing import Any

import numpy as np

from ..directions import lengths
from ..triangle_mesh import TriangleMesh
from ..triangle_mesh.cube import cube
from ..triangle_mesh.neighbour_list import NeighbourList
from ..triangle_mesh.posed import PosedMesh, Surroundings
from .collider import Collider

# Distances are exact up to the thickness and the way of a substep, within these shares of the mean side.
_LEAST, _MOST = 0.1, 3.0
# Vertices that differ by no more than rounding [m]: the lists keep more than that.
_SAME = 1e-12


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
        self.solid, self.triangles = self._mesh.solid, self._mesh.triangles
        self._side = self._mesh.mean_side(start)
        # Particles -> their ways in the substep [m], None before the first.
        self._ways: Any = None
        # Those that `find` took last.
        self._sought: Any = None
        # What the mesh did last, and what of it was near particles.
        self._motion: Any = None
        self._nearby: Any = None
        self._posed = start, PosedMesh(self._mesh, start)
        self._before = start, self._posed[1].vertices
        self._forget()

    def corners(self, t):
        """See `Shape.corners`."""
        return self._mesh.vertices(self._at(t))

    def closest(self, x):
        """Distances and normals at the time 0."""
        return self.near(x, 0.0, 0.0)[:2]

    def rests(self, t, dt):
        """See `Shape.rests`; never: what is known of particles reaches from where they go, not from where they were."""
        return False

    def near(self, x, t, dt, particles=None, reach=None):
        """See `Shape.near`; velocities are those of the points of triangles that are closest."""
        posed = self._pose_of(self._at(t))
        if particles is None or self._ways is None:
            way = _LEAST * self._side if self._ways is None else self._ways(slice(None)).max(initial=0.0)
            found = posed.closest(x, self.thickness.max() + way, -1.0 if self.inside else 1.0)
        else:
            self._follow(posed)
            found = self._by_ways(posed, x, particles, self._ways(particles))
        return found.distances, found.normals, self._velocities(posed.vertices, found, t, dt)

    def _by_ways(self, posed, x, particles, ways):
        """Surroundings of particles at x, no farther for each than its way: endlessly far beyond."""
        reach, side = self.thickness.max() + ways, -1.0 if self.inside else 1.0
        # What moves farthest against the mesh may be anywhere.
        farthest = ways >= self._farthest
        if not farthest.any():
            return posed.near(x, reach, side, particles, self._neighbours)
        found = Surroundings.none(len(x), side * np.inf)
        rows, others = np.flatnonzero(farthest), np.flatnonzero(~farthest)
        if len(others):
            near = posed.near(x[others], reach[others], side, particles[others], self._neighbours)
            found.put(others, near, slice(None))
        found.put(rows, posed.closest(x[rows], reach[rows].max(), side), slice(None))
        return found

    def prepare(self):
        """See `Collider.prepare`."""
        super().prepare()
        self._forget()

    def _forget(self):
        """Know nothing of the body's particles."""
        # What remembers the pose's triangles, and the vertices they had when it did.
        self._neighbours, self._followed = NeighbourList(), None

    def find(self, start, x, t):
        """See `Collider.find`."""
        found = super().find(start, x, t)
        begun, at, heights = self._found
        if heights is not None:
            # Of what is farther than distances are exact no more is known than that.
            self._found = begun, at, np.minimum(heights, self._sought)
        return found

    def _expect(self, start, x, t, drawn):
        """See `Collider._expect`."""
        self._sought = np.minimum(np.maximum(self._ways_to(start, x, t), drawn), self._farthest)
        self._ways = self._sought.__getitem__
        if self._moves:
            self._follow(self._pose_of(self._at(t)), of_all=True)

    def resolve(self, before, after):
        """See `Collider.resolve`."""
        self._ways = lambda particles: self._ways_to(before, after.x, after.t, particles)
        return super().resolve(before, after)

    @property
    def _nearest(self):
        """Ways that particles are looked for as far as that, however little they move [m]."""
        return max(_LEAST * self._side, self._drawing.least if self._drawing else 0.0)

    @property
    def _farthest(self):
        """Ways that they are looked for as far as that, however far they move [m]."""
        return max(self._nearest, _MOST * self._side)

    def _ways_to(self, start, x, t, particles=slice(None)):
        """How far what is near particles moves against them from a State to x [m] at t [s], within limits [m]."""
        x, ways = x[particles], x[particles] - start.x[particles]
        if self._moves:
            motion = self._motion_from(self._vertices_at(start.t), self._pose_of(self._at(t)))
            nearby = motion.about(np.ascontiguousarray(x.T))
            self._nearby, most = (motion, nearby), nearby.most_against(ways)
        else:
            most = lengths(ways)
        return np.clip(most, self._nearest, self._farthest)

    def _at(self, t):
        points = self._points(t) if callable(self._points) else self._points
        if not self._placed:
            return np.asarray(points, dtype=np.float64)
        rotation, origin = self._pose.at(t)
        return np.asarray(points, dtype=np.float64) @ rotation.T + origin

    def _pose_of(self, points):
        # What was made of other points is never taken: results depend on the arguments only.
        if not np.array_equal(points, self._posed[0]):
            self._before = self._posed[0], self._posed[1].vertices
            self._posed = points.copy(), PosedMesh(self._mesh, points)
        return self._posed[1]

    def _vertices_at(self, t):
        points = self._at(t)
        for known, vertices in (self._before, (self._posed[0], self._posed[1].vertices)):
            if np.array_equal(points, known):
                return vertices
        return self._mesh.vertices(points)

    def _motion_from(self, before, posed):
        """The LocalMotion of a PosedMesh from other vertices [m], as far as distances are exact."""
        if (
            self._motion is None
            or self._motion[1] is not posed
            or not np.array_equal(before, self._motion[0])
        ):
            near = self.thickness.max() + _MOST * self._side + posed.pieces.farthest
            self._motion = before, posed, posed.motion(before, near)
        return self._motion[2]

    def _follow(self, posed, of_all=False):
        """Take what is remembered along to a pose; of_all: whether `_nearby` is where all particles are there."""
        if self._followed is not None and self._followed is not posed.vertices:
            before, last = self._followed, self._motion
            if last is not None and last[1] is posed and np.abs(before - last[0]).max() <= _SAME:
                before = last[0]
            motion = self._motion_from(before, posed)
            known = of_all and self._nearby[0] is motion
            self._neighbours.follow(motion, self._nearby[1] if known else None)
        self._followed = posed.vertices

    def _velocities(self, vertices, found, t, dt):
        if dt == 0.0 or not self._moves:
            return np.zeros(3)
        velocities, near = np.zeros((len(found.distances), 3)), np.flatnonzero(np.isfinite(found.distances))
        corners, before = self._mesh.triangles[found.triangles[near]], self._vertices_at(t - dt)
        for weight, corner in zip(found.weights[:, near], corners.T, strict=True):
            velocities[near] += weight[:, None] * ((vertices[corner] - before[corner]) / dt)
        return velocities
