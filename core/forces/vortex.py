# SPDX-License-Identifier: GPL-3.0-or-later
"""Vortex."""

import numpy as np

from ..quantities import number
from .field import Field, decay
from .reach import lengths


class Vortex(Field):
    """A whirl about its axis: it takes particles along at the angular velocity strength share, and inwards.

    strength: angular velocity [rad/s]; drag: linear, of the whirling air, per area [N s/m^3]; as in Field. With w
    the angular velocity and r from the axis it is drag (w x r - |w|^2 r - v) per area, where any of the reach arrives.
    A vortex whose reach is a point has no air: it pushes by drag |w| d across, and leaves the velocity be.
    """

    label = "Vortex"
    description = "Whirls everything about an axis"
    resists = carries = True

    def __init__(self, strength=1.0, reach=None, *, drag=1.0, **options):
        super().__init__(strength, reach, **options)
        self.drag = number("drag of a vortex", drag, "N s/m^3")

    def _acting(self, x, t):
        """Force per area on what is at rest [N/m^2], shape (n, 3), and the drag of the air [N s/m^3], shape (n,)."""
        near = self.reach.near(x, t)
        rate = (self.strengths(x, t) * near.share)[:, None]
        around = np.cross(near.axis, near.offset)
        if self.reach.shape == "POINT":
            size = lengths(around)
            scale = np.divide(near.distance, size, out=np.zeros_like(size), where=size > 0.0)
            return self.drag * rate * scale[:, None] * around, np.zeros(len(x))
        inwards = near.along[:, None] * near.axis - near.offset
        return self.drag * (rate * around + rate * rate * inwards), self.drag * (near.share > 0.0)

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        push, drag = self._acting(x, t)
        return self.areas[:, None] * (push - drag[:, None] * v)

    def slowed(self, x, v, t, dt, begun=None):
        """Velocities [m/s] that v becomes after dt [s] at x."""
        mobilities = self.areas * self.inverse_masses
        push, drag = self._acting(x, t)
        left, mean = decay(drag * mobilities, dt)
        return v * left[:, None] + push * (mobilities * mean)[:, None]
