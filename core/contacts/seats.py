# SPDX-License-Identifier: GPL-3.0-or-later
"""The contacts of a simulation in their seats: before, inside and after the iterations of a substep."""

from copy import copy
from typing import Any

import numpy as np

from ..state import State
from .contact import Contact
from .given_back import Pushes
from .impact import Rebound
from .ways import finding

# How often contacts take turns at the end of a substep at most.
_TURNS = 4


class Seats:
    """All contacts of a body, which take their turns in the order given; those between particles after the others.

    contacts: Contacts, or any objects with resolve(before, after) -> State; gravity [m/s^2].
    start: State that the substep begins with, while contacts sit inside its iterations; dt: its length [s].
    impact: whether anything rebounded in it.
    """

    start: State
    dt: float
    impact = False
    _placed: Any = None

    def __init__(self, body, contacts, gravity):
        own = [contact.on(body) if isinstance(contact, Contact) else contact for contact in contacts]
        self._finding = [contact for contact in own if isinstance(contact, Contact)]
        for contact in self._finding:
            contact.fall(gravity)
        # What presses particles on each other looks at where the others hold them, and they bear what it does.
        self._finding.sort(key=lambda contact: contact.between)
        self._between = [contact for contact in own if getattr(contact, "between", False)]
        self._others = [contact for contact in own if contact not in self._between]
        self._inside: list[Contact] = []
        self._filtering = self._inside

    def __len__(self):
        return len(self._between) + len(self._others)

    @property
    def touching(self):
        """Whether a contact sits inside the iterations of the substep."""
        return bool(self._inside)

    @property
    def holding(self):
        """Whether what sits inside the iterations holds particles, and not only presses them on each other."""
        return not all(contact.between for contact in self._inside)

    @property
    def keeping(self):
        """Whether all that sits inside the iterations is surfaces at rest that things rebound from."""
        found = [contact.rebound() for contact in self._inside]
        return bool(found) and not any(of_one is None or of_one.surface_v.any() for of_one in found)

    @property
    def pressing(self):
        """Whether what sits inside the iterations presses particles on each other."""
        return any(contact.between for contact in self._inside)

    def before(self, start, x, t):
        """Find what touches on the way from the State `start` to x [m] at t [s], and move x onto it.

        x: shape (3, particle_count), changed in place. Returns the seats, or None where nothing sits inside them.
        """
        self.start, self.dt, self.impact, self._placed = start, t - start.t, False, None
        self._inside = finding(self._finding, start, x, t)
        self._filtering = sorted(self._inside, key=lambda contact: not contact.between)
        self.place(x)
        for contact in self._filtering:
            contact.part(x)
        self._placed = None if self.pressing else x
        return self if self._inside else None

    def rebound(self):
        """The Rebound of what `before` found at surfaces that things rebound from, or None."""
        return _joined(contact.rebound() for contact in self._inside)

    @property
    def rebounds(self):
        """Whether anything rebounds from any."""
        return any(contact.rebounds for contact in self._finding)

    def give_back(self, which):
        """Let the method see to the rebound of particles, a mask, see `Contact.give_back`."""
        for contact in self._finding:
            contact.give_back(which)

    def pushes(self):
        """The Pushes on what rebounds as a whole, or None where nothing pushes it."""
        found = [contact.pushes() for contact in self._inside]
        return Pushes.joined([of_one for of_one in found if of_one is not None and len(of_one.particles)])

    def thrown(self):
        """The Rebound of what `after` let rebound from surfaces, or None."""
        return _joined(contact.thrown() for contact in self._finding)

    def rebounded(self, blow, gained, x, t):
        """As `before` with velocities that rose by so much [m/s], shape (3, particle_count), at a Blow."""
        seats = self.before(State(self.start.x, self.start.v + gained.T, self.start.t), x, t)
        self.impact = True
        struck = np.isin(np.arange(len(gained.T)), blow.particles)
        for contact in self._inside:
            contact.rebounded(struck)
        return seats

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

    def after(self, before, after):
        """State that all contacts leave of the substep from one State to the other."""
        return _resolved(self._others, self._between, before, after)

    def struck(self):
        """Particles that meet something with an impact in this substep."""
        return np.concatenate([contact.struck() for contact in self._inside])

    def pressed(self, *, between=True):
        """Particles that are borne within the iterations; between: also those that others bear."""
        pressed = [contact.pressed() for contact in self._inside if between or not contact.between]
        return np.concatenate([np.zeros(0, dtype=np.intp), *pressed])

    def move_as_a_whole(self, which):
        """Leave the velocities of particles as the method has them, see `Contact.move_as_a_whole`."""
        for contact in self._inside:
            contact.move_as_a_whole(which)

    def recalled(self, previous, after):
        """State before the substep that smooth motion would have come from, see `Contact.recalled`."""
        for contact in self._inside:
            previous = contact.recalled(previous, after)
        return previous


def _joined(rebounds):
    return Rebound.joined([of_one for of_one in rebounds if of_one is not None])


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


def _resolved(others, between, before, after):
    """State that contacts leave in turns of those between particles and the others, of one State and the other."""
    for contact in others:
        after = contact.resolve(before, after)
    resolved = after
    for contact in between:
        after = contact.resolve(before, after)
    for _ in range(_TURNS):
        if after is resolved:
            break
        for contact in others:
            after = contact.resolve(before, after)
        resolved = after
        for contact in between:
            after = contact.keep_apart(before, after)
    return after
