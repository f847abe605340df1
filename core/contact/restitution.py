# SPDX-License-Identifier: GPL-3.0-or-later
"""Rebound and stopping by surfaces within a substep, and impulses on bodies that rebound as a whole."""

from typing import Any, NamedTuple

import numpy as np

from ..directions import LEAST, lengths
from ..listed import chosen

# Substeps in which forces make up for an approach that is rest, and no impact: in one of them what rests falls from
# rest, and another is for what few iterations leave it.
RESTING = 2.0

# Share of a contact that a particle has from which on it is struck by it.
_STRUCK = 0.25


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


class Pushes(NamedTuple):
    """Impulses of surfaces at the end of a substep.

    particles: indices, shape (count,); n: normals; push [N]; surface_v: velocities of the surfaces there [m/s];
    restitution: coefficients.
    """

    particles: np.ndarray
    n: np.ndarray
    push: np.ndarray
    surface_v: np.ndarray
    restitution: np.ndarray


class _Met(NamedTuple):
    """Particles at colliders that they rebound from, one a row, all of shape (count,) or (count, 3).

    particles: indices; rows: of the contacts; n: normals; surface_v: velocities of the colliders [m/s]; restitution:
    coefficients.
    """

    particles: np.ndarray
    rows: np.ndarray
    n: np.ndarray
    surface_v: np.ndarray
    restitution: np.ndarray


class Restitution:
    """Colliders with restitution among those that rows are owned by.

    colliders: by the numbers of rows' owners, None for a number that is no collider's.
    """

    def __init__(self, colliders):
        self._of_owner = np.array([0.0 if of is None else of.restitution for of in colliders])
        self._given_back: Any = None

    @property
    def any(self):
        """Whether anything rebounds from any."""
        return bool(self._of_owner.any())

    def of(self, owners):
        """Coefficients of colliders by the numbers of rows' owners."""
        return self._of_owner[owners]

    def give_back(self, which):
        """Let the method see to the rebound of particles, a mask, by what `pushes` says."""
        self._given_back = which if which.any() else None

    def rebound(self, rows, start, v, end, dt, whole):
        """The Rebound of what Rows, at `end`, stop on straight ways, or None where none of it is struck.

        start, end: of the ways without contacts, shape (3, n) [m]; v: velocities where they begin, shape (n, 3) [m/s];
        dt: of the substep [s]; whole: number of the stiff body of every particle, -1 of none: it is struck without
        restitution as well. What a contact stops is its point: all particles that it is between go with that.
        """
        met = self._met(rows, dt, whole >= 0)
        if self._given_back is not None:
            met = chosen(met, ~(self._given_back[met.particles] & (met.restitution > 0.0)))
        if len(met.particles) == 0:
            return None
        gaps, way = rows.gaps(end), rows.differences(end - start) + rows.carried
        rise = np.einsum("ij,ij->j", rows.normals, way)
        met = chosen(met, _alone(met, whole[met.particles], self._shares(rows, met), gaps))
        speeds = rows.differences(np.ascontiguousarray(v.T)) + rows.carried / dt
        arriving = np.einsum("ij,ij->j", rows.normals, speeds)
        # Of a steadily accelerated motion.
        leaving = 2.0 * rise / dt - arriving
        blow = _blow(met, gaps[met.rows], rows.friction[met.rows], arriving[met.rows], leaving[met.rows], dt)
        at = met.restitution > 0.0
        return Rebound(met.particles[at], met.surface_v[at], blow) if blow is not None or at.any() else None

    def pushes(self, rows, normal, dt):
        """The Pushes on what rebounds as a whole by the normal forces of Rows [N], or None."""
        if self._given_back is None:
            return None
        met = self._met(rows, dt, np.zeros(len(self._given_back), dtype=bool))
        push = normal[met.rows] * self._shares(rows, met)
        which = np.flatnonzero(self._given_back[met.particles] & (push > 0.0))
        if len(which) == 0:
            return None
        met = chosen(met, which)
        return Pushes(met.particles, met.n, push[which], met.surface_v, met.restitution)

    def _met(self, rows, dt, whole):
        restitution, corners = self._of_owner[rows.owners], rows.corners.values
        struck = rows.with_obstacles()[:, None] & ((restitution > 0.0)[:, None] | whole[corners])
        row, corner = np.nonzero(struck & (np.abs(rows.weights) > _STRUCK))
        signs = np.sign(rows.weights[row, corner])[:, None]
        surface_v = -signs * rows.carried.T[row] / dt
        return _Met(corners[row, corner], row, signs * rows.normals.T[row], surface_v, restitution[row])

    def _shares(self, rows, met):
        weights = np.where(
            rows.corners.values[met.rows] == met.particles[:, None], rows.weights[met.rows], 0.0
        )
        return np.abs(weights).sum(axis=1)


def _alone(met, body, share, gaps):
    """Which particles to keep: of stiff bodies what meets something alone, where anything of it does; a mask.

    What is stopped there would have led edges on into other sides of what it meets.
    body: number of it, -1 for none; share: of its contact that each particle has; gaps: of all rows [m].
    """
    alone, has = share > 1.0 - _STRUCK, np.zeros(body.max(initial=-1) + 2, dtype=bool)
    has[body[alone & (gaps[met.rows] < 0.0)]] = True
    has[-1] = False
    return alone | ~has[body]


def _blow(met, heights, friction, arriving, leaving, dt):
    """The Blow on those that are struck, or None; heights [m], and velocities along normals [m/s], as of `bounce`."""
    happens, left, arriving = bounce(met.restitution, dt, heights, arriving, leaving)
    if not happens.any():
        return None
    gains = -(1.0 + met.restitution) * arriving
    blow = Blow(met.particles, met.n, gains, left, met.restitution, friction, met.surface_v)
    # One that several contacts stop is struck by the deepest.
    order = np.lexsort((heights, met.particles))
    order = order[happens[order]]
    _, first = np.unique(met.particles[order], return_index=True)
    return chosen(blow, order[first])


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
    happens = (
        strikes(arriving, arriving + gained) & (height < 0.0) & (v < 0.0) & (rises | (restitution == 0.0))
    )
    return happens, left, arriving


def strikes(v_before, v):
    """Whether particles with velocities along a normal at both ends of a substep meet it with an impact."""
    return v_before < -RESTING * np.abs(v - v_before)


def one_way(forces):
    """Direction of the sum of forces, shape (count, 3) [N], and the share of each in all of them.

    None where they are against each other, by more than half of all.
    """
    sizes, whole = lengths(forces), forces.sum(axis=0)
    total, size = sizes.sum(), np.linalg.norm(whole)
    return (whole / size, sizes / total) if 2.0 * size > total else None
