# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphere."""

import numpy as np

from ..axes import axes_of, dot
from ..directions import lengths_and_directions
from ..quantities import number, vector
from .collider import Collider


class Sphere(Collider):
    """A ball of a radius [m] about its center [m]; what else it takes: see `Collider`.

    Raises ValueError for a radius that is not finite and above 0, or a center that is not three finite numbers.
    """

    label = "Sphere"
    description = "A ball that things fall on, or a bubble that holds them"
    convex = True

    def __init__(self, radius=1.0, center=(0.0, 0.0, 0.0), **contact):
        super().__init__(**contact)
        self.radius = number("the sphere's radius", radius, "m", above=0.0)
        self.center = vector("the sphere's center", center)

    def extent(self):
        """See `Shape.extent`."""
        return self.center - self.radius, self.center + self.radius

    def distances(self, x):
        """|x - center| - radius."""
        from_center = axes_of(x)
        from_center -= self.center[:, None]
        return np.sqrt(dot(from_center, from_center)) - self.radius

    def closest(self, x):
        """The distance, and away from the center; up at the center itself."""
        far, normals = lengths_and_directions(x - self.center)
        return far - self.radius, normals
