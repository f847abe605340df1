# SPDX-License-Identifier: GPL-3.0-or-later
"""How far off their ways particles may end before these are searched again."""

import numpy as np

from ..directions import lengths
from ..solvers.drift import Drift
from ..topology import network_parts

# Share of its way by which a particle may end off it, of the distance that is kept, and of the mesh's sides: beyond, it
# is searched again. What may touch itself has many pairs near: there less is searched, and again more often. A frame of
# a ribbon's heap, from three starts, takes 424 ms with (0.1, 0.2, 0.1), 405 with halves of these, 377 with (0.02, 0.1,
# 0.05), 360 with these and 369 with (0.01, 0.02, 0.01).
_OFF, _OFF_WITHIN = (0.25, 0.5, 0.1), (0.02, 0.05, 0.025)


class Margins:
    """About the ways of particles, of each by what its own part moves with, is made of and keeps.

    So what else there is changes nothing of what is found near it.

    contacts: ContactOf each; sides: of the triangles of its part, of every particle [m]; between: whether any is
    between particles.
    least: about what does not move, of every particle [m].
    """

    def __init__(self, network, contacts, sides, between):
        self._of_way, *off = _OFF_WITHIN if between else _OFF
        self.least = off[1] * sides
        # Of several distances the least: what is near by that of a body would be searched by that of thin cloth.
        kept = np.full(len(sides), np.inf)
        for contact, particles in contacts:
            kept[particles] = np.minimum(kept[particles], float(np.max(contact.thickness)))
        self.least = np.maximum(self.least, off[0] * np.where(np.isfinite(kept), kept, 0.0))
        # A particle outside all parts belongs with all others outside.
        part = network_parts(network)
        part = np.where(np.bincount(part)[part] > 1, part + 1, 0)
        self._drift = Drift(network.masses, part, np.zeros(part.max(initial=-1) + 1, dtype=bool))

    def about(self, start, end):
        """How far off its way each particle may end [m]; start, end: shape (n, 3) [m]."""
        way = np.ascontiguousarray((end - start).T)
        return self.least + self._of_way * lengths(self._drift.remove(way).T)
