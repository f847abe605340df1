# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of force fields."""

import numpy as np

from ..quantities import check_kind, finite, number, varying
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

    A new field defines the methods of Force that it needs from `reach.near(x, t)` and `strengths(x, t)`, or makes it a
    PressureField.

    Raises ValueError for a number that is not finite, and a size or diameter below 0.
    """

    def __init__(
        self, strength=1.0, reach=None, *, variation=0.0, variation_size=1.0, seed=0, diameter=0.005
    ):
        self.strength = varying(finite, "strength of a force field", strength)
        self.variation = varying(finite, "variation of a force field", variation)
        self.diameter = number("diameter of strands of a force field", diameter, "m")
        self._size = max(number("variation size of a force field", variation_size, "m"), 1e-6)
        check_kind("reach", reach, Reach)
        self.reach = Reach() if reach is None else reach
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


def decay(rates, dt):
    """exp(-rate dt), and its mean over dt times dt [s]."""
    lost = -np.expm1(-rates * dt)
    return np.exp(-rates * dt), np.divide(lost, rates, out=np.full_like(rates, dt), where=rates * dt > 1e-12)
