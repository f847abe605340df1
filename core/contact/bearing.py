# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles that obstacles support: the velocities of the obstacles there, and friction at impacts."""

from typing import Any

import numpy as np

from ..directions import LEAST

# Particles that nothing bears, and the velocities of that.
NOTHING = np.zeros(0, dtype=np.intp), np.zeros((0, 3))


def held_by_obstacles(rows, shares, dt, count):
    """Particles, of so many, that obstacles bear, and the mean velocities of these there by shares of rows [m/s]."""
    sums = rows.sums()
    which = np.flatnonzero(rows.with_obstacles() & (shares > 0.0))
    if len(which) == 0:
        return NOTHING
    used = 1 if rows.of_single else 4
    corners = rows.corners.values[which, :used].ravel()
    pressing = shares[which, None] * np.abs(rows.weights[which, :used])
    total = np.bincount(corners, pressing.ravel(), count)
    particles = np.flatnonzero(total)
    velocities = -np.sign(sums[which]) * rows.carried[:, which] / dt
    if not velocities.any():
        return particles, np.zeros((len(particles), 3))
    mean = [np.bincount(corners, (pressing * of[:, None]).ravel(), count)[particles] for of in velocities]
    return particles, np.column_stack(mean) / total[particles, None]


class Bearing:
    """Particles that obstacles bear at the end of the last substep, or struck in it, and their velocities there [m/s].

    found: the supported particles, as of `held_by_obstacles`, or a function that finds them: most methods never ask.
    """

    def __init__(self):
        self.found: Any = NOTHING
        self.struck = NOTHING

    def note_struck(self, particles, surface_v):
        """Take note of particles that obstacles stop or throw back, and of the velocities of these there [m/s]."""
        before, velocities = self.struck
        self.struck = np.concatenate([before, particles]), np.concatenate([velocities, surface_v])

    def borne(self):
        """The supported particles, and the velocities of their supports."""
        if callable(self.found):
            self.found = self.found()
        return self.found


def rubbed(rows, shares, v, gained, held):
    """Changes of velocity [m/s], shape (3, n), at impacts on obstacles, with what Coulomb's friction takes by them.

    Of the speed along what it strikes a particle loses the coefficient times what it gains, all of it at most.
    shares: of Rows, which stop particles, of all that a particle meets; v: velocities before, shape (n, 3) [m/s];
    gained: changes along normals; held: of `held_by_obstacles`.
    """
    particles, surface_v = held
    if len(particles) == 0 or not rows.friction.any():
        return gained
    friction = np.full(gained.shape[1], rows.friction[0])
    if (rows.friction != rows.friction[0]).any():
        corners, struck = rows.corners.values, (shares > 0.0)[:, None] & (rows.weights != 0.0)
        friction[:] = 0.0
        np.maximum.at(
            friction, corners[struck], np.broadcast_to(rows.friction[:, None], struck.shape)[struck]
        )
    along = gained[:, particles]
    size = np.sqrt(np.einsum("ij,ij->j", along, along))
    n = along / np.maximum(size, LEAST)
    slides = v[particles].T + along - surface_v.T
    slides -= np.einsum("ij,ij->j", n, slides) * n
    speed = np.sqrt(np.einsum("ij,ij->j", slides, slides))
    gained = gained.copy()
    gained[:, particles] -= np.minimum(friction[particles] * size, speed) / np.maximum(speed, LEAST) * slides
    return gained
