# SPDX-License-Identifier: GPL-3.0-or-later
"""Single particles that are at shapes where a substep ends, before their contacts act."""

from typing import Any, NamedTuple

import numpy as np

from ..directions import lengths
from .shape_rows import FAST, ROOM, ShapeRows, half_size, of_particles


class Near(NamedTuple):
    """Particles at one shape, one a column.

    particles: indices, shape (count,); normals: shape (3, count); gaps: over the distance that is kept, and reach: that
    distance [m]; velocities: of the surface there, shape (3, count) [m/s], or None where it rests; friction:
    coefficients; depths: from which on contacts stiffen [m]; began: who touched where the substep began, a mask;
    owners: numbers of the shapes.
    """

    particles: np.ndarray
    normals: np.ndarray
    gaps: np.ndarray
    reach: np.ndarray
    velocities: Any
    friction: np.ndarray
    depths: np.ndarray
    began: np.ndarray
    owners: np.ndarray

    def pressed_by(self, owner, normal):
        """Indices of particles that what has a number presses on, with normal forces of all."""
        return self.particles[(self.owners == owner) & (normal > 0.0)]


class NearShape:
    """Finds who is at one shape.

    shape, owner: ContactOf of it, and its number; free: mask of all particles of who can move.
    """

    def __init__(self, shape, owner, free):
        self._shape, self._owner = shape, owner
        collider, place = shape
        meets = free[place] & ~collider.held_particles
        self._meets = None if meets.all() else meets
        # Beyond that way within a substep a particle may have passed the shape.
        self._fast, self._everyone = FAST * half_size(collider), np.arange(shape.span)

    def find(self, before, after, dt, contacts, pressed):
        """The Near of a substep of dt [s] from one State to another, None of nobody, and whether that is all there is.

        It is not where anybody is led out from deep inside, or may have passed: these go by their ways. contacts:
        PotentialContacts; pressed: who was at something where the substep began, a mask.
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
        if self._meets is not None:
            at &= self._meets
        if self._passes(before.x[place], ends, None if rests else seen[2], dt):
            return None, False
        own = np.flatnonzero(at)
        if len(own) == 0:
            return None, True
        seen = collider.look(ends[own], t, dt) if seen is None else [of[own] for of in seen]
        return self._at(own, seen, rests, before, dt, contacts)

    def again(self, near, x, t, dt):
        """The Near with gaps and normals at x, shape (3, count) [m], where a substep of dt [s] ends at t [s]."""
        distances, normals, _ = self._shape.contact.look(np.ascontiguousarray(x.T), t, dt)
        return near._replace(gaps=distances - near.reach, normals=np.ascontiguousarray(normals.T))

    def _passes(self, start, end, velocities, dt):
        if self._fast in (0.0, np.inf):
            # Nobody tells how thick it is, or it has no other side.
            return self._fast == 0.0
        way = end - start if velocities is None else end - start - dt * velocities
        return bool(lengths(way).max() > self._fast)

    def _at(self, own, seen, rests, before, dt, contacts):
        distances, normals, velocities = seen
        began = contacts.depenetration.inside.get(self._owner)
        of = ShapeRows(self._shape, self._owner, own, before.x, contacts, before.t + dt, dt, began)
        if of.deep.any():
            return None, False
        normals = np.ascontiguousarray(normals.T)
        moves = None if rests else np.ascontiguousarray(velocities.T)
        if of.speeds is not None:
            moves = of.speeds * normals + (0.0 if moves is None else moves)
        of_gaps, owners = (distances - of.reach, of.reach), np.full(len(own), self._owner)
        of_all = of.friction, of.depths, of.begun < of.reach, owners
        return Near(of.particles, normals, *of_gaps, moves, *of_all), True


def joined(found):
    """One Near of several, None where any particle is in two of them."""
    if len(found) == 1:
        return found[0]
    found = [_touching(near) for near in found]
    particles = np.concatenate([of.particles for of in found])
    if np.bincount(particles).max(initial=0) > 1:
        return None
    if all(of.velocities is None for of in found):
        velocities = None
    else:
        moves = [np.zeros_like(of.normals) if of.velocities is None else of.velocities for of in found]
        velocities = np.concatenate(moves, axis=1)
    names = [name for name in Near._fields if name != "velocities"]
    rows = {name: np.concatenate([getattr(of, name) for of in found], axis=-1) for name in names}
    return Near(velocities=velocities, **rows)


def _touching(near):
    """A Near of those that touch it, or did where the substep began: who was at another shape is in each of them."""
    which = np.flatnonzero((near.gaps < 0.0) | near.began)
    if len(which) == len(near.particles):
        return near
    fields: list[Any] = [None if of is None else of[..., which] for of in near]
    return Near(*fields)
