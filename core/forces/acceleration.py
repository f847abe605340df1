# SPDX-License-Identifier: GPL-3.0-or-later
"""Acceleration that changes with time."""

import numpy as np

from ..quantities import real_array
from .force import Force


class Acceleration(Force):
    """Uniform acceleration that may change with time: f = m a(t), without a potential, so that it may do any work.

    acceleration a [m/s^2], three numbers, or a callable t -> three numbers, t in s.
    Raises ValueError for anything else.
    """

    label = "Acceleration"
    description = "The same acceleration everywhere, which may change with time"

    def __init__(self, acceleration=(0.0, 0.0, -9.81)):
        self._given = acceleration
        self.at(0.0)

    def at(self, t):
        """The acceleration at t [m/s^2], shape (3,)."""
        found = real_array("the acceleration", self._given(t) if callable(self._given) else self._given)
        if found.shape != (3,) or not np.isfinite(found).all():
            raise ValueError(f"the acceleration at {t:g} s is {found}: give three finite numbers in m/s^2")
        return found

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        return self.body.network.masses[:, None] * self.at(t)
