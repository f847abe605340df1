# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of single particles with shapes that tell their distance: planes, spheres, capsules, and insides."""

from functools import cached_property

import numpy as np

from ..directions import LEAST, lengths
from ..kernels import Indices
from ..kernels.contact_laws import INERTIAS, SPRINGS, depth
from ..triangle_mesh.triangles import ROUNDING
from .carrying import ADVANCES, speeds_out
from .collider import of_particles
from .contact_set import STIFF, Rows
from .initial_overlap import STANDARD_GRAVITY
from .shared_room import Sides

# Room for what presses, in parts of what is light sinks by: what lies under folds sinks four times as deep, from where
# on contacts stiffen where no distance is kept. Nothing is pressed in by as many of the depths from which on they do:
# what a substep begins with below is led out.
ROOM = 5.0

# Way in parts of the least half size of a shape from which on a particle might pass it, or be beyond its middle.
FAST = 0.5

# Weights of a particle that lead it out of a mesh at most where it began inside and pins hold its part: what is held
# cannot follow and would be stretched, by 17 % in the first frame of a fitted shirt. What is free goes along, and what
# closing colliders pinch would be let through.
_LEADS = 30.0

# Time [s] in which what began hardly inside comes nearer to all of its distance by a factor of e: long, so that this
# changes what presses by less than a ten-thousandth.
_RISING = 1.0

_NOBODY = np.zeros(0, dtype=np.intp)


class ShapeRows:
    """The particles that may touch one Collider in a substep, see `Shape`.

    What begins inside so much that it is out after a while is led out as if the surface moved, and what is hardly
    inside is borne there as it was in the substep before, or by its weight: at all of the distance it would be thrown
    up.

    shape, owner: ContactOf of it, and its number; own: indices of the particles among those that it is of; start: of
    all, shape (n, 3) [m]; contacts: PotentialContacts; t, dt: end and length of the substep [s]; began: who began
    inside, indices among all, or None; keeps: what all particles keep at the most [m], shape (n,), or None; bands: how
    near each may come [m]; fast: way from which on a particle might pass the shape [m].
    particles: indices among all; friction: their coefficients; depths: from which on contacts stiffen [m]; begun:
    distances where the substep begins, reach: that are kept [m]; speeds: at which the surface moves, as it were, by
    which it leads out [m/s], None for no particle; deep: mask of the particles that are led out.
    """

    def __init__(
        self, shape, owner, own, start, contacts, t, dt, began, *, keeps=None, bands=np.inf, fast=np.inf
    ):
        collider, sag = shape.contact, contacts.sag
        self._collider, self.owner, self._t, self._dt = collider, owner, t, dt
        particles = self.particles = own + shape.first
        self._bands, self._fast, self._count = bands, fast, len(start)
        self._start = start.take(particles, axis=0)
        self.friction = np.broadcast_to(of_particles(collider.friction, own), len(own))
        kept, room = of_particles(collider.thickness, own), ROOM * sag
        kept = kept if keeps is None else np.minimum(kept, keeps[particles])
        self.depths = np.broadcast_to(STIFF * kept + (ROOM - 1.0) * sag, len(own))
        self.begun, *self._there = self._look(self._start, t - dt)
        self.speeds, self._firmness = None, None
        lacks = kept + room - self.begun
        self.reach = kept + np.maximum(room, _laden(contacts, particles, self.depths))
        self.deep = lacks > ROOM * self.depths
        hardly = np.zeros(len(own), dtype=bool)
        if began is not None and len(began):
            hardly = np.isin(particles, began) & ~self.deep & (lacks > 0.0)
        if self.deep.any() or hardly.any():
            lacks -= _borne(contacts, particles, self.depths)
            hardly &= (lacks > 0.0) & (self.begun + 2.0 * room > self.reach)
            self.speeds = np.where(self.deep, speeds_out(lacks), hardly * lacks / _RISING)
            self.reach = np.where(self.deep, self.begun, self.reach - hardly * lacks) + self.speeds * dt
            if collider.triangles is not None and not collider.inside:
                self._soften(contacts, dt)

    def _soften(self, contacts, dt):
        """Have what is led out of a held part be pushed by so much of its weight at the most, and by a spring."""
        masses = contacts.masses[self.particles]
        firm = _firm(contacts, self.particles, np.where(np.isfinite(masses), masses, 0.0))
        most = _LEADS * max(contacts.gravity, STANDARD_GRAVITY) * masses
        held = ~(contacts.loose | contacts.depenetration.pinched)[self.particles]
        softly = self.deep & held
        step = self.speeds * dt
        self._firmness = np.where(softly, np.minimum(most / np.maximum(firm * step, LEAST), 1.0), 1.0)
        # So far from where it stiffens that the push is a straight line.
        self.depths = np.where(softly, 1e3 * step, self.depths)

    def sides(self):
        """The Sides of all of them."""
        normals, velocities = self._there
        gaps = self.begun - self.reach - self._dt * np.einsum("ij,ij->i", normals, velocities)
        return Sides(self.particles, normals.T, gaps, self.depths, np.full(len(gaps), self.owner))

    @cached_property
    def _corners(self):
        return Indices(np.repeat(self.particles[:, None], 4, axis=1), self._count)

    def rows(self, x):
        """Rows at x, shape (3, n) [m], of those no farther than their ways may bring them."""
        at = x.take(self.particles, axis=1)
        distances, normals, velocities = self._look(at.T.copy(), self._t)
        gaps = distances - self.reach
        if np.isfinite(self._fast):
            gaps, normals = self._met(at.T, gaps, normals, velocities)
        which = np.flatnonzero(gaps < self._bands)
        n = normals.take(which, axis=0).T.copy()
        weights = np.zeros((len(which), 4))
        weights[:, 0] = 1.0
        offsets = gaps[which] - np.einsum("am,am->m", n, at.take(which, axis=1))
        carried = velocities.take(which, axis=0).T
        if self.speeds is not None:
            carried = carried + self.speeds[which] * n
        carried = -self._dt * carried
        laws = (
            self.friction[which],
            self.depths[which],
            np.ones(len(which)) if self._firmness is None else self._firmness[which],
            np.full(len(which), self.owner),
        )
        return Rows(self._corners.chosen(which), weights, n, offsets, np.ascontiguousarray(carried), *laws)

    def bears_more(self, others, x):
        """Whether particles that are in none of other ShapeRows are pressed at x, shape (3, n) [m]."""
        known = np.concatenate([_NOBODY, *(of.particles for of in others)])
        more = np.flatnonzero(~np.isin(self.particles, known))
        if len(more) == 0:
            return False
        distances = self._look(x.take(self.particles[more], axis=1).T.copy(), self._t)[0]
        return bool((distances < self.reach[more]).any())

    def put_out(self, x, free):
        """Positions [m] with no free particle, a mask, inside, but for those led out; x itself if none was."""
        which, distances, normals = self._inside(x)
        out = free[self.particles[which]]
        if not out.any():
            return x
        x = x.copy()
        x[:, self.particles[which[out]]] -= (distances[out, None] * normals[out]).T
        return x

    def _inside(self, x):
        """Numbers of particles inside that are not led out, and distances [m] and normals there."""
        distances, normals, _ = self._look(x.take(self.particles, axis=1).T.copy(), self._t)
        which = np.flatnonzero((distances < 0.0) & ~self.deep)
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
        for _ in range(ADVANCES):
            distances, there, _ = self._look(begun + share[:, None] * way, self._t)
            share = share + np.maximum(distances, 0.0) / far
            if ((distances <= ROUNDING * far) | (share >= 1.0)).all():
                break
        # A particle that began inside is led out by the shortest path.
        outside = self._look(begun, self._t)[0] > 0.0
        met = outside & (share < 1.0) & (distances <= ROUNDING * far)
        which, share, way, there, distances = which[met], share[met], way[met], there[met], distances[met]
        left = (1.0 - share) * np.einsum("ij,ij->i", there, way)
        gaps, normals = gaps.copy(), normals.copy()
        gaps[which], normals[which] = distances + left - self.reach[which], there
        return gaps, normals

    def _look(self, x, t):
        return self._collider.look(x, t, self._dt)


