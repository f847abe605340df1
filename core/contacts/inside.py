# SPDX-License-Identifier: GPL-3.0-or-later
"""The contacts that sit inside the iterations of a substep."""

from copy import copy
from typing import Any

import numpy as np

from ..listed import joined
from ..state import State
from .contact import Contact


class Inside:
    """The contacts that sit inside the iterations of a substep, all as one: see `Contact`.

    start: State that the substep begins with; dt: its length [s].
    """

    start: State
    dt: float
    _placed: Any = None

    def __init__(self):
        self._inside: list[Contact] = []
        self._filtering = self._inside

    @property
    def touches(self):
        """Whether anything may touch in the substep."""
        return bool(self._inside)

    @property
    def holding(self):
        """Whether what sits inside the iterations holds particles, and not only presses them on each other."""
        return not all(contact.between for contact in self._inside)

    @property
    def pressing(self):
        """Whether what sits inside the iterations presses particles on each other."""
        return any(contact.between for contact in self._inside)

    def among(self, particles, count):
        """The seats of some of so many particles alone, or None where a contact cannot be divided."""
        if not all(contact.divides for contact in self._inside):
            return None
        numbers = np.full(count, -1)
        numbers[particles] = np.arange(len(particles))
        few = copy(self)
        few._inside = few._filtering = [one for of in self._inside if (one := of.among(numbers)) is not None]
        return few

    def stiffen(self, stiffness, dt):
        """Tell contacts of the formula they are in, see `Contact.stiffen`."""
        for contact in self._inside:
            contact.stiffen(stiffness, dt)

    def place(self, x):
        """Move an iterate [m] onto what it touches, in place: the one that `before` left is there."""
        for contact in self._inside if x is not self._placed else ():
            contact.place(x)
        self._placed = None

    def borne(self, x):
        """All that holds particles one by one at x [m], see `Contact.borne`, or None."""
        found = [of for of in (contact.borne(x) for contact in self._inside) if of is not None]
        return tuple(np.concatenate(rows) for rows in zip(*found, strict=True)) if found else None

    def filter_gradient(self, gradient):
        """Add to a gradient [N] what is between particles, and take out what contacts bear, in place."""
        for contact in self._filtering:
            contact.filter_gradient(gradient)

    def energy(self):
        """Energy [J] of friction and of what presses particles on each other where they were placed last."""
        return sum(contact.energy() for contact in self._inside)

    def stored(self):
        """As `energy`, of what presses particles on each other alone: surfaces give nothing back."""
        return sum(contact.energy() for contact in self._inside if contact.between)

    def stored_at(self, x):
        """As `stored`, where nothing has been placed yet."""
        for contact in self._inside:
            if contact.between:
                contact.place(x)
        return self.stored()

    def filter_increment(self, increment):
        """Take out of an increment [m] what would move particles into what they touch, in place."""
        for contact in self._inside:
            contact.filter_increment(increment)
        for contact in _back(self._inside, increment.shape[1]):
            contact.filter_increment(increment)

    def let_go(self):
        """Hold nothing above what it touches, see `Contact.let_go`."""
        for contact in self._inside:
            contact.let_go()

    def stick(self):
        """Let all that rests stay where it is from now on, in this substep, whatever pulls at it."""
        for contact in self._inside:
            contact.stick()

    def hold(self, increment):
        """Hold also what an increment [m] would move into what it touches, until the next gradient; whether any is."""
        held = [contact.hold(increment) for contact in self._inside]
        return any(held)

    def grips(self):
        """The Grips on all that is held one by one, or None without any."""
        return joined([of_one for of_one in self._gripped() if of_one is not None])

    def expect(self, gradient, gained):
        """Let friction count with pushes that change by so much [N], of `grips`, also in a filtered gradient [N]."""
        for contact, of_one in zip(self._inside, self._gripped(), strict=True):
            if of_one is not None:
                own, gained = np.split(gained, [len(of_one.particles)])
                contact.expect(gradient, own)

    def _gripped(self):
        return [contact.grips() for contact in self._inside]

    def add_product(self, p, out):
        """Add to `out` [N] what contacts bear more where particles move by p [m]."""
        for contact in self._inside:
            contact.add_product(p, out)

    def add_blocks(self, blocks):
        """Add what `add_product` has at each particle itself: xx, yy, zz, xy, yz and zx, shape (6, particle_count)."""
        for contact in self._inside:
            contact.add_blocks(blocks)

    def struts(self):
        """All that presses particles on each other, see `Contact.struts`, a list."""
        return [struts for struts in (contact.struts() for contact in self._inside) if struts is not None]

    def struck(self):
        """Particles that meet something with an impact in this substep."""
        return np.concatenate([contact.struck() for contact in self._inside])

    def pressed(self, *, between=True):
        """Particles that are borne within the iterations; between: also those that others bear."""
        pressed = [contact.pressed() for contact in self._inside if between or not contact.between]
        return np.concatenate([np.zeros(0, dtype=np.intp), *pressed])


def _back(contacts, count):
    """Those that filter again on the way back: there and back is symmetric, as conjugate gradients want it.

    None where no particle, of so many, is held by two of them.
    """
    holding, held = [contact for contact in contacts if not contact.between], np.zeros(count, dtype=bool)
    if all(contact.divides for contact in holding):
        for contact in holding:
            pressed = contact.pressed()
            if held[pressed].any():
                break
            held[pressed] = True
        else:
            return []
    return contacts[-2::-1]
