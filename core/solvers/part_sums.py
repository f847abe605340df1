# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums over the parts of a network that know nothing of each other, and steps of a size of their own for each."""

import numpy as np

from ..topology import connected_parts, network_parts


class PartSums:
    """Sums of fields, shape (3, n), over parts that springs, volumes, enclosures or air join.

    What a sum over all particles decides, as how far a step goes, one part would decide for another.

    network: SpringNetwork; airs: ReactiveAirs.
    part: number of its part of every particle; count: of parts; several: whether there is more than one.
    of_airs: the part of each of the airs; of_pieces: a vertex of every piece that is enclosed; of_springs_alone: mask
    of the parts whose kept matrix is nowhere below half of the second derivative: with neither.
    """

    def __init__(self, network, airs=()):
        part = network_parts(network)
        links = [np.stack([of[:-1], of[1:]], axis=1) for of in (part[air.place] for air in airs)]
        boxes = part[network.volumes.vertices]
        links += [boxes[:, [0, corner]] for corner in range(1, boxes.shape[1])]
        corners = part[network.enclosures.triangles]
        pairs = np.concatenate([*links, corners[:, [0, 1]], corners[:, [1, 2]]])
        apart = pairs[:, 0] != pairs[:, 1]
        if apart.any():
            part = connected_parts(pairs[apart], part.max() + 1)[part]
        self.part, self.count = part, int(part.max(initial=-1)) + 1
        self.several = self.count > 1
        self.of_airs = [int(part[air.place][0]) for air in airs]
        self.of_pieces = np.zeros(len(network.enclosures), dtype=np.intp)
        self.of_pieces[network.enclosures.owner] = network.enclosures.triangles[:, 0]
        self._first = np.unique(part, return_index=True)[1]
        self.of_springs_alone = np.ones(self.count, dtype=bool)
        self.of_springs_alone[[*self.of_airs, *part[self.of_pieces]]] = False

    def sums(self, values, at=None):
        """Sums of numbers, one of every particle, or of what is at these, over the parts, shape (count,)."""
        return np.bincount(self.part if at is None else self.part[at], values, self.count)

    def each(self, numbers):
        """Numbers of the parts, for every particle."""
        return numbers[self.part]

    def dot(self, a, b):
        """Products of two fields, summed over the parts."""
        return self.sums(np.einsum("ij,ij->j", a, b))

    def nearby(self, x):
        """Places about the first particle of each part: far from the origin rounding is as large as what bends."""
        return x - x[:, self._first].take(self.part, axis=1)

    def inertial(self, away, inertia, airs, dt):
        """Energy of inertia, and of the airs', of every part [J] where particles are so far away [m]."""
        energies = self.sums(inertia * np.einsum("ij,ij->j", away, away))
        for air, part in zip(airs, self.of_airs, strict=True):
            momentum = air.momentum(away)
            energies[part] += float(np.einsum("i,i->", momentum, momentum)) / dt**2
        return 0.5 * energies

    def chosen(self, places, values):
        """Of some places each part's own with the lowest value, in one array; values: of every place and part."""
        numbers = np.argmin(values, axis=0)
        if (numbers == numbers[0]).all():
            return places[numbers[0]]
        return np.choose(numbers[self.part], np.stack(places))
