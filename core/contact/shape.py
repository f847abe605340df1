# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of all shapes: a signed distance and its gradient define each."""

from typing import Any

import numpy as np

from ..rotations import nearest_rotation
from .contact import Contact

# A matrix from Blender is in single precision.
_RIGID = 1e-4


class Shape(Contact):
    """A shape that is somewhere, and tells how far from it positions are.

    A new rigid shape defines in its own space, in `distances`, how far positions are from it, below zero inside,
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


class Pose:
    """A rigid motion from a shape's space to the world.

    given: None, a matrix of shape (4, 4), or a callable t -> such a matrix; name: for errors.

    Raises ValueError for a matrix that is not rigid; of those of a callable the nearest rotation is taken.
    """

    def __init__(self, given, name):
        self.given, self._name = given, name
        self.moves = callable(given)
        self._still = np.eye(3), np.zeros(3)
        self._known: dict[float, tuple] = {}
        if given is not None and not self.moves:
            rotation, origin = self._split(given)
            if (
                not np.allclose(rotation @ rotation.T, np.eye(3), atol=_RIGID)
                or np.linalg.det(rotation) < 0.0
            ):
                raise ValueError(
                    f"{name} scales, shears or mirrors: apply the scale, and give a rigid matrix"
                )
            self._still = nearest_rotation(rotation), origin

    def at(self, t):
        """Rotation, shape (3, 3), and origin [m] at t [s]; of no matrix those of the world."""
        if not self.moves:
            return self._still
        if t in self._known:
            return self._known[t]
        self._known = {time: self._known[time] for time in list(self._known)[-1:]}
        rotation, origin = self._split(self.given(t))
        self._known[t] = nearest_rotation(rotation), origin
        return self._known[t]

    def rests(self, t, dt):
        """Whether it is at t [s] where it was dt [s] before."""
        return not self.moves or all(map(np.array_equal, self.at(t), self.at(t - dt)))

    def velocities(self, x, local, t, dt):
        """Velocities [m/s] of what is at x at t, over the dt before; shape (count, 3), or (3,) where nothing moves.

        local: x in the shape's space.
        """
        if dt == 0.0 or self.rests(t, dt):
            return np.zeros(3)
        rotation, origin = self.at(t - dt)
        return (x - (local @ rotation.T + origin)) / dt

    def _split(self, matrix):
        matrix = np.asarray(matrix, dtype=np.float64)
        if matrix.shape != (4, 4) or not np.isfinite(matrix).all():
            raise ValueError(f"{self._name} is {matrix.tolist()}: give a matrix of 4 by 4 finite numbers")
        return matrix[:3, :3], matrix[:3, 3]
