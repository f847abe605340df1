# SPDX-License-Identifier: GPL-3.0-or-later
"""Harmonic field."""

from ..quantities import number, varying
from .radial_field import RadialField
from .reach import at


class Harmonic(RadialField):
    """A spring from every particle to the shape: -strength (d - rest_length) share per area.

    strength: stiffness per area [N/m^3]; rest_length: distance from the shape without force [m], a number or a
    callable t -> number; as in Field.

    Raises ValueError for a rest length below 0 or not finite.
    """

    label = "Harmonic"
    description = "Springs that pull everything to a place, or to a distance from it"

    def __init__(self, strength=1.0, reach=None, *, rest_length=0.0, **options):
        super().__init__(strength, reach, **options)
        self.rest_length = varying(number, "rest length of a force field", rest_length, "m")

    def profile(self, strength, t):
        """-k d + k L."""
        return strength * at(self.rest_length, t), -strength

    @property
    def energy(self):
        """As of a RadialField; none with a rest length that changes in time."""
        if callable(self.rest_length):
            raise AttributeError(f"{self.label} has no energy: its rest length changes in time")
        return super().energy
