# SPDX-License-Identifier: GPL-3.0-or-later
"""A contact of one body among several that are simulated as one system."""

from copy import copy

from .contact import Contact


def outside_contacts(contacts, body, start=0):
    """Contacts of the particles of a body that surroundings touch alone; its first particle is at `start` among all."""
    outside = body.outside
    if outside is None:
        return contacts
    place = slice(start, start + outside.network.vertex_count)
    return tuple(PartContact(of, outside, place) if isinstance(of, Contact) else of for of in contacts)


class PartContact(Contact):
    """A contact of the particles of one body alone, which are at a place, a slice, among all; see Contact.

    contact: the contact itself, which knows the particles of its body alone; particles: slice of these among all.
    """

    def __init__(self, contact, body, place):
        self.contact, self._body, self.particles = contact, body, place
        self.label, self.between, self.name = contact.label, contact.between, contact.name

    def prepare(self):
        """Put the contact on its body."""
        self.contact = self.contact.on(self._body)

    def at(self, t):
        """See `Contact.at`."""
        contact = self.contact.at(t)
        if contact is self.contact:
            return self
        found = copy(self)
        found.contact = contact
        return found

    def checked(self, name, value):
        """See `Contact.checked`."""
        return self.contact.checked(name, value)

    def above(self, x, t, dt, particles):
        """See `Collider.above`."""
        return self.contact.above(x[self.particles], t, dt, particles - self.particles.start)
