# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of single particles with shapes that tell their distance: planes, spheres, capsules, and insides."""

import numpy as np

from ..directions import lengths
from ..kernels import Indices
from .carrying import speeds_out
from .contact_set import STIFF, Rows
from .shared_room import Sides

# Depth from which on contacts stiffen where no distance is kept, in parts of that.
STIFF_SAGS = 4.0

# Room for what presses, in parts of what is light sinks by: what lies under folds sinks four times as deep.
ROOM = 5.0

# Way in parts of the least half size of a shape from which on a particle might pass it, or be beyond its middle.
FAST = 0.5

# Advances to where a way meets a shape at most, and the share of the way by which it has.
_ADVANCES, _MEETS = 64, 1e-6

# Depth, in parts of the one from which on contacts stiffen, below which what a substep begins with is led out.
_INSIDE = 5.0

# Time [s] in which what began hardly inside comes nearer to all of its distance by a factor of e: long, so that this
# changes what presses by less than a ten-thousandth.
_RISING = 1.0


class ShapeRows:
    """The particles that may touch one Collider in a substep, see `Shape`.

    shape, owner: ContactOf of it, and its number; own: indices of the particles among those that it is of; start: of
    all, shape (n, 3) [m]; bands: how near each may come [m]; sag: added to the distance that is kept [m]; t, dt: end
    and length of the substep [s]; fast: way from which on a particle might pass the shape [m].
    """

    def __init__(self, shape, owner, own, start, bands, sag, t, dt, borne, began, *, fast):
        collider = shape.contact
        self._collider, self._owner, self._own, self._t, self._dt = collider, owner, own, t, dt
        particles = self.particles = own + shape.first
        self._bands, self._start = bands, start.take(particles, axis=0)
        self._corners = Indices(np.repeat(particles[:, None], 4, axis=1), len(start))
        kept = of_particles(collider.thickness, own)
        self._friction = np.broadcast_to(of_particles(collider.friction, own), len(own))
        self._depths = np.broadcast_to(STIFF * kept + STIFF_SAGS * sag, len(particles))
        begun, *self._begun = self._look(self._start, t - dt)
        hardly = None if began is None or len(began) == 0 else among(particles, began, len(start))
        of_hardly = particles, hardly, borne
        of_reach = led_out(begun, kept + ROOM * sag, ROOM * sag, self._depths, of_hardly, dt)
        self._reach, self._speeds, self._deep = of_reach
        self._fast, self._distances = fast, begun

    def sides(self):
        """The Sides of all of them."""
        normals, velocities = self._begun
        gaps = self._distances - self._reach - self._dt * np.einsum("ij,ij->i", normals, velocities)
        return Sides(self.particles, normals.T, gaps, self._depths, np.full(len(gaps), self._owner))

    def rows(self, x):
        """Rows at x, shape (3, n) [m], of those no farther than their ways may bring them."""
        at = x.take(self.particles, axis=1)
        distances, normals, velocities = self._look(at.T.copy(), self._t)
        gaps = distances - self._reach
        if np.isfinite(self._fast):
            gaps, normals = self._met(at.T, gaps, normals, velocities)
        which = np.flatnonzero(gaps < self._bands)
        n = normals.take(which, axis=0).T.copy()
        weights = np.zeros((len(which), 4))
        weights[:, 0] = 1.0
        offsets = gaps[which] - np.einsum("am,am->m", n, at.take(which, axis=1))
        carried = velocities.take(which, axis=0).T
        if self._speeds is not None:
            carried = carried + self._speeds[which] * n
        carried = -self._dt * carried
        laws = (
            self._friction[which],
            self._depths[which],
            np.ones(len(which)),
            np.full(len(which), self._owner),
        )
        return Rows(self._corners.chosen(which), weights, n, offsets, np.ascontiguousarray(carried), *laws)

    def put_out(self, x, free):
        """Positions [m] where nobody free, a mask, is inside, but for who is led out; x itself where nobody was."""
        which, distances, normals = self._inside(x)
        out = free[self.particles[which]]
        if not out.any():
            return x
        x = x.copy()
        x[:, self.particles[which[out]]] -= (distances[out, None] * normals[out]).T
        return x

    def _inside(self, x):
        """Numbers of who is inside and not led out, and distances [m] and normals there."""
        distances, normals, _ = self._look(x.take(self.particles, axis=1).T.copy(), self._t)
        which = np.flatnonzero((distances < 0.0) & ~self._deep)
        return which, distances[which], normals[which]

    def _met(self, at, gaps, normals, velocities):
        """Gaps and normals, of what came through the surface on its way as if that went on from there.

        On the way beside the surface's motion, each particle advances by its distance: nothing is nearer.
        """
        begun = self._start + self._dt * velocities
        way = at - begun
        far = lengths(way)
        which = np.flatnonzero(far > self._fast)
        if len(which) == 0:
            return gaps, normals
        begun, way, far, share = begun[which], way[which], far[which], np.zeros(len(which))
        for _ in range(_ADVANCES):
            distances, there, _ = self._look(begun + share[:, None] * way, self._t)
            share = share + np.maximum(distances, 0.0) / far
            if ((distances <= _MEETS * far) | (share >= 1.0)).all():
                break
        # What began inside is led out by the nearest way.
        outside = self._look(begun, self._t)[0] > 0.0
        met = outside & (share < 1.0) & (distances <= _MEETS * far)
        which, share, way, there, distances = which[met], share[met], way[met], there[met], distances[met]
        left = (1.0 - share) * np.einsum("ij,ij->i", there, way)
        gaps, normals = gaps.copy(), normals.copy()
        gaps[which], normals[which] = distances + left - np.broadcast_to(self._reach, len(gaps))[which], there
        return gaps, normals

    def _look(self, x, t):
        return self._collider.look(x, t, self._dt)


