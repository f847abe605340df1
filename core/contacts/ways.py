# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways of all particles in a substep, and what contacts want to know of them."""

from functools import cached_property
from typing import Any

import numpy as np

from ..directions import lengths


class Ways:
    """Ways from a State to where particles go without internal forces, of which nothing is computed twice.

    start: the State; x: where they lead [m], shape (3, particle_count), which stays as it is while this is in use;
    taut: what `drawn` found besides, see `Drawing`.
    """

    def __init__(self, start, x):
        self.start, self.x = start, x
        self._drawn: Any = None
        self.taut = np.zeros(0, dtype=np.intp)

    @classmethod
    def of(cls, start, x, shared):
        """The Ways from a State to x: those that are shared, if they are these, else others."""
        return shared if shared is not None and shared.start is start and shared.x is x else cls(start, x)

    @cached_property
    def end(self):
        """x with one row a particle."""
        return np.ascontiguousarray(self.x.T)

    @cached_property
    def ways(self):
        """The ways [m], shape (particle_count, 3)."""
        return self.end - self.start.x

    @cached_property
    def far(self):
        """How far every particle goes [m]."""
        return lengths(self.ways)

    @cached_property
    def box(self):
        """Lowest and highest corners of the box about x, and how far anything goes [m]."""
        return self.x.min(axis=1), self.x.max(axis=1), float(self.far.max(initial=0.0))

    def drawn(self, drawing):
        """What a Drawing of the body's network says of x; all contacts of a body have the same."""
        if self._drawn is None:
            self._drawn, self.taut = drawing.ways(self.x), drawing.taut
        return self._drawn


def finding(contacts, start, x, t):
    """Those of some contacts that find what touches on the way from a State to x [m] at t [s]: they share the Ways."""
    ways = Ways(start, x)
    for contact in contacts:
        contact.ways = ways
    found = [contact for contact in contacts if contact.find(start, x, t)]
    for contact in contacts:
        # From here on x moves.
        contact.ways = None
    return found
