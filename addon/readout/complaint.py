# SPDX-License-Identifier: GPL-3.0-or-later
"""A sentence of the status."""

from typing import Any, NamedTuple

from ..sections.collisions import HINT


class Complaint(NamedTuple):
    """A sentence on what is not as it should be, and the ids of the REMEDIES that may help, the best first.

    A sidebar shows two lines of it beside a button, so what is wrong stands first. vertices: numbers of those it is
    about.
    """

    text: str
    remedies: tuple[str, ...] = ()
    icon: str = "ERROR"
    vertices: Any = ()

    @property
    def rank(self):
        """Its place among others: faults are told first, then remarks, then hints."""
        return {"INFO": 1, HINT: 2}.get(self.icon, 0)

    @property
    def hint(self):
        """Whether it is good to know, and takes no tick."""
        return self.icon == HINT
