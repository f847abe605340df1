# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles that two surfaces press on from both sides, with less room between them than they keep."""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..triangle_mesh.triangles import ROUNDING
from .carrying import HALFWAY


class Squeezed(NamedTuple):
    """Particles without room: their number, the names of the surface they are in and of the one that presses them
    there, and the distance that the two keep from each other where cloth is between them [m]."""

    number: int
    into: str
    by: str
    room: float


class WithoutRoom:
    """Particles without room between two named contacts in a frame.

    with_names: numbers that rows are owned by, and the contacts of these.
    """

    def __init__(self, with_names):
        self._with_names = with_names
        self._most: tuple[Any, Any] = (np.zeros(0, dtype=np.intp), None)

    def note(self, rows, normal, inside, before, after):
        """Take note of what Rows, or a Near, press with [N] at the end of a substep from one State to another.

        inside: by some owners' numbers the particles inside, indices.
        """
        if len(self._with_names) < 2:
            return
        bearing = [
            (of, np.append(rows.pressed_by(number, normal), inside.get(number, ())).astype(np.intp))
            for number, of in self._with_names
        ]
        self._most = max(self._most, squeezed(bearing, before, after), key=lambda one: len(one[0]))

    def most(self, place=slice(None)):
        """A Squeezed where most particles lacked room, or None; place: slice, of the particles that are asked about."""
        particles, found = self._most
        if found is None:
            return None
        first, end, _ = place.indices(int(particles.max()) + 1)
        count = int(((first <= particles) & (particles < end)).sum())
        return found._replace(number=count) if count else None


def squeezed(bearing, before, after):
    """Particles without room where a substep from one State to the other has ended, and the Squeezed of most of them.

    bearing: Contacts with names, and the particles that each bore in the substep.
    Returns indices, shape (count,), and None where there are none.
    """
    found, x = [], after.x
    bearing = [(contact, np.unique(particles)) for contact, particles in bearing]
    for (one, among), (other, others) in combinations(bearing, 2):
        both = np.intersect1d(among, others, assume_unique=True)
        if len(both) == 0:
            continue
        heights, kept = zip(
            *(of.above(x, after.t, after.t - before.t, both) for of in (one, other)), strict=True
        )
        room = float(sum(distances.max() for distances in kept))
        for place, (into, by) in enumerate(((one, other), (other, one))):
            deep = both[heights[place] < (HALFWAY - 1.0) * kept[place] - ROUNDING * np.abs(x).max()]
            if len(deep):
                found.append((deep, Squeezed(len(deep), into.name, by.name, room)))
    return max(found, key=lambda one: one[1], default=(np.zeros(0, dtype=np.intp), None))