def among(particles, others, count):
    """Mask of those particles that are among others, all indices below a count."""
    mask = np.zeros(count, dtype=bool)
    mask[others] = True
    return mask[particles]


def led_out(distances, reach, room, depths, hardly, dt):
    """Distances that are kept [m]: of what begins a substep of dt [s] inside so much that it is out after a while.

    And the speeds at which that comes out, as if the surface did there [m/s], None of nobody, and a mask of those deep
    inside. What is hardly inside is borne there as it was in the substep before, or by its weight: at all of the
    distance it would be thrown up.

    distances: where the substep begins [m]; room: of the reach for what presses [m]; depths: from which on contacts
    stiffen [m]; hardly: particles, a mask of who began hardly inside, or None, and see `borne_depths`.
    """
    particles, began, borne = hardly
    lacks = reach - distances
    deep = lacks > _INSIDE * depths
    if began is None and not deep.any():
        return reach, None, deep
    lies, lacks = (
        (~deep & (lacks > 0.0)) & (False if began is None else began),
        lacks - borne(particles, depths),
    )
    lies &= (lacks > 0.0) & (distances + 2.0 * room > reach)
    speeds = np.where(deep, speeds_out(lacks), np.where(lies, lacks / _RISING, 0.0))
    return np.where(deep, distances, reach - np.maximum(lacks, 0.0) * lies) + speeds * dt, speeds, deep


def led_rows(shape, owner, particles, start, sag, t, dt, borne):
    """The ShapeRows of particles that are led out of a collider, indices among all; see `shape_rows`."""
    bands = np.full(len(particles), np.inf)
    return ShapeRows(
        shape, owner, particles - shape.first, start, bands, sag, t, dt, borne, particles, fast=np.inf
    )


def shape_rows(shape, owner, start, end, margins, sag, t, dt, borne, began, others=None):
    """The ShapeRows of particles that may touch on straight ways, or None. start, end: shape (n, 3) [m].

    shape: ContactOf; others: mask of all particles of who does not meet it, or None.
    """
    collider, place = shape
    if not collider.acts(t):
        return None
    everyone, ends = np.arange(shape.span), end[place]
    far, rests = lengths(ends - start[place]) + margins[place], collider.rests(t, dt)
    distances = collider.distances_alone(ends, t) if rests else None
    if distances is None:
        distances, _, velocities = collider.look(ends, t, dt)
        far += dt * lengths(velocities)
    near = distances < far + of_particles(collider.thickness, everyone) + ROOM * sag
    if others is not None:
        near &= ~others[place]
    own = np.flatnonzero(near & ~collider.held_particles)
    if len(own) == 0:
        return None
    return ShapeRows(
        shape, owner, own, start, far[own], sag, t, dt, borne, began, fast=FAST * half_size(collider)
    )


def half_size(collider):
    """The least half side of a box about a shape [m], 0 where nobody tells.

    Infinite where it is convex without an end, as a half space, or things are kept in it.
    """
    extent = None if collider.inside else collider.extent()
    if extent is None:
        return np.inf if collider.inside or collider.convex else 0.0
    return 0.5 * float((np.asarray(extent[1]) - extent[0]).min())


def of_particles(given, particles):
    """A collider's number, or its numbers for some particles."""
    return given if given.ndim == 0 else given[particles]
