# SPDX-License-Identifier: GPL-3.0-or-later
"""What all shapes share: a signed distance and its gradient say the rest."""

import numpy as np

from ..quantities import quantity
from ..state import State
from .contact import Contact
from .impact import across, along, entries, friction_share, rebound, rows
from .pose import Pose


class Collider(Contact):
    """A shape that particles stay out of, or in, with Coulomb friction and rebound, after every substep.

    Whoever adds a rigid shape says in its own space, in `distances`, how far positions are from it, below zero inside,
    and in `normals` which way is out; or both at once in `closest`. One that deforms overrides `near` in their place.

    friction: coefficient >= 0, static and kinetic: a particle that loses the normal velocity dv_n loses up to
        friction * dv_n of its velocity along the surface, and the same share of the way it slid in the step: without
        the latter, a particle at rest on a slope would creep by g dt^2 a step.
    restitution: share of the approach's speed with which particles rebound, 0 to 1.
    thickness: distance >= 0 that particles keep from the surface [m].
    friction and thickness: one number, or one for every particle.
    inside: whether particles are kept in the shape.
    pose: rigid matrix from the shape's space to the world, shape (4, 4), or a callable t -> such a matrix, t in s from
        the start; of what is not quite a rotation, as between two matrices, the nearest is taken. None for the world's.

    Raises ValueError for what is out of its range, or a pose that is no rigid matrix.
    """

    def __init__(self, friction=0.5, restitution=0.0, thickness=0.0, inside=False, pose=None):
        self.friction = self._per_particle("friction", friction)
        self.thickness = self._per_particle("thickness", thickness, "m")
        self.restitution = float(self._quantity("restitution", restitution, 1, most=1.0)[0])
        self.inside = bool(inside)
        self._pose = Pose(pose, f"the {self.label.lower()}'s pose")

    def prepare(self):
        """Check that there is one number for every particle, where there are several."""
        for name in ("friction", "thickness"):
            self._quantity(name, getattr(self, name), self.body.network.vertex_count)

    def distances(self, x):
        """Signed distance of positions [m] in the shape's space, shape (count,), for x of shape (count, 3)."""
        return self._of_closest("distances", x)

    def normals(self, x):
        """Unit vectors out of the shape at positions, shape (count, 3), or (3,) where all are the same."""
        return self._of_closest("normals", x)

    def closest(self, x):
        """Distances and normals at once, for shapes that find them together."""
        return self.distances(x), self.normals(x)

    def near(self, x, t, dt):
        """Signed distances [m], normals and the surface's velocities [m/s] at positions in the world at t [s].

        Velocities are those of the part of the surface nearest to each, over the time dt [s] that ends at t. Shapes
        (count,), and (count, 3) or (3,) where all are the same.
        """
        distances, normals = self.closest(self._pose.into(x, t))
        return distances, self._pose.turned(normals, t), self._pose.velocities(x, t, dt)

    def resolve(self, before, after):
        """Put particles inside onto the surface and take their velocity into it, but for the rebound."""
        dt = after.t - before.t
        heights, n, surface_v = self._kept(after.x, after.t, dt)
        touching = np.flatnonzero(heights < 0.0)
        if len(touching) == 0:
            return after
        heights, n, surface_v = heights[touching], rows(n, touching), rows(surface_v, touching)
        x, v = after.x.copy(), after.v.copy()
        way = x[touching] - before.x[touching] - dt * surface_v
        arriving, leaving = (along(state.v[touching] - surface_v, n) for state in (before, after))
        rise, speed = rebound(self.restitution, dt, heights, arriving, leaving)
        pushed = speed - leaving
        sliding = across(v[touching] - surface_v, n)
        lost = friction_share(entries(self.friction, touching) * pushed, sliding)
        x[touching] += (rise - heights)[:, None] * n - lost * across(way, n)
        v[touching] += pushed[:, None] * n - lost * sliding
        return State(x, v, after.t)

    def _kept(self, x, t, dt):
        """Heights over where particles are kept, below 0 inside, and the rest of `near`."""
        distances, normals, velocities = self.near(x, t, dt)
        if self.inside:
            distances, normals = -distances, -normals
        return distances - self.thickness, normals, velocities

    def _of_closest(self, what, x):
        if type(self).closest is Collider.closest:
            raise TypeError(f"{type(self).__name__} defines neither {what} nor closest: a shape must")
        distances, normals = self.closest(x)
        return distances if what == "distances" else normals

    def _per_particle(self, name, given, unit=""):
        array = np.asarray(given, dtype=np.float64)
        return self._quantity(name, array, max(array.size, 1), unit).reshape(array.shape)

    def _quantity(self, name, given, count, unit="", *, most=np.inf):
        return quantity(f"the {self.label.lower()}'s {name}", given, "particle", count, unit, most=most)
