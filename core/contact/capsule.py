# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsule."""

import numpy as np

from ..directions import lengths, lengths_and_directions
from ..quantities import number, vector
from .collider import Collider


class Capsule(Collider):
    """All within a radius [m] of the line from start to end [m], which may be one point.

    Other arguments: see `Collider`. Raises ValueError for a radius that is not finite and above 0, or ends that
    are not three finite numbers each.
    """

    label = "Capsule"
    description = "A cylinder with round ends, as limbs are made of"
    convex = True

    def __init__(self, radius=0.5, start=(0.0, 0.0, -0.5), end=(0.0, 0.0, 0.5), **contact):
        super().__init__(**contact)
        self.radius = number("the capsule's radius", radius, "m", above=0.0)
        self.start = vector("the capsule's start", start)
        self.end = vector("the capsule's end", end)
        (length,), (axis,) = lengths_and_directions((self.end - self.start)[None])
        self._length, self._axis = length, axis
        # On the axis no way out is shorter than another: take one that is square to it.
        across = np.cross(axis, np.eye(3)[np.abs(axis).argmin()])
        self._across = across / np.linalg.norm(across)

    def extent(self):
        """See `Shape.extent`."""
        ends = self.start, self.end
        return np.minimum(*ends) - self.radius, np.maximum(*ends) + self.radius

    def distances(self, x):
        """Distance from the line less the radius."""
        return lengths(self._from_line(x)) - self.radius

    def closest(self, x):
        """The distance, and away from the line."""
        far, normals = lengths_and_directions(self._from_line(x), self._across)
        return far - self.radius, normals

    def _from_line(self, x):
        from_start = x - self.start
        along = np.clip(from_start @ self._axis, 0.0, self._length)
        return from_start - along[:, None] * self._axis
