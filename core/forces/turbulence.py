# SPDX-License-Identifier: GPL-3.0-or-later
"""Turbulence."""

from ..quantities import number, varying
from .noise import Noise
from .pressure_field import PressureField
from .reach import at


class Turbulence(PressureField):
    """A force per area that is random from place to place, smooth over a size, and the same at all times.

    strength: root mean square of each of its components [N/m^2]; size: what it is smooth over [m], 0 for 1 m, a
    number or a callable t -> number.
    fixed: whether the pattern stays where it is while the field moves; seed: of the pattern; as in Field.

    Raises ValueError for a size below 0 or not finite.
    """

    label = "Turbulence"
    description = "Pushes this way here and that way there"

    def __init__(self, strength=1.0, reach=None, *, size=1.0, fixed=False, seed=0, **options):
        super().__init__(strength, reach, seed=seed, **options)
        self.size, self.fixed = varying(number, "size of turbulence", size, "m"), fixed
        self._pattern = Noise(seed)

    def pressure(self, x, t):
        """Force per area at places x [N/m^2], shape (n, 3)."""
        place = x if self.fixed else x - at(self.reach.pose, t)[:3, 3]
        strength = self.strengths(x, t) * self.reach.near(x, t).share
        return strength[:, None] * self._pattern(place / (at(self.size, t) or 1.0))
