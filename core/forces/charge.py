# SPDX-License-Identifier: GPL-3.0-or-later
"""Charge."""

from ..quantities import finite
from .radial_field import RadialField


class Charge(RadialField):
    """Between charges: charge strength d share per area, which falls with the distance by the share alone.

    strength: of the field, per metre of distance [N/m^3]; charge: of the body, like signs repel; as in Field. With a
    falloff of power 3 far away it is Coulomb's law.

    Raises ValueError for a charge that is not finite.
    """

    label = "Charge"
    description = "Pushes away what is charged alike, and pulls what is not"

    def __init__(self, strength=1.0, reach=None, *, charge=1.0, **options):
        super().__init__(strength, reach, **options)
        self.charge = finite("charge", charge)

    def profile(self, strength, t):
        """A slope."""
        return 0.0, self.charge * strength
