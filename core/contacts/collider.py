# SPDX-License-Identifier: GPL-3.0-or-later
"""What all rigid shapes share: a signed distance and its gradient say the rest."""

import numpy as np

from ..state import State
from .contact import Contact


class Collider(Contact):
    """A shape that particles stay outside of, without rebound, with Coulomb friction, after every substep.

    Whoever adds a shape says in `distances` how far positions are from it, below zero inside, and in `normals` which
    way is out.

    friction: coefficient >= 0; a particle that loses the normal velocity dv_n loses up to friction * dv_n of
        its tangential velocity, and the same share of the way it slid in the step: without the latter, a
        particle at rest on a slope would creep by g dt^2 a step.

    Raises ValueError for a friction that is negative or not finite.
    """

    def __init__(self, friction=0.5):
        if not (np.isfinite(friction) and friction >= 0.0):
            raise ValueError(
                f"the {self.label.lower()}'s friction is {friction}: it must be finite and at least 0"
            )
        self.friction = float(friction)

    def distances(self, x):
        """Signed distance of positions [m], shape (count,), for x of shape (count, 3)."""
        raise TypeError(f"{type(self).__name__} defines no distances: a shape must")

    def normals(self, x):
        """Unit vectors out of the shape at positions, shape (count, 3), or (3,) where all are the same."""
        raise TypeError(f"{type(self).__name__} defines no normals: a shape must")

    def resolve(self, before, after):
        """Put particles inside onto the surface and take their velocity into it."""
        depth = self.distances(after.x)
        inside = np.flatnonzero(depth < 0.0)
        if len(inside) == 0:
            return after
        x, v = after.x.copy(), after.v.copy()
        n = self.normals(x[inside])
        into = np.minimum(_along(v[inside], n), 0.0)
        tangential = _across(v[inside], n)
        speed = np.linalg.norm(tangential, axis=1)
        lost = np.minimum(self.friction * -into, speed) / np.where(speed > 0.0, speed, 1.0)
        slid = _across(x[inside] - before.x[inside], n)
        x[inside] -= depth[inside, None] * n + lost[:, None] * slid
        v[inside] -= into[:, None] * n + lost[:, None] * tangential
        return State(x, v, after.t)


def _along(vectors, n):
    """Components of vectors along one normal, or each along its own."""
    return vectors @ n if n.ndim == 1 else np.einsum("ij,ij->i", vectors, n)


def _across(vectors, n):
    return vectors - _along(vectors, n)[:, None] * n
