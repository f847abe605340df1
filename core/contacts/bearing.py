# SPDX-License-Identifier: GPL-3.0-or-later
"""A contact that bears particles one by one within the iterations."""

from copy import copy
from typing import Any

from .contact import Contact


class Bearing(Contact):
    """A contact whose seat within the iterations is a Touching, where `find` found anything to touch."""

    divides = True
    _touching: Any = None

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
        self._touching.place(x)

    def borne(self, x):
        """See `Contact.borne`."""
        return self._touching.borne(x)

    def filter_gradient(self, gradient):
        """See `Contact.filter_gradient`."""
        self._touching.filter_gradient(gradient)

    def filter_increment(self, increment):
        """See `Contact.filter_increment`."""
        self._touching.pressed.filter_increment(increment)

    def let_go(self):
        """See `Contact.let_go`."""
        self._touching.let_go()

    def stick(self):
        """See `Contact.stick`."""
        self._touching.stick()

    def hold(self, increment):
        """See `Contact.hold`."""
        return self._touching.hold(increment)

    def add_product(self, p, out):
        """See `Contact.add_product`."""
        self._touching.add_product(p, out)

    def among(self, numbers):
        """See `Contact.among`."""
        few = copy(self)
        few._touching = self._touching.among(numbers)
        return None if few._touching is None else few

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
            self._touching.whole = which[self._touching.particles]

    def recalled(self, previous, after):
        """See `Contact.recalled`."""
        return previous if self._touching is None else self._touching.pressed.recalled(previous, after)
