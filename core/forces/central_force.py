# SPDX-License-Identifier: GPL-3.0-or-later
"""Central force."""

import numpy as np

from .radial_field import RadialField

# Gravitation grows no further nearer than this [m].
_NEAREST = 0.01


class CentralForce(RadialField):
    """Away from a point, line or plane, or towards it: a force of constant size, or falling with the square.

    strength: force per area away from the shape [N/m^2], below 0 towards it; as in Field.
    gravitation: whether it is divided by the squared distance [N]; nearer than a centimetre it grows no further.
    """

    label = "Force"
    description = "Pushes away from a place, or pulls towards it"

    def __init__(self, strength=1.0, reach=None, *, gravitation=False, **options):
        super().__init__(strength, reach, **options)
        self.gravitation = gravitation

    def profile(self, strength, t):
        """A constant."""
        return strength, 0.0

    def pressure(self, x, t):
        """Force per area at places x [N/m^2], shape (n, 3)."""
        found = super().pressure(x, t)
        if self.gravitation:
            distance = np.maximum(self.reach.near(x, t).distance, _NEAREST)
            found /= (distance * distance)[:, None]
        return found

    @property
    def energy(self):
        """As of a RadialField; none with gravitation and a falloff beside it."""
        if self.gravitation and self.reach.limits[0]:
            raise AttributeError(f"{self.label} has no energy: it is both gravitation and falling off")
        return super().energy

    def _integral(self, distance):
        if not self.gravitation:
            return super()._integral(distance)
        d = np.minimum(distance, self.reach.limits[2])
        inner = np.minimum(d, _NEAREST)
        outer = 1.0 / _NEAREST - 1.0 / np.maximum(d, _NEAREST)
        return self.reach.weight * self.strength * (inner / _NEAREST**2 + outer)
