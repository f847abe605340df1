# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag."""

import numpy as np

from ..quantities import number, varying
from .field import Field, decay
from .reach import at, lengths


class Drag(Field):
    """Resistance whatever the direction, -(strength |v| + linear) v share per area.

    strength: quadratic drag per area [N s^2/m^4]; linear: per area [N s/m^3], a number or a callable t -> number;
    as in Field, whose variation is of both. fading: whether it falls off within its reach; else it is whole wherever
    any of it arrives. Particles decay as the law has it where it alone acts, so no step is too long for it.

    Raises ValueError for a constant below 0.
    """

    label = "Drag"
    description = "Slows everything down within its reach"
    resists = True

    def __init__(self, strength=1.0, reach=None, *, linear=0.0, fading=True, **options):
        super().__init__(varying(number, "drag of a force field", strength), reach, **options)
        self.linear = varying(number, "linear drag of a force field", linear)
        self.fading = fading

    def _rests(self, t):
        """Whether both constants are 0 everywhere, as those of a field without flow are."""
        return not any(at(value, t) for value in (self.strength, self.linear, self.variation))

    def _rates(self, x, t):
        """Quadratic and linear rate of every particle, per area, of what must not push."""
        share = self.reach.near(x, t).share
        if not self.fading:
            share = np.where(share > 0.0, 1.0, 0.0)
        strengths = self.strengths(x, t)
        linear = at(self.linear, t) + (strengths - at(self.strength, t))
        return np.maximum(strengths, 0.0) * share, np.maximum(linear, 0.0) * share

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        if self._rests(t):
            return np.zeros_like(v)
        quadratic, linear = self._rates(x, t)
        return -(self.areas * (quadratic * lengths(v) + linear))[:, None] * v

    def slowed(self, x, v, t, dt, begun=None):
        """Velocities [m/s] left of v after dt [s] at x: v e / (1 + a |v| (1 - e) / b), e = exp(-b dt)."""
        if self._rests(t):
            return v.copy()
        quadratic, linear = self._rates(x, t)
        quadratic, linear = (self.areas * self.inverse_masses * rate for rate in (quadratic, linear))
        left, mean = decay(linear, dt)
        return v * (left / (1.0 + quadratic * lengths(v) * mean))[:, None]
