# SPDX-License-Identifier: GPL-3.0-or-later
"""A contact of one body among several that are simulated as one system."""

from typing import Any

from .contacts import Contact
from .listed import moved
from .state import State


def outside_contacts(contacts, body, start=0):
    """Contacts of the particles of a body that surroundings touch alone; its first particle is at `start` among all."""
    outside = body.outside
    if outside is None:
        return contacts
    place = slice(start, start + outside.network.vertex_count)
    return tuple(PartContact(of, outside, place) if isinstance(of, Contact) else of for of in contacts)


class PartContact(Contact):
    """A contact of the particles of one body alone, which are at a place, a slice, among all; see Contact.

    It has every seat of the contact, which sees nothing but its body.
    """

    def __init__(self, contact, body, place):
        self._contact, self._body, self._place = contact, body, place
        self.label, self.between, self.divides = contact.label, contact.between, contact.divides
        self.name = contact.name
        self._seen: tuple[Any, Any] = (None, None)

    def prepare(self):
        """Put the contact on its body."""
        self._contact = self._contact.on(self._body)

    @property
    def contact(self):
        """The contact itself, which knows the particles of its body alone."""
        return self._contact

    @property
    def particles(self):
        """Slice of its body's particles among all."""
        return self._place

    def fall(self, gravity):
        """See `Contact.fall`."""
        self._contact.fall(gravity)

    def begun(self, x):
        """See `Contact.begun`."""
        own = x[self._place]
        begun = self._contact.begun(own)
        if begun is own:
            return x
        x = x.copy()
        x[self._place] = begun
        return x

    def find(self, start, x, t):
        """See `Contact.find`."""
        self._seen = start, self._own(start)
        return self._contact.find(self._seen[1], x[:, self._place], t)

    def rebound(self):
        """See `Contact.rebound`."""
        found = self._contact.rebound()
        return None if found is None else found.moved(self._place.start)

    @property
    def rebounds(self):
        """See `Contact.rebounds`."""
        return self._contact.rebounds

    def give_back(self, which):
        """See `Contact.give_back`."""
        self._contact.give_back(which[self._place])

    def pushes(self):
        """See `Contact.pushes`."""
        found = self._contact.pushes()
        return None if found is None else moved(found, self._place.start)

    def thrown(self):
        """See `Contact.thrown`."""
        found = self._contact.thrown()
        return None if found is None else found.moved(self._place.start)

    def rebounded(self, struck):
        """See `Contact.rebounded`."""
        self._contact.rebounded(struck[self._place])

    def part(self, x):
        """See `Contact.part`."""
        self._contact.part(x[:, self._place])

    def stiffen(self, stiffness, dt):
        """See `Contact.stiffen`."""
        self._contact.stiffen(stiffness[self._place], dt)

    def energy(self):
        """See `Contact.energy`."""
        return self._contact.energy()

    def place(self, x):
        """See `Contact.place`."""
        self._contact.place(x[:, self._place])

    def borne(self, x):
        """See `Contact.borne`."""
        found = self._contact.borne(x[:, self._place])
        return None if found is None else (found[0] + self._place.start, *found[1:])

    def among(self, numbers):
        """See `Contact.among`."""
        return self._contact.among(numbers[self._place])

    def filter_gradient(self, gradient):
        """See `Contact.filter_gradient`."""
        self._contact.filter_gradient(gradient[:, self._place])

    def filter_increment(self, increment):
        """See `Contact.filter_increment`."""
        self._contact.filter_increment(increment[:, self._place])

    def let_go(self):
        """See `Contact.let_go`."""
        self._contact.let_go()

    def stick(self):
        """See `Contact.stick`."""
        self._contact.stick()

    def hold(self, increment):
        """See `Contact.hold`."""
        return self._contact.hold(increment[:, self._place])

    def grips(self):
        """See `Contact.grips`."""
        found = self._contact.grips()
        return None if found is None else moved(found, self._place.start)

    def expect(self, gradient, gained):
        """See `Contact.expect`."""
        self._contact.expect(gradient[:, self._place], gained)

    def add_product(self, p, out):
        """See `Contact.add_product`."""
        self._contact.add_product(p[:, self._place], out[:, self._place])

    def add_blocks(self, blocks):
        """See `Contact.add_blocks`."""
        self._contact.add_blocks(blocks[:, self._place])

    def struts(self):
        """See `Contact.struts`."""
        found = self._contact.struts()
        return None if found is None else (found[0] + self._place.start, *found[1:])

    def struck(self):
        """See `Contact.struck`."""
        return self._contact.struck() + self._place.start

    def pressed(self):
        """See `Contact.pressed`."""
        return self._contact.pressed() + self._place.start

    def driven(self):
        """See `Contact.driven`."""
        particles, surface_v = self._contact.driven()
        return particles + self._place.start, surface_v

    def above(self, before, x, t, particles):
        """See `Contact.above`."""
        return self._contact.above(self._own(before), x[self._place], t, particles - self._place.start)

    def move_as_a_whole(self, which):
        """See `Contact.move_as_a_whole`."""
        self._contact.move_as_a_whole(which[self._place])

    def recalled(self, previous, after):
        """See `Contact.recalled`."""
        own = self._own(previous)
        return self._of_all(previous, own, self._contact.recalled(own, self._own(after)))

    def resolve(self, before, after):
        """See `Contact.resolve`."""
        own = self._own(after)
        return self._of_all(after, own, self._contact.resolve(self._own(before), own))

    def keep_apart(self, before, after):
        """See `Contact.keep_apart`."""
        own = self._own(after)
        return self._of_all(after, own, self._contact.keep_apart(self._own(before), own))

    def _own(self, state):
        """The part's State, the same object for the state that the substep begins with: contacts compare it."""
        if self._seen[0] is not None and self._seen[0].x is state.x:
            return self._seen[1]
        return State(state.x[self._place], state.v[self._place], state.t)

    def _of_all(self, state, own, changed):
        """The state of all particles with the part's in it where it was changed."""
        if changed is own:
            return state
        x, v = state.x.copy(), state.v.copy()
        x[self._place], v[self._place] = changed.x, changed.v
        return State(x, v, state.t)
