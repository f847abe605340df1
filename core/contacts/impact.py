# SPDX-License-Identifier: GPL-3.0-or-later
"""What particles keep of their motion where they meet a surface: rebound and Coulomb's friction."""

import numpy as np

from ..directions import lengths

# An approach that gravity makes up for within so many substeps is rest, and no impact.
_RESTING = 2.0

# [m/s]: only to divide by.
_SLOWEST = 1e-150


def rebound(restitution, dt, height, v_before, v):
    """Height over the surface [m] and speed off it [m/s] that particles below it are left with after dt [s].

    height, v_before and v: where they would be without the surface, and the velocities at both ends along its normal.
    Their motion is steadily accelerated: they meet the surface on the way, and what is left of dt they rise and fall as
    before. All of shape (count,).
    """
    resting = np.maximum(v, 0.0)
    if restitution == 0.0 or dt == 0.0:
        return np.zeros_like(height), resting
    gained = v - v_before
    acceleration = gained / dt
    arriving = -np.sqrt(np.maximum(v**2 - 2.0 * acceleration * height, 0.0))
    # At the mean of both velocities.
    left = np.minimum(2.0 * height / np.minimum(arriving + v, -_SLOWEST), dt)
    speed = acceleration * left - restitution * arriving
    rise = left * (speed - 0.5 * acceleration * left)
    bounces = strikes(arriving, arriving + gained) & (v < 0.0) & (rise >= 0.0) & (speed > 0.0)
    return np.where(bounces, rise, 0.0), np.where(bounces, speed, resting)


def strikes(v_before, v):
    """Whether particles with velocities along a normal at both ends of a substep meet it with an impact."""
    return v_before < -_RESTING * np.abs(v - v_before)


def struck(x, v, before, met, friction, restitution, dt):
    """Put particles onto the surface, and take their velocity into it and what friction does then, in place.

    x [m], v [m/s]: shape (particle_count, 3); before: State; met: Meeting of those below the surface.
    """
    at, n = met.particles, met.n
    arriving, leaving = (along(of[at] - met.surface_v, n) for of in (before.v, v))
    rise, speed = rebound(restitution, dt, met.heights, arriving, leaving)
    sliding = across(v[at] - met.surface_v, n)
    lost = friction_share(friction * (speed - leaving), sliding)
    x[at] += (rise - met.heights)[:, None] * n - lost * across(x[at] - met.home, n)
    v[at] += (speed - leaving)[:, None] * n - lost * sliding


def friction_share(most, sliding):
    """Share of velocities along a surface that friction takes, shape (count, 1), where it can take `most` [m/s]."""
    speed = lengths(sliding)
    return (np.minimum(most, speed) / np.where(speed > 0.0, speed, 1.0))[:, None]


def along(vectors, n):
    """Components of vectors along normals, each along its own."""
    return np.einsum("ij,ij->i", vectors, n)


def across(vectors, n):
    """What of vectors is not along the normals."""
    return vectors - along(vectors, n)[:, None] * n


def entries(values, chosen):
    """Some entries, or the one number that stands for all."""
    return values if values.ndim == 0 else values[chosen]
