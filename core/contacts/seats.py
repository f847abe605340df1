# SPDX-License-Identifier: GPL-3.0-or-later
"""The contacts of a simulation in their seats: before, inside and after the iterations of a substep."""

from typing import Any

import numpy as np

from ..listed import joined
from ..state import State
from .contact import Contact
from .impact import Rebound
from .inside import Inside
from .squeezed import squeezed
from .ways import finding

# How often contacts take turns at the end of a substep at most.
_TURNS = 4


class Seats(Inside):
    """All contacts of a body, which take their turns in the order given; those between particles after the others.

    contacts: Contacts, or any objects with resolve(before, after) -> State; gravity [m/s^2].
    """

    def __init__(self, body, contacts, gravity):
        super().__init__()
        own = [contact.on(body) if isinstance(contact, Contact) else contact for contact in contacts]
        self._finding = [contact for contact in own if isinstance(contact, Contact)]
        for contact in self._finding:
            contact.fall(gravity)
        # What presses particles on each other looks at where the others hold them, and they bear what it does.
        self._finding.sort(key=lambda contact: contact.between)
        self._between = [contact for contact in own if getattr(contact, "between", False)]
        self._others = [contact for contact in own if contact not in self._between]
        self._named = [contact for contact in self._finding if contact.name]
        self._squeezed: tuple[Any, Any]
        self.begin()
        self.begin_frame()

    def __len__(self):
        return len(self._between) + len(self._others)

    @property
    def keep_out(self):
        """Whether any of them is with other things than the particles themselves."""
        return bool(self._others)

    @property
    def between(self):
        """Whether any of them presses particles on each other."""
        return bool(self._between)

    @property
    def foreign(self):
        """Whether any of them is no Contact: nobody knows what it does."""
        return len(self._finding) < len(self)

    def begun(self, x):
        """Positions [m] that a simulation begins at in place of x, see `Contact.begun`."""
        for contact in self._finding:
            x = contact.begun(x)
        return x

    def begin(self):
        """Begin a substep."""
        self._inside = self._filtering = []
        self._bore: list[tuple] = []

    def driven(self):
        """Particles that surfaces bore in the substep so far, and the velocities of these there [m/s], (count, 3)."""
        bore = [contact.driven() for contact in self._inside] + self._bore
        none = np.zeros(0, dtype=np.intp), np.zeros((0, 3))
        particles, surface_v = map(np.concatenate, zip(none, *bore, strict=True))
        return particles, surface_v

    def before(self, start, x, t):
        """Find what touches on the way from the State `start` to x [m] at t [s], and move x onto it.

        x: shape (3, particle_count), changed in place. Returns the seats, or None where nothing sits inside them.
        """
        self.start, self.dt, self._placed = start, t - start.t, None
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
        return joined([of_one for of_one in found if of_one is not None and len(of_one.particles)])

    def thrown(self):
        """The Rebound of what `after` let rebound from surfaces, or None."""
        return _joined(contact.thrown() for contact in self._finding)

    def rebounded(self, blow, gained, x, t):
        """As `before` with velocities that rose by so much [m/s], shape (3, particle_count), at a Blow."""
        seats = self.before(State(self.start.x, self.start.v + gained.T, self.start.t), x, t)
        struck = np.isin(np.arange(len(gained.T)), blow.particles)
        for contact in self._inside:
            contact.rebounded(struck)
        return seats

    @property
    def history(self):
        """What must be known of the substep before, see `Integrator.history`."""
        return ()

    def restore(self, arrays):
        """Go on from a `history`, or from ()."""

    def after(self, before, after, dt):
        """State that all contacts leave of the substep of dt [s] from one State to the other, in turns."""
        for contact in self._others:
            after = self._resolved(contact, before, after)
        resolved = after
        for contact in self._between:
            after = contact.resolve(before, after)
        for _ in range(_TURNS):
            if after is resolved:
                break
            for contact in self._others:
                after = self._resolved(contact, before, after)
            resolved = after
            for contact in self._between:
                after = contact.keep_apart(before, after)
        if len(self._named) > 1:
            found = squeezed([(contact, contact.driven()[0]) for contact in self._named], before, after)
            self._squeezed = max(self._squeezed, found, key=lambda one: len(one[0]))
        return after

    def _resolved(self, contact, before, after):
        after = contact.resolve(before, after)
        if isinstance(contact, Contact):
            self._bore.append(contact.driven())
        return after

    def begin_frame(self):
        """Begin a frame: nothing lacks room in it yet."""
        self._squeezed = np.zeros(0, dtype=np.intp), None

    def squeezed(self, place=slice(None)):
        """What two contacts with names left no room in the frame, where most particles lacked it: a Squeezed, or None.

        place: slice, of the particles that are asked about.
        """
        particles, found = self._squeezed
        if found is None:
            return None
        first, end, _ = place.indices(int(particles.max()) + 1)
        count = int(((first <= particles) & (particles < end)).sum())
        return found._replace(number=count) if count else None

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
