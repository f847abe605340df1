# SPDX-License-Identifier: GPL-3.0-or-later
"""Plane."""

import numpy as np

from ..axes import axes_of, dot
from ..quantities import vector
from .collider import Collider


class Plane(Collider):
    """Half space {x : (x - point) . normal >= 0} that particles stay in.

    point [m] and normal, three numbers each; the normal need not be of unit length. friction and how: see `Collider`.

    Raises ValueError for a point or normal that is not three finite numbers, a zero normal, and as `Collider` does.
    """

    label = "Plane"
    description = "A floor without end, level or tilted"
    convex = True

    def __init__(self, point=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0), friction=0.5, **how):
        super().__init__(friction, **how)
        self.point, along = vector("the plane's point", point), vector("the plane's normal", normal)
        length = np.linalg.norm(along)
        if not 0.0 < length < np.inf:
            raise ValueError(f"the plane's normal is {normal}: give three finite numbers, not all zero")
        self.normal = along / length

    def distances(self, x):
        """Height above the plane [m]."""
        from_point = axes_of(x)
        from_point -= self.point[:, None]
        return dot(self.normal, from_point)

    def normals(self, x):
        """The one normal."""
        return self.normal