def _laden(contacts, particles, depths):
    """Depths [m] of what pressed on particles at the end of the substep before, 0 of those that nothing pressed.

    What bears much would sink through the room for what presses. With as much room as it sinks by it rests where it
    should, as by a multiplier: put out in each substep, it would keep the speed with which it sinks in each.
    depths: from which on contacts stiffen [m].

    Nocedal and Wright 2006, section 17.3.
    """
    laden, pushed = np.zeros(len(particles)), lengths(contacts.forces.pushed()[:, particles].T)
    which = np.flatnonzero((pushed > 0.0) & (contacts.inverse_masses[particles] > 0.0))
    firm = _firm(contacts, particles[which], contacts.masses[particles[which]])
    laden[which] = depth(pushed[which], firm, np.broadcast_to(depths, len(particles))[which])
    return laden


def _borne(contacts, particles, depths):
    """Depths [m] in which particles are borne as in the substep before, or by their weight where nothing bore them.

    depths: from which on contacts stiffen [m].
    """
    pushed, masses = lengths(contacts.forces.pushed()[:, particles].T), contacts.masses[particles]
    # Pinned particles are at their targets.
    masses = np.where(np.isfinite(masses), masses, 0.0)
    firm = _firm(contacts, particles, masses)
    return depth(np.where(pushed > 0.0, pushed, contacts.gravity * masses), firm, depths)


def _firm(contacts, particles, masses):
    """Stiffness of contacts of single particles [N/m], of such masses [kg]."""
    return INERTIAS * masses / contacts.usual**2 + SPRINGS * contacts.springs[particles]


def shape_rows(shape, owner, start, end, margins, contacts, t, dt):
    """The ShapeRows of particles that may touch on straight ways, or None. start, end: shape (n, 3) [m]."""
    collider, place = shape
    if not collider.acts(t):
        return None
    everyone, ends = np.arange(shape.span), end[place]
    far, rests = lengths(ends - start[place]) + margins[place], collider.rests(t, dt)
    distances = collider.distances_alone(ends, t) if rests else None
    if distances is None:
        distances, _, velocities = collider.look(ends, t, dt)
        far += dt * lengths(velocities)
    near = distances < far + of_particles(collider.thickness, everyone) + ROOM * contacts.sag
    near |= contacts.forces.fields[0].reshape(3, -1, len(start)).any(axis=(0, 1))[place]
    leads = contacts.depenetration
    if owner in leads.carried:
        near &= ~leads.carried[owner][place]
    own = np.flatnonzero(near & ~collider.held_particles)
    if len(own) == 0:
        return None
    how = {"bands": far[own], "fast": FAST * half_size(collider)}
    return ShapeRows(shape, owner, own, start, contacts, t, dt, leads.inside.get(owner), **how)


def half_size(collider):
    """The least half side of a box about a shape [m], 0 where nobody tells.

    Infinite where it is convex without an end, as a half space, or things are kept in it.
    """
    extent = None if collider.inside else collider.extent()
    if extent is None:
        return np.inf if collider.inside or collider.convex else 0.0
    return 0.5 * float((np.asarray(extent[1]) - extent[0]).min())
