# SPDX-License-Identifier: GPL-3.0-or-later
"""What all shapes share: a signed distance and its gradient say the rest."""

from typing import Any

import numpy as np

from .contact import Contact
from .pose import Pose


class Shape(Contact):
    """A shape that is somewhere, and tells how far from it positions are.

    Whoever adds a rigid shape says in its own space, in `distances`, how far positions are from it, below zero inside,
    and in `normals` which way is out; or both at once in `closest`; and its `extent`, if it has an end. One that
    deforms overrides `near` in their place. `convex` says whether whatever is between two positions in it is in it.

    inside: whether particles are kept in the shape.
    triangles, outline: of what is bounded by triangles, indices of its corners, shape (count, 3), and where those are
        in the shape's space [m]; else None.
    pose: rigid matrix from the shape's space to the world, shape (4, 4), or a callable t -> such a matrix, t in s from
        the start; of what is not quite a rotation, as between two matrices, the nearest is taken. None for the world's.
    """

    convex = False
    triangles: Any = None
    outline: Any = None

    def __init__(self, inside=False, pose=None):
        self.inside = bool(inside)
        self._pose = Pose(pose, f"the {self.label.lower()}'s pose")

    def distances(self, x):
        """Signed distance of positions [m] in the shape's space, shape (count,), for x of shape (count, 3)."""
        return self._of_closest("distances", x)

    def normals(self, x):
        """Unit vectors out of the shape at positions, shape (count, 3), or (3,) where all are the same."""
        return self._of_closest("normals", x)

    def closest(self, x):
        """Distances and normals at once, for shapes that find them together."""
        return self.distances(x), self.normals(x)

    def extent(self):
        """Lowest and highest corners of a box about the shape in its space [m], None where it has no end."""
        return None

    def corners(self, t):
        """Corners of its triangles in the world at t [s], shape (count, 3) [m]."""
        if self._pose.given is None:
            return self.outline
        rotation, origin = self._pose.at(t)
        return self.outline @ rotation.T + origin

    def near(self, x, t, dt):
        """Signed distances [m], normals and the surface's velocities [m/s] at positions in the world at t [s].

        Velocities are those of the part of the surface nearest to each, over the time dt [s] that ends at t. Shapes
        (count,), and (count, 3) or (3,) where all are the same.
        """
        if self._pose.given is None:
            return *self.closest(x), np.zeros(3)
        rotation, origin = self._pose.at(t)
        local = (x - origin) @ rotation
        distances, normals = self.closest(local)
        return distances, normals @ rotation.T, self._pose.velocities(x, local, t, dt)

    def rests(self, t, dt):
        """Whether it is at t [s] as it was dt [s] before."""
        return self._pose.rests(t, dt)

    def look(self, x, t, dt):
        """As `near`, from the side that particles are kept on, an entry each."""
        if len(x) == 0:
            return np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3))
        distances, *vectors = self._sided(x, t, dt)
        return distances, *(np.broadcast_to(of, (len(x), 3)) for of in vectors)

    def distances_alone(self, x, t):
        """Signed distances at positions in the world at t [s], from the side that particles are kept on.

        None of a shape that finds them together with all else.
        """
        if type(self).distances is Shape.distances:
            return None
        if self._pose.given is not None:
            rotation, origin = self._pose.at(t)
            x = (x - origin) @ rotation
        distances = self.distances(x)
        return -distances if self.inside else distances

    def _sided(self, x, t, dt):
        """As `near`, from the side that particles are kept on."""
        distances, normals, velocities = self.near(x, t, dt)
        return (-distances, -normals, velocities) if self.inside else (distances, normals, velocities)

    def _of_closest(self, what, x):
        if type(self).closest is Shape.closest:
            raise TypeError(f"{type(self).__name__} defines neither {what} nor closest: a shape must")
        distances, normals = self.closest(x)
        return distances if what == "distances" else normals
