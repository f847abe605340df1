# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of force fields, and those that push along the distance."""

import numpy as np

from .areas import particle_areas
from .force import Force
from .noise import Noise
from .reach import Reach, at


class Field(Force):
    """A force per area from a place: triangles feel it by their area at rest, strands by diameter times length.

    strength: what its class says, a number or a callable t -> number; reach: Reach, which says where and how far.
    variation: what the strength varies by at most from place to place and in time, smoothly, over `variation_size` [m];
        its pattern drifts by as much in half a second. seed: of that.
    diameter: of strands [m].

    Whoever adds one defines `pressure`, or what else of Force it needs, from `reach.near(x, t)` and `strengths(x, t)`.

    Raises ValueError for a number that is not finite, and a size or diameter below 0.
    """

    def __init__(
        self, strength=1.0, reach=None, *, variation=0.0, variation_size=1.0, seed=0, diameter=0.005
    ):
        for name, value in (("strength", strength), ("variation", variation)):
            if not (callable(value) or np.isfinite(value)):
                raise ValueError(f"{name} of a force field is {value}: it must be finite")
        for name, value in (("variation size", variation_size), ("diameter of strands", diameter)):
            if not (np.isfinite(value) and value >= 0.0):
                raise ValueError(f"{name} of a force field is {value} m: it must be finite and at least 0")
        self.strength, self.variation, self.diameter = strength, variation, diameter
        self.reach = Reach() if reach is None else reach
        self._size = max(variation_size, 1e-6)
        self._noise = Noise(seed)

    def prepare(self):
        """Find the area that every particle has a share of [m^2]."""
        network = self.body.network
        self.areas = particle_areas(self.body, self.diameter)
        self.inverse_masses = 1.0 / network.masses
        self.inverse_masses[network.hard_pins] = 0.0

    def strengths(self, x, t):
        """Strength at places x at t: a number, or shape (n,) where it varies."""
        strength, variation = at(self.strength, t), at(self.variation, t)
        if not variation:
            return strength
        drifted = x / self._size + 2.0 * t
        # Three standard deviations are taken for the most.
        return strength + variation / 3.0 * self._noise(drifted)[:, 0]

    def pressure(self, x, t):
        """Force per area at places x [N/m^2], shape (n, 3)."""
        raise TypeError(f"{type(self).__name__} defines no pressure: a field must")

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        return self.areas[:, None] * self.pressure(x, t)


class RadialField(Field):
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
        )
        if not (steady and self.reach.by_distance):
            raise AttributeError(f"{self.label} has no energy: it changes in time or falls off by direction")
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


def decay(rates, dt):
    """exp(-rate dt), and its mean over dt times dt [s]."""
    lost = -np.expm1(-rates * dt)
    return np.exp(-rates * dt), np.divide(lost, rates, out=np.full_like(rates, dt), where=rates * dt > 1e-12)
