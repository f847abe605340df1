# SPDX-License-Identifier: GPL-3.0-or-later
"""A plane that vertices stay above."""

import numpy as np

from ..state import State


class Plane:
    """Half space {x : (x - point) . normal >= 0} without rebound, with Coulomb friction.

    point [m] and normal, three numbers each; the normal need not be of unit length.
    friction: coefficient >= 0; a vertex that loses the normal velocity dv_n loses up to friction * dv_n of
        its tangential velocity, and the same share of the way it slid in the step: without the latter, a
        vertex at rest on a slope would creep by g dt^2 a step.

    Raises ValueError for a point or normal that is not three finite numbers, a zero normal or a negative
    friction.
    """

    def __init__(self, point=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0), friction=0.5):
        self.point, self.normal = (np.array(given, dtype=np.float64) for given in (point, normal))
        if self.point.shape != (3,) or not np.isfinite(self.point).all():
            raise ValueError(f"the plane's point is {point}: give three finite numbers")
        length = np.linalg.norm(self.normal)
        if self.normal.shape != (3,) or not (np.isfinite(length) and length > 0.0):
            raise ValueError(f"the plane's normal is {normal}: give three finite numbers, not all zero")
        if not (np.isfinite(friction) and friction >= 0.0):
            raise ValueError(f"the plane's friction is {friction}: it must be finite and at least 0")
        self.normal /= length
        self.friction = float(friction)

    def resolve(self, before, after):
        """Put vertices below the plane onto it and take their velocity into it."""
        depth = (after.x - self.point) @ self.normal
        below = np.flatnonzero(depth < 0.0)
        if len(below) == 0:
            return after
        x, v = after.x.copy(), after.v.copy()
        into = np.minimum(v[below] @ self.normal, 0.0)
        tangential = self._tangential(v[below])
        speed = np.linalg.norm(tangential, axis=1)
        lost = np.minimum(self.friction * -into, speed) / np.where(speed > 0.0, speed, 1.0)
        slid = self._tangential(x[below] - before.x[below])
        x[below] -= depth[below, None] * self.normal + lost[:, None] * slid
        v[below] -= into[:, None] * self.normal + lost[:, None] * tangential
        return State(x, v, after.t)

    def _tangential(self, vectors):
        return vectors - (vectors @ self.normal)[:, None] * self.normal
