# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles that press on their planes: what they are held against, and what becomes of them at the end."""

import numpy as np

from ..axes import dot, put, rows_of
from ..state import State
from .grips import Grips
from .impact import entries, friction_share
from .meeting import from_the_side_of


class Pressed:
    """The particles of a Touching that press, as its gradient filtered last has it.

    which: their places in the Touching; particles: their indices; n: normals, shape (3, count).
    """

    def __init__(self, touching):
        self._touching, self.which = touching, np.flatnonzero(touching.pressing)
        self.particles, self.n = touching.particles[self.which], touching.n.take(self.which, axis=1)

    def filter_increment(self, increment):
        """See `Contact.filter_increment`."""
        moved = increment.take(self.particles, axis=1)
        moved -= dot(moved, self.n) * self.n
        moved *= ~self._touching.sticking[self.which]
        put(increment, self.particles, moved)

    def grips(self):
        """See `Contact.grips`."""
        touching, which = self._touching, self.which
        opposed = touching.opposed.take(which, axis=1)
        length = np.sqrt(dot(opposed, opposed))
        return Grips(
            self.particles,
            self.n.T,
            (opposed / np.where(length > 0.0, length, np.inf)).T,
            touching.sticking[which],
            entries(touching.friction, which) + np.zeros(len(which)),
            touching.most[which],
            touching.slipped[which],
        )

    def expect(self, gradient, gained):
        """See `Contact.expect`."""
        touching, grips = self._touching, self.grips()
        most = np.maximum(grips.most + grips.friction * gained, 0.0)
        most = np.where(grips.sticking, grips.most, most)
        own = gradient.take(self.particles, axis=1)
        own += (most - grips.most) * grips.along.T
        put(gradient, self.particles, own)
        touching.most = touching.most.copy()
        touching.most[self.which] = most

    def arrive(self, x, most):
        """Note the planes under the particles, now at x [m], shape (particle_count, 3).

        Returns which of them slid farther than `most` [m] from where these were found, indices.
        """
        touching = self._touching
        at = rows_of(x, self.particles)
        self._heights, self._n = dot(at, self.n) - touching.level[self.which], self.n.copy()
        self._surface = touching.surface_v.take(self.which, axis=1)
        aside = np.subtract(at, rows_of(touching.looked_at, self.particles), out=at)
        aside -= dot(aside, self.n) * self.n
        return np.flatnonzero(np.sqrt(dot(aside, aside)) > most)

    def look_anew(self, slid, found, kept):
        """Take the surface found under some for their planes.

        found: its distances [m], normals and velocities there, shape (count, 3); kept: distances to keep from it [m].
        """
        if len(slid) == 0:
            return
        # What went so far that no surface was found has no normal, and goes on.
        distances, normals, velocities = found
        distances, normals = from_the_side_of(self._n.T[slid], distances, normals)
        self._heights[slid] = distances - kept
        self._n[:, slid], self._surface[:, slid] = normals.T, velocities.T

    def settle(self, x, v):
        """Put them onto the surface that was noted, and take their velocity along it, in place.

        x [m], v [m/s]: of all particles at the end of the substep, shape (particle_count, 3).
        """
        touching, which, n = self._touching, self.which, self._n
        at = rows_of(x, self.particles)
        at += np.maximum(-self._heights, 0.0) * n
        put(x.T, self.particles, at)
        before = rows_of(v, self.particles)
        settled = before - self._surface
        speed = dot(settled, n)
        settled -= speed * n
        struck = touching.struck[which]
        if struck.any():
            # Of an impact, no formula knows the velocity: the way says it.
            slip = touching.slip.take(which, axis=1) / touching.dt
            lost = friction_share(
                (touching.friction * touching.rest_of_impact)[which], np.sqrt(dot(slip, slip))
            )
            slip -= lost * slip
            settled = np.where(struck, slip, settled)
        settled *= ~touching.sticking[which]
        if touching.most_speed is not None:
            settled += np.clip(speed, 0.0, touching.most_speed[which]) * n
        settled += self._surface
        if touching.whole is not None:
            settled = np.where(touching.whole[self.particles], before, settled)
        put(v.T, self.particles, settled)

    def recalled(self, previous, after):
        """See `Contact.recalled`: what rests or was struck moved as it does now, what slides did so along the plane."""
        touching, particles, n = self._touching, self.particles, self.n
        if len(particles) == 0:
            return previous
        slides = ~(touching.sticking | touching.struck)[self.which]
        steady_v = rows_of(after.v, particles)
        steady_x = rows_of(after.x, particles) - touching.dt * steady_v
        x, v = previous.x.copy(), previous.v.copy()
        for past, steady in ((x, steady_x), (v, steady_v)):
            way = rows_of(past, particles)
            way -= steady
            way -= dot(way, n) * n
            way *= slides
            way += steady
            put(past.T, particles, way)
        return State(x, v, previous.t)
