# SPDX-License-Identifier: GPL-3.0-or-later
"""Box."""

import numpy as np

from ..directions import lengths, lengths_and_directions
from ..quantities import vector
from ..triangle_mesh.cube import cube
from .collider import Collider


class Box(Collider):
    """A box along the axes, of a size along each [m], about its center [m]; what else it takes: see `Collider`.

    Raises ValueError for a size that is not three finite numbers above 0, or a center that is not three finite ones.
    """

    label = "Box"
    description = "A block that things fall on, or a container that holds them"
    convex = True

    def __init__(self, size=(1.0, 1.0, 1.0), center=(0.0, 0.0, 0.0), **contact):
        super().__init__(**contact)
        self.size = vector("the box's size", size)
        if not (self.size > 0.0).all():
            sides = " × ".join(f"{side:g}" for side in self.size)
            raise ValueError(f"the box's size is {sides} m: every side must be above 0")
        self.center = vector("the box's center", center)
        corners, self.triangles = cube(1.0)
        self.outline = self.center + self.size * corners

    def distances(self, x):
        """Exact on both sides."""
        beyond = np.abs(x - self.center)
        beyond -= self.size / 2
        one, other, third = beyond.T
        outside = lengths(np.maximum(beyond, 0.0))
        return np.where(outside > 0.0, outside, np.maximum(np.maximum(one, other), third))

    def closest(self, x):
        """Exact on both sides; inside, the normal is that of the nearest face, the first of several."""
        from_center = x - self.center
        beyond = np.abs(from_center) - self.size / 2
        nearest = beyond.argmax(axis=1)
        rows = np.arange(len(x))
        face = np.zeros_like(beyond)
        face[rows, nearest] = np.copysign(1.0, from_center[rows, nearest])
        outside, normals = lengths_and_directions(np.copysign(np.maximum(beyond, 0.0), from_center), face)
        return np.where(outside > 0.0, outside, beyond[rows, nearest]), normals
