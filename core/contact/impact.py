# SPDX-License-Identifier: GPL-3.0-or-later
"""What particles keep of their motion where they meet a surface: rebound and Coulomb's friction."""

from typing import NamedTuple

import numpy as np

from ..directions import LEAST
from ..listed import chosen, joined

# Substeps in which forces make up for an approach that is rest, and no impact: in one of them what rests falls from
# rest, and another is for what few iterations leave it.
RESTING = 2.0


class Meeting(NamedTuple):
    """Particles at a surface at the end of a substep, as they would be without it.

    particles: indices, shape (count,). heights: over where they are kept [m]; n: normals; surface_v: velocities of the
    surface [m/s].
    """

    particles: np.ndarray
    heights: np.ndarray
    n: np.ndarray
    surface_v: np.ndarray


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

    particles: indices of all; surface_v: velocities of the surfaces there [m/s]; blow: Blow on those that rebound, or
    None.
    """

    particles: np.ndarray
    surface_v: np.ndarray
    blow: Blow | None

    @classmethod
    def joined(cls, found):
        """One of several, with a particle that was struck twice as it was first; None of none."""
        if not found:
            return None
        particles, surface_v = (np.concatenate(of_all) for of_all in list(zip(*found, strict=True))[:2])
        blows = [of_one.blow for of_one in found if of_one.blow is not None]
        if not blows:
            return cls(particles, surface_v, None)
        blow = joined(blows)
        _, first = np.unique(blow.particles, return_index=True)
        return cls(particles, surface_v, chosen(blow, first))


class Bounce(NamedTuple):
    """What becomes of particles in a substep in which they may meet a surface, all of shape (count,).

    happens: mask of those that leave it again. left: time after the impact [s]; arriving: velocities along the normal
    at it [m/s], negative; rise: heights over the surface at the end [m]; speed: off it then [m/s].
    """

    happens: np.ndarray
    left: np.ndarray
    arriving: np.ndarray
    rise: np.ndarray
    speed: np.ndarray


def bounce(restitution, dt, height, v_before, v):
    """The Bounce of particles after dt [s].

    height [m], v_before and v [m/s]: where they would be without the surface, and the velocities at both ends along its
    normal. Their motion is steadily accelerated: they meet the surface on the way, and what is left of dt they rise and
    fall as before. All of shape (count,).
    """
    gained = v - v_before
    acceleration = gained / dt
    arriving = -np.sqrt(np.maximum(v**2 - 2.0 * acceleration * height, 0.0))
    # At the mean of both velocities.
    left = np.minimum(2.0 * height / np.minimum(arriving + v, -LEAST), dt)
    speed = acceleration * left - restitution * arriving
    rise = left * (speed - 0.5 * acceleration * left)
    happens = strikes(arriving, arriving + gained) & (v < 0.0) & (rise >= 0.0) & (speed > 0.0)
    return Bounce(happens, left, arriving, rise, speed)


def rebound_of(met, laws, arriving, leaving, dt):
    """The Rebound of a Meeting but for what rebounds as a whole, or None where that is all.

    laws: coefficients of friction, restitution, and a mask of what rebounds as a whole, or None; arriving, leaving:
    velocities along the normals at both ends of a substep of dt [s], without the surface [m/s].
    """
    friction, restitution, given_back = laws
    if restitution == 0.0 or dt == 0.0:
        return None
    if given_back is not None:
        others = ~given_back
        if not others.any():
            return None
        met, arriving, leaving = chosen(met, others), arriving[others], leaving[others]
        friction = friction[others]
    blow = _blow(restitution, friction, met, arriving, leaving, dt)
    return Rebound(met.particles, met.surface_v, blow)


def _blow(restitution, friction, met, arriving, leaving, dt):
    """The Blow on those of a Meeting that rebound, or None."""
    happens, left, arriving, _, _ = bounce(restitution, dt, met.heights, arriving, leaving)
    happens &= met.heights < 0.0
    if not happens.any():
        return None
    gains = -(1.0 + restitution) * arriving
    laws = (np.broadcast_to(number, arriving.shape) for number in (restitution, friction))
    of_all = met.particles, met.n, gains, left, *laws, met.surface_v
    return Blow(*(of_each[happens] for of_each in of_all))


def strikes(v_before, v):
    """Whether particles with velocities along a normal at both ends of a substep meet it with an impact."""
    return v_before < -RESTING * np.abs(v - v_before)
