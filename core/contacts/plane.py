# SPDX-License-Identifier: GPL-3.0-or-later
"""A plane that vertices stay above."""

import numpy as np

from ..state import State


class Plane:
    """Half space {x : (x - point) . normal >= 0} without rebound, with Coulomb friction.

    point [m] and normal, three numbers each; the normal need not be of unit length.
    friction: coefficient >= 0; a vertex that loses the normal velocity dv_n loses up to friction * dv_n of
        its tangential velocity.

    Raises ValueError for a zero normal or a negative friction.
    """

    def __init__(self, point=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0), friction=0.5):
        self.point = np.asarray(point, dtype=np.float64)
        length = np.linalg.norm(normal)
        if not (np.isfinite(length) and length > 0.0):
            raise ValueError(f"the plane's normal is {normal}: give three finite numbers, not all zero")
        if not (np.isfinite(friction) and friction >= 0.0):
            raise ValueError(f"the plane's friction is {friction}: it must be finite and at least 0")
        self.normal = np.asarray(normal, dtype=np.float64) / length
        self.friction = float(friction)

    def resolve(self, before, after):
        """Put vertices below the plane onto it and take their velocity into it."""
        depth = (after.x - self.point) @ self.normal
        below = np.flatnonzero(depth < 0.0)
        if len(below) == 0:
            return after
        x, v = after.x.copy(), after.v.copy()
        x[below] -= depth[below, None] * self.normal
        into = np.minimum(v[below] @ self.normal, 0.0)
        tangential = v[below] - (v[below] @ self.normal)[:, None] * self.normal
        speed = np.linalg.norm(tangential, axis=1)
        lost = np.minimum(self.friction * -into, speed) / np.where(speed > 0.0, speed, 1.0)
        v[below] -= into[:, None] * self.normal + lost[:, None] * tangential
        return State(x, v, after.t)
