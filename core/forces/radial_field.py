# SPDX-License-Identifier: GPL-3.0-or-later
"""Force fields that push along the distance."""

import numpy as np

from .pressure_field import PressureField


class RadialField(PressureField):
    """A field whose force per area, (constant + slope d) share, points away from its shape at the distance d.

    It has a potential where it is steady and falls off by the distance alone: the property `energy` is there then.
    Subclasses define `profile`.
    """

    def profile(self, strength, t):
        """constant [N/m^2] and slope [N/m^3] for a strength at t [s]."""
        raise TypeError(f"{type(self).__name__} defines no profile: a radial field must")

    def pressure(self, x, t):
        """Force per area at places x [N/m^2], shape (n, 3)."""
        near = self.reach.near(x, t)
        constant, slope = self.profile(self.strengths(x, t), t)
        return ((constant + slope * near.distance) * near.share)[:, None] * near.directions()

    @property
    def energy(self):
        """Function x -> potential energy [J], zero on the shape; none where the field has no potential."""
        steady = (
            self.reach.steady
            and not callable(self.strength)
            and not callable(self.variation)
            and not self.variation
            and not self.across
        )
        if not (steady and self.reach.by_distance):
            why = "it changes in time, falls off by direction or acts across triangles alone"
            raise AttributeError(f"{self.label} has no energy: {why}")
        return self._energy

    def _energy(self, x):
        near = self.reach.near(x, 0.0)
        return -float(np.sum(self.areas * self._integral(near.distance)))

    def _integral(self, distance):
        """Integral of the force per area from the shape to a distance [N/m]."""
        power, minimum, maximum = self.reach.limits
        constant, slope = self.profile(self.strength, 0.0)
        d = np.minimum(distance, maximum)
        inner = np.minimum(d, minimum)
        # s = 1 + d - minimum beyond the minimum: constant + slope d = (constant + slope (minimum - 1)) + slope s.
        s = 1.0 + np.maximum(d - minimum, 0.0)
        beyond = (constant + slope * (minimum - 1.0)) * _integral_of_power(s, -power)
        beyond += slope * _integral_of_power(s, 1.0 - power)
        return self.reach.weight * (constant * inner + 0.5 * slope * inner**2 + beyond)


def _integral_of_power(s, exponent):
    """Integral of s^exponent from 1 to s."""
    return np.log(s) if exponent == -1.0 else (s ** (exponent + 1.0) - 1.0) / (exponent + 1.0)
