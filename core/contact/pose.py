# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a rigid shape is."""

import numpy as np

from ..rotations import nearest_rotation

# A matrix from Blender is in single precision.
_RIGID = 1e-4


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
