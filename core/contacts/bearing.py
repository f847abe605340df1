# SPDX-License-Identifier: GPL-3.0-or-later
"""A contact that bears particles one by one within the iterations."""

from copy import copy
from typing import Any

from .contact import Contact


class Bearing(Contact):
    """A contact whose seat within the iterations is a Touching, where `find` found anything to touch.

    What only springs may draw there is Waiting, and belongs to the Touching from when any of it is on its plane.
    """

    divides = True
    _touching: Any = None
    _waiting: Any = None

    def rebound(self):
        """See `Contact.rebound`."""
        return None if self._touching is None else self._touching.rebound

    def pushes(self):
        """See `Contact.pushes`."""
        return None if self._touching is None else self._touching.pushes()

    def rebounded(self, struck):
        """See `Contact.rebounded`."""
        if self._touching is not None:
            self._touching.rebounded(struck)

    def energy(self):
        """See `Contact.energy`."""
        return self._touching.energy()

    def place(self, x):
        """See `Contact.place`."""
        if self._waiting is not None and self._waiting.reached(x):
            self._gather()
        self._touching.place(x)

    def borne(self, x):
        """See `Contact.borne`."""
        self._gather()
        return self._touching.borne(x)

    def filter_gradient(self, gradient):
        """See `Contact.filter_gradient`."""
        self._touching.filter_gradient(gradient)

    def filter_increment(self, increment):
        """See `Contact.filter_increment`."""
        self._touching.pressed.filter_increment(increment)

    def let_go(self):
        """See `Contact.let_go`."""
        self._gather()
        self._touching.let_go()

    def stick(self):
        """See `Contact.stick`."""
        self._touching.stick()

    def hold(self, increment):
        """See `Contact.hold`."""
        return self._touching.hold(increment)

    def grips(self):
        """See `Contact.grips`."""
        return self._touching.pressed.grips()

    def expect(self, gradient, gained):
        """See `Contact.expect`."""
        self._touching.pressed.expect(gradient, gained)

    def add_product(self, p, out):
        """See `Contact.add_product`."""
        self._touching.add_product(p, out)

    def among(self, numbers):
        """See `Contact.among`."""
        few = copy(self)
        few._touching = self._touching.among(numbers)
        few._waiting = None if self._waiting is None else self._waiting.among(numbers)
        if few._touching is None:
            few._gather()
        return None if few._touching is None else few

    def _gather(self):
        """Let what waits belong to what touches."""
        if self._waiting is not None:
            waited = self._waiting.begin()
            self._touching = waited if self._touching is None else self._touching.joined(waited)
            self._waiting = None

    def struck(self):
        """See `Contact.struck`."""
        found = self._touching
        return super().struck() if found is None else found.particles[found.struck]

    def pressed(self):
        """See `Contact.pressed`."""
        found = self._touching
        return super().pressed() if found is None else found.pressed.particles

    def move_as_a_whole(self, which):
        """See `Contact.move_as_a_whole`."""
        if self._touching is not None:
            self._touching.whole = which

    def recalled(self, previous, after):
        """See `Contact.recalled`."""
        return previous if self._touching is None else self._touching.pressed.recalled(previous, after)
