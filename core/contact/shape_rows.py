# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of single particles with shapes that tell their distance: planes, spheres, capsules, and insides."""

import numpy as np

from ..kernels import Indices
from .contact_set import STIFF, Rows

# Depth from which on contacts stiffen where no distance is kept, in parts of that.
_STIFF_SAGS = 4.0


class ShapeRows:
    """The particles that may touch one Collider in a substep, see `Shape`.

    collider; particles: their indices, of so many; bands: how near each may come [m]; sag: added to the distance that
    is kept [m]; t, dt: end and length of the substep [s].
    """

    def __init__(self, collider, particles, particle_count, bands, sag, t, dt):
        self._collider, self.particles, self._t, self._dt = collider, particles, t, dt
        count, self._bands = len(particles), bands
        self._corners = Indices(np.repeat(particles[:, None], 4, axis=1), particle_count)
        self._reach = of_particles(collider.thickness, particles) + sag
        self._friction = np.broadcast_to(of_particles(collider.friction, particles), count)
        self._depths = np.broadcast_to(
            STIFF * of_particles(collider.thickness, particles) + _STIFF_SAGS * sag, count
        )

    def rows(self, x):
        """Rows at x, shape (3, n) [m], of those no farther than their ways may bring them."""
        at = x.take(self.particles, axis=1)
        distances, normals, velocities = self._collider.look(at.T.copy(), self._t, self._dt, self.particles)
        gaps = distances - self._reach
        which = np.flatnonzero(gaps < self._bands)
        n = normals.take(which, axis=0).T.copy()
        weights = np.zeros((len(which), 4))
        weights[:, 0] = 1.0
        offsets = gaps[which] - np.einsum("am,am->m", n, at.take(which, axis=1))
        carried = -self._dt * velocities.take(which, axis=0).T
        laws = self._friction[which], self._depths[which], np.ones(len(which))
        return Rows(self._corners.chosen(which), weights, n, offsets, np.ascontiguousarray(carried), *laws)


def shape_rows(collider, start, end, margins, sag, t, dt):
    """The ShapeRows of particles that may touch on straight ways, or None. start, end: shape (n, 3) [m]."""
    if not collider.acts(t):
        return None
    everyone = np.arange(len(start))
    distances = collider.distances_alone(end, t)
    if distances is None:
        distances = collider.look(end, t, dt, everyone)[0]
    way = np.sqrt(np.einsum("ij,ij->i", end - start, end - start))
    far = way + margins
    particles = np.flatnonzero(distances < far + of_particles(collider.thickness, everyone) + sag)
    return ShapeRows(collider, particles, len(start), far[particles], sag, t, dt) if len(particles) else None


def of_particles(given, particles):
    """A collider's number, or its numbers for some particles."""
    return given if given.ndim == 0 else given[particles]
