# SPDX-License-Identifier: GPL-3.0-or-later
"""Which particles meet which collider and each other, how near, and with what friction."""

from typing import Any, NamedTuple

import numpy as np

from .part_contact import PartContact


class ContactOf(NamedTuple):
    """A contact, and the particles that it is of among all, a slice."""

    contact: Any
    particles: slice

    @classmethod
    def of(cls, contact, count):
        """Of one that is a PartContact of some particles, or of all of them."""
        if isinstance(contact, PartContact):
            return cls(contact.contact, contact.particles)
        return cls(contact, slice(0, count))

    @property
    def first(self):
        """Index of its first particle among all."""
        return self.particles.start

    @property
    def span(self):
        """How many particles it is of."""
        return self.particles.stop - self.particles.start


class CollisionFilter:
    """Tells of colliders and particles, and of two particles, whether they meet and by which contact.

    Of several contacts for a pair the first counts. Pinned particles inside a collider do not meet it.

    colliders, between: ContactOf, of what is outside and within; surface: mask of the particles that surfaces have, or
    that nothing is joined to; least: distances that particles keep at least [m].
    reach: distances that are kept [m]; friction: coefficients; both of every collider a row, then of what is between
    particles, shape (contact_count, particle_count). all_meet: whether every particle meets every collider.
    """

    def __init__(self, colliders, between, surface, least):
        rows = [*colliders, *between]
        shape = len(rows), len(surface)
        self.reach, self.friction, self._meets = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
        for row, (contact, particles) in enumerate(rows):
            self.reach[row, particles] = np.maximum(contact.thickness, least[particles])
            self.friction[row, particles] = contact.friction
            self._meets[row, particles] = True
        for row, (contact, particles) in enumerate(colliders):
            self._meets[row, particles] = contact.held_particles is None or ~contact.held_particles
        self._first = len(colliders)
        self.all_meet = bool(self._meets[: self._first].all())
        self._meets[self._first :] &= surface
        self._same = [(of, _of_each_row(of, self._meets)) for of in (self.reach, self.friction)]
        self._bodies = [_bodies(of, len(surface)) for of in between]
        self._all = len(between) == 1 and between[0].contact.bodies is None and bool(self._meets[-1].all())

    def meet(self, collider, particles):
        """Whether particles meet colliders of some numbers, both of shapes that broadcast."""
        return self._meets[collider, particles]

    def between(self, one, other):
        """Rows of the contacts that keep particles apart, -1 where none does; one, other: indices, shape (count,)."""
        if self._all:
            return np.full(len(one), self._first)
        found = np.full(len(one), -1)
        for number, (bodies, meeting) in enumerate(self._bodies):
            row = self._first + number
            meets = self._meets[row, one] & self._meets[row, other] & (found < 0)
            if bodies is not None:
                meets &= meeting[bodies[one], bodies[other]]
            found[meets] = row
        return found

    def mean(self, of, rows, corners):
        """Mean of `reach` or `friction` over the particles of stencils, by the row that each of these meets by.

        corners: shape (count, 4), those of obstacles numbered after the particles.
        """
        same = next(same for values, same in self._same if values is of)
        if same is not None:
            return same[rows]
        own = corners < of.shape[1]
        values = of[rows[:, None], np.where(own, corners, 0)]
        return np.einsum("mk,mk->m", own / own.sum(axis=1, keepdims=True), values)

    def owners(self, rows):
        """Numbers of colliders by rows, one more than there are of what is within."""
        return np.minimum(rows, self._first)

    def kept_outside(self):
        """The least that particles keep from a collider [m], infinity of those that meet none, (count,)."""
        of_outside = np.where(self._meets, self.reach, np.inf)[: self._first]
        return of_outside.min(axis=0, initial=np.inf)

    def most_outside(self):
        """The most that particles keep from a collider [m], nought of those that meet none, (count,)."""
        return np.where(self._meets, self.reach, 0.0)[: self._first].max(axis=0, initial=0.0)

    def kept_between(self):
        """The most that particles keep from each other [m], minus infinity of those that meet none, (count,)."""
        of_between = np.where(self._meets, self.reach, -np.inf)[self._first :]
        return of_between.max(axis=0, initial=-np.inf)


def _of_each_row(values, meets):
    """The one value that all particles of each row have which meet by it, or None where some differ."""
    low, high = (
        of(values, axis=1, where=meets, initial=start) for of, start in ((np.min, np.inf), (np.max, -np.inf))
    )
    return low if (low >= high).all() else None


def _bodies(of, count):
    """Number of the body of every particle and which of these meet, or None twice where all meet all."""
    contact = of.contact
    if contact.bodies is None:
        return None, None
    numbers = np.zeros(count, dtype=np.intp)
    numbers[of.particles] = contact.bodies
    meeting = contact.meeting
    bodies = int(numbers.max(initial=0)) + 1
    meeting = np.ones((bodies, bodies), dtype=bool) if meeting is None else np.array(meeting, dtype=bool)
    np.fill_diagonal(meeting, False)
    return numbers, meeting


def loose_particles(network):
    """Mask of the particles of a SpringNetwork that no spring and no surface joins to others."""
    loose, stencils, surface = np.ones(network.vertex_count, dtype=bool), network.stencils, network.surface
    joined = network.edges, surface.triangles, surface.strands, stencils.vertices[stencils.weights != 0.0]
    for of in joined:
        loose[of] = False
    return loose
