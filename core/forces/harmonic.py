# SPDX-License-Identifier: GPL-3.0-or-later
"""Harmonic field."""

import numpy as np

from .field import RadialField


class Harmonic(RadialField):
    """A spring from every particle to the shape: -strength (d - rest_length) share per area.

    strength: stiffness per area [N/m^3]; rest_length: distance from the shape without force [m]; as in Field.

    Raises ValueError for a rest length below 0 or not finite.
    """

    label = "Harmonic"
    description = "Springs that pull everything to a place, or to a distance from it"

    def __init__(self, strength=1.0, reach=None, *, rest_length=0.0, **options):
        if not (np.isfinite(rest_length) and rest_length >= 0.0):
            raise ValueError(
                f"rest length of a force field is {rest_length} m: it must be finite and at least 0"
            )
        super().__init__(strength, reach, **options)
        self.rest_length = rest_length

    def profile(self, strength):
        """-k d + k L."""
        return strength * self.rest_length, -strength
