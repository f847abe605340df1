# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity."""

import numpy as np


class Gravity:
    """Uniform acceleration: f = m g.

    masses [kg], shape (vertex_count,); acceleration g [m/s^2], three numbers.
    """

    def __init__(self, masses, acceleration):
        self.acceleration = np.array(acceleration, dtype=np.float64)
        if self.acceleration.shape != (3,) or not np.isfinite(self.acceleration).all():
            raise ValueError(f"gravity is {acceleration}: give three finite numbers in m/s^2")
        self.masses = masses
        self._force = masses[:, None] * self.acceleration

    def __call__(self, x, v, t):
        """Force on every vertex, shape (vertex_count, 3)."""
        return self._force

    def energy(self, x):
        """V = -sum of m g . x, zero at the origin."""
        return -float(np.sum(self._force * x))
