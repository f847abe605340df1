# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of every contact."""

from copy import copy
from typing import Any


class Contact:
    """Keeps particles out of something; `PotentialContacts` makes stencils of all contacts of a body.

    A new shape is a subclass of `Collider` in a file of its own and one line in CONTACTS.
    1. `label` and `description` describe it to people. All arguments have defaults, and are checked when it is made.
    2. `prepare` computes what is constant for a body, once; the body is `self.body`.

    A simulation makes a copy for its body: one contact may serve several simulations.

    between: whether it is between particles. name: what people call what it keeps particles out of, "" where nobody
    asks.
    """

    label = ""
    description = ""
    name = ""
    body: Any
    between = False

    def on(self, body):
        """A copy for a body."""
        contact = copy(self)
        contact.body = body
        contact.prepare()
        return contact

    def prepare(self):
        """Compute what stays the same for a body."""
