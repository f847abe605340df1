# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity."""

import numpy as np

from ..quantities import real_array
from .force import Force


class Gravity(Force):
    """Uniform acceleration: f = m g, less what a vertex's goal bears of its weight.

    acceleration g [m/s^2], three numbers, or 0 for none. Raises ValueError for anything else.
    """

    label = "Gravity"
    description = "The same acceleration everywhere"

    def __init__(self, acceleration=(0.0, 0.0, -9.81)):
        none = isinstance(acceleration, (int, float)) and acceleration == 0
        self.acceleration = real_array("gravity", (0.0, 0.0, 0.0) if none else acceleration)
        if self.acceleration.shape != (3,) or not np.isfinite(self.acceleration).all():
            raise ValueError(f"gravity is {acceleration}: give three finite numbers in m/s^2, or 0 for none")

    def prepare(self):
        """Multiply by the masses."""
        network = self.body.network
        self._force = ((1.0 - network.borne_weight) * network.masses)[:, None] * self.acceleration

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        return self._force

    def energy(self, x):
        """V = -sum of m g . x [J], zero at the origin."""
        return -float(np.einsum("ij,ij->", self._force, x))
