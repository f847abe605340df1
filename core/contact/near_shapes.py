# SPDX-License-Identifier: GPL-3.0-or-later
"""Single particles that are at shapes where a substep ends, before their contacts act."""

from typing import Any, NamedTuple

import numpy as np

from ..directions import lengths
from .collider import of_particles
from .shape_rows import FAST, ROOM, ShapeRows, half_size


class Near(NamedTuple):
    """Particles at one shape, one a column.

    particles: indices, shape (count,); normals: shape (3, count); gaps: over the distance that is kept, and reach: that
    distance [m]; velocities: of the surface there, shape (3, count) [m/s]; friction: coefficients; depths: from which
    on contacts stiffen [m]; began: mask of particles in contact at the substep's start; owners: numbers of the shapes.
    """

    particles: np.ndarray
    normals: np.ndarray
    gaps: np.ndarray
    reach: np.ndarray
    velocities: np.ndarray
    friction: np.ndarray
    depths: np.ndarray
    began: np.ndarray
    owners: np.ndarray

    def pressed_by(self, owner, normal):
        """Indices of particles that what has a number presses on, with normal forces of all."""
        return self.particles[(self.owners == owner) & (normal > 0.0)]


class NearShape:
    """Finds the particles at one shape.

    shape, owner: ContactOf of it, and its number; free: mask of all particles that can move.
    """

    def __init__(self, shape, owner, free):
        self._shape, self._owner = shape, owner
        collider, place = shape
        self._meets = free[place] & ~collider.held_particles
        # Beyond that way within a substep a particle may have passed the shape.
        self._fast, self._everyone = FAST * half_size(collider), np.arange(shape.span)

    def find(self, before, after, dt, contacts, pressed):
        """The Near of a substep of dt [s] from one State to another, None of nobody, and whether that is all there is.

        It is not where anybody is led out from deep inside, or may have passed: these go by their ways. contacts:
        PotentialContacts; pressed: mask of particles in contact at the substep's start.
        """
        (collider, place), t, sag = self._shape, before.t + dt, contacts.sag
        if not collider.acts(t):
            return None, True
        ends, rests = after.x[place], collider.rests(t, dt)
        distances = collider.distances_alone(ends, t) if rests else None
        seen: Any = None
        if distances is None:
            seen = collider.look(ends, t, dt)
            distances = seen[0]
        room = of_particles(collider.thickness, self._everyone) + ROOM * sag
        at = distances < room
        at |= pressed[place]
        at &= self._meets
        if self._passes(before.x[place], ends, 0.0 if rests else seen[2], dt):
            return None, False
        own = np.flatnonzero(at)
        if len(own) == 0:
            return None, True
        seen = collider.look(ends[own], t, dt) if seen is None else [of[own] for of in seen]
        return self._at(own, seen, before, dt, contacts)

    def again(self, near, x, t, dt):
        """The Near with gaps and normals at x, shape (3, count) [m], where a substep of dt [s] ends at t [s]."""
        distances, normals, _ = self._shape.contact.look(np.ascontiguousarray(x.T), t, dt)
        return near._replace(gaps=distances - near.reach, normals=np.ascontiguousarray(normals.T))

    def _passes(self, start, end, velocities, dt):
        if self._fast in (0.0, np.inf):
            # Nobody tells how thick it is, or it has no other side.
            return self._fast == 0.0
        return bool(lengths(end - start - dt * velocities).max() > self._fast)

    def _at(self, own, seen, before, dt, contacts):
        distances, normals, velocities = seen
        began = contacts.depenetration.inside.get(self._owner)
        of = ShapeRows(self._shape, self._owner, own, before.x, contacts, before.t + dt, dt, began)
        if of.deep.any():
            return None, False
        normals = np.ascontiguousarray(normals.T)
        moves = np.ascontiguousarray(velocities.T)
        if of.speeds is not None:
            moves = moves + of.speeds * normals
        of_gaps, owners = (distances - of.reach, of.reach), np.full(len(own), self._owner)
        of_all = of.friction, of.depths, of.begun < of.reach, owners
        return Near(of.particles, normals, *of_gaps, moves, *of_all), True


def joined(found):
    """One Near of several, None where any particle is in two of them."""
    if len(found) == 1:
        return found[0]
    found = [_touching(near) for near in found]
    found = Near(*(np.concatenate(of, axis=-1) for of in zip(*found, strict=True)))
    return found if np.bincount(found.particles).max(initial=0) < 2 else None


def _touching(near):
    """A Near of those that touch it, or did where the substep began: who was at another shape is in each of them."""
    which = np.flatnonzero((near.gaps < 0.0) | near.began)
    return near if len(which) == len(near.particles) else Near(*(of[..., which] for of in near))
