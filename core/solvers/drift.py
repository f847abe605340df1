# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of what nothing holds as a whole, which no iteration may change: its momentum."""

from typing import Any

import numpy as np

from ..topology import connected_parts, network_parts


def sides_of(rows, part):
    """Numbers of the parts at both sides of Rows, shape (count, 2), and which are with an obstacle: there both are one.

    part: number of its part of every particle. A corner without weight stands for nothing: in place of an obstacle's it
    is the first particle there is.
    """
    corners, place = rows.corners.values, np.arange(len(rows.offsets))
    if rows.of_single:
        return part[corners[:, [0, 0]]], np.ones(len(place), dtype=bool)
    outside = rows.with_obstacles()
    ones, others = rows.weights.argmax(axis=1), rows.weights.argmin(axis=1)
    heaviest = np.abs(rows.weights).argmax(axis=1)
    sides = np.stack([np.where(outside, heaviest, of) for of in (ones, others)], axis=1)
    return part[corners[place[:, None], sides]], outside


class Drift:
    """Means of fields by mass over groups of particles that nothing holds: how their centres of mass move.

    Few iterations keep the momentum of a group only where nothing adds to it, and single precision rounds it.

    masses [kg] and group: of every particle; held: mask of the groups that something holds. Fields are of shape
    (3, particle_count).
    """

    def __init__(self, masses, group, held):
        self._masses, self._group, self._free = masses, group, ~held
        self._of_group: Any = np.bincount(group, masses) if self.any else None

    @classmethod
    def of_parts(cls, network, others=()):
        """That of the parts of a SpringNetwork that neither a pin holds nor others, told by what chooses particles."""
        part = network_parts(network)
        held = cls.held_parts(network, part)
        for chosen in others:
            held[part[chosen]] = True
        return cls(network.masses, part, held)

    @staticmethod
    def held_parts(network, part):
        """Mask of the parts that a pin holds."""
        held = np.zeros(part.max(initial=-1) + 1, dtype=bool)
        held[part[network.pinned]] = True
        return held

    @classmethod
    def of_touching(cls, network, part, contacts):
        """That of parts, see `network_parts`, with those that they touch in a ContactSet, or None; obstacles hold."""
        held = cls.held_parts(network, part)
        if contacts is None:
            return cls(network.masses, part, held)
        both, outside = contacts.sides(part)
        held[both[outside, 0]] = True
        if held.all():
            return cls(network.masses, part, held)
        group = connected_parts(both, len(held))
        stays = np.zeros(group.max(initial=-1) + 1, dtype=bool)
        stays[group[held]] = True
        return cls(network.masses, group[part], stays)

    @property
    def any(self):
        """Whether any group is free."""
        return bool(self._free.any())

    def remove(self, field, of=None):
        """Take from a field, in place, the drift of another one, of itself unless told; returns it."""
        if self.any:
            for row, other in zip(field, field if of is None else of, strict=True):
                mean = np.bincount(self._group, self._masses * other) / self._of_group
                row -= np.where(self._free, mean, 0.0)[self._group]
        return field
