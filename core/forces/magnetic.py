# SPDX-License-Identifier: GPL-3.0-or-later
"""Magnetic field."""

import numpy as np

from .field import Field
from .reach import lengths, units


class Magnetic(Field):
    """Across the motion: v x B share per area, B along the axis, or about it where the reach is a point or a line.

    strength: of B [N s/m^3]; as in Field. It turns velocities by the angle that it does, so it changes no energy.
    """

    label = "Magnetic"
    description = "Turns what moves, and leaves its speed"
    resists = True

    def _field(self, x, t):
        """B at places x [N s/m^3], shape (n, 3)."""
        near = self.reach.near(x, t)
        if self.reach.shape == "PLANE":
            direction = np.broadcast_to(near.axis, x.shape)
        else:
            direction = units(np.cross(near.axis, near.away))
        return (self.strengths(x, t) * near.share)[:, None] * direction

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        return self.areas[:, None] * np.cross(v, self._field(x, t))

    def slowed(self, x, v, t, dt, begun=None):
        """Velocities [m/s] that v is turned into in dt [s] at x."""
        turn = -(self.areas * self.inverse_masses * dt)[:, None] * self._field(x, t)
        angle, axis = lengths(turn)[:, None], units(turn)
        along = np.einsum("ij,ij->i", axis, v)[:, None] * axis
        return along + np.cos(angle) * (v - along) + np.sin(angle) * np.cross(axis, v)
