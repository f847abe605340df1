# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of every contact."""

from collections.abc import Callable, Mapping
from copy import copy
from types import MappingProxyType
from typing import Any

import numpy as np


class Contact:
    """Keeps particles out of something; `PotentialContacts` makes stencils of all contacts of a body.

    A new shape is a subclass of `Collider` in a file of its own and one line in CONTACTS.
    1. `label` and `description` describe it to people. All arguments have defaults, and are checked when it is made.
    2. `prepare` computes what is constant for a body, once; the body is `self.body`.
    3. `varying` has those of its quantities that are functions of time: callables t -> array by attribute.

    A simulation makes a copy for its body: one contact may serve several simulations.

    between: whether it is between particles. name: what people call what it keeps particles out of, "" where nobody
    asks.
    """

    label = ""
    description = ""
    name = ""
    body: Any
    between = False
    varying: Mapping[str, Callable] = MappingProxyType({})

    def on(self, body):
        """A copy for a body; itself where it is for that one already."""
        if getattr(self, "body", None) is body:
            return self
        contact = copy(self)
        contact.body = body
        contact.prepare()
        return contact

    def at(self, t):
        """The contact with its quantities as they are at t [s]: itself where they are what they were.

        Raises ValueError for what is out of its range then.
        """
        values = {name: self.checked(name, of(t)) for name, of in self.varying.items()}
        if all(np.array_equal(value, getattr(self, name)) for name, value in values.items()):
            return self
        contact = copy(self)
        for name, value in values.items():
            setattr(contact, name, value)
        return contact

    def checked(self, name, value):
        """A quantity of every particle as an array; raises ValueError for one that is out of its range."""
        raise TypeError(
            f"{type(self).__name__} has no {name} of every particle: a contact that has any must check it"
        )

    def _count(self, values):
        """How many particles its body has, or before it is on one, how many values there are."""
        return self.body.network.vertex_count if hasattr(self, "body") else max(values.size, 1)

    def prepare(self):
        """Compute what stays the same for a body."""


def over_time(**given):
    """Quantities that are callables of time, and all of them as they are at the start, two dicts by name."""
    varying = {name: of for name, of in given.items() if callable(of)}
    return varying, {name: of(0.0) if name in varying else of for name, of in given.items()}
