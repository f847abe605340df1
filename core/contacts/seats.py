# SPDX-License-Identifier: GPL-3.0-or-later
"""The contacts of a simulation in their seats: before, inside and after the iterations of a substep."""

from .contact import Contact


class Seats:
    """All contacts of a body, which take their turns in the order given.

    contacts: Contacts, or any objects with resolve(before, after) -> State.
    """

    def __init__(self, body, contacts):
        self._all = tuple(
            contact.on(body) if isinstance(contact, Contact) else contact for contact in contacts
        )
        self._finding = [contact for contact in self._all if isinstance(contact, Contact)]
        self._inside: list[Contact] = []

    def __len__(self):
        return len(self._all)

    @property
    def touching(self):
        """Whether a contact sits inside the iterations of the substep."""
        return bool(self._inside)

    def before(self, start, x, t):
        """Find what touches from the State `start` to x at t [s], and move x, shape (3, particle_count), onto it.

        Returns the seats, or None where nothing sits inside the iterations.
        """
        self._inside = [contact for contact in self._finding if contact.find(start, x, t)]
        for contact in self._inside:
            contact.place(x)
        return self if self._inside else None

    def filter_gradient(self, gradient):
        """Take out of a gradient [N] what contacts bear, in place."""
        for contact in self._inside:
            contact.filter_gradient(gradient)

    def filter_increment(self, increment):
        """Take out of an increment [m] what would move particles into what they touch, in place."""
        for contact in self._inside:
            contact.filter_increment(increment)

    def after(self, before, after):
        """State that all contacts leave of the substep from one State to the other."""
        for contact in self._all:
            after = contact.resolve(before, after)
        return after
