# SPDX-License-Identifier: GPL-3.0-or-later
"""What particles keep of their motion where they meet a surface: rebound and Coulomb's friction."""

from typing import NamedTuple

import numpy as np

from ..directions import LEAST

# Substeps in which forces make up for an approach that is rest, and no impact: in one of them what rests falls from
# rest, and another is for what few iterations leave it.
RESTING = 2.0


class Blow(NamedTuple):
    """Particles that rebound from a surface within a substep.

    particles: indices, shape (count,), none twice. n: normals; gains: changes of velocity along them [m/s]; left: time
    in the substep after the impact [s]; restitution, friction: coefficients; surface_v: of the surface [m/s].
    """

    particles: np.ndarray
    n: np.ndarray
    gains: np.ndarray
    left: np.ndarray
    restitution: np.ndarray
    friction: np.ndarray
    surface_v: np.ndarray


class Rebound(NamedTuple):
    """Particles at surfaces that they rebound from in a substep.

    particles: indices of all; surface_v: velocities of the surfaces there [m/s]; blow: Blow on those that are struck,
    or None.
    """

    particles: np.ndarray
    surface_v: np.ndarray
    blow: Blow | None


def bounce(restitution, dt, height, v_before, v):
    """Which particles a surface throws back or stops in a substep of dt [s], a mask, and when and how fast they come.

    height [m], v_before and v [m/s]: where they would be without the surface, and the velocities at both ends along its
    normal. Their motion is steadily accelerated: they meet the surface on the way, and what is left of dt they rise and
    fall as before; who would not be off the surface then is left to its contact. All of shape (count,), as the time
    that is left after the impact [s], and the velocities at it [m/s], negative.
    """
    gained = v - v_before
    acceleration = gained / dt
    arriving = -np.sqrt(np.maximum(v**2 - 2.0 * acceleration * height, 0.0))
    # At the mean of both velocities.
    left = np.minimum(2.0 * height / np.minimum(arriving + v, -LEAST), dt)
    speed = acceleration * left - restitution * arriving
    rises = (left * (speed - 0.5 * acceleration * left) >= 0.0) & (speed > 0.0)
    happens = strikes(arriving, arriving + gained) & (height < 0.0) & (v < 0.0) & (rises | (restitution == 0.0))
    return happens, left, arriving


def strikes(v_before, v):
    """Whether particles with velocities along a normal at both ends of a substep meet it with an impact."""
    return v_before < -RESTING * np.abs(v - v_before)
