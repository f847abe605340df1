# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of what pins hold a part of: pins win."""

from typing import NamedTuple

import numpy as np

from ..directions import LEAST


def asked(corners, weights, held):
    """Share of what each contact lacks that it asks of its free corners, shape (count,), or None for all of all.

    Next to a pin a free corner would have to go as far as the contact lacks over its weight there, which has no bound.
    As if what is held on its side were free, it goes no farther than that: what it leaves is between pins and what
    comes to them. Where the other side is free, that gives way. corners: indices, and weights, shape (count, 4), 0 of
    obstacles; held: a mask of the particles.
    """
    held = held[corners] & (weights != 0.0)
    which = np.flatnonzero(held.any(axis=1))
    if len(which) == 0:
        return None
    weights, held = weights[which], held[which]
    free, beside = (weights != 0.0) & ~held, np.zeros_like(held)
    for side in (weights > 0.0, weights < 0.0):
        gives = (side & free).any(axis=1, keepdims=True) & ~(~side & free).any(axis=1, keepdims=True)
        beside |= side & held & gives
    own, others = ((weights**2 * of).sum(axis=1) for of in (free, beside))
    shares = np.ones(len(corners))
    shares[which] = own / np.maximum(own + others, LEAST)
    return shares


class NearPins(NamedTuple):
    """Particles near a pin along the cloth: no surface gets them farther off than that has room and they reach.

    particles, pins: indices of them and of the pin that is nearest to each; ways: along springs at rest [m].
    """

    particles: np.ndarray
    pins: np.ndarray
    ways: np.ndarray

    @classmethod
    def of(cls, network, most):
        """Those that are no farther than so much from a hard pin [m]. Needs SciPy."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra

        shape, lengths = (network.vertex_count,) * 2, np.maximum(network.rest_lengths, LEAST)
        graph = csr_matrix((lengths, network.edges.T), shape)
        how = {"directed": False, "limit": most, "min_only": True, "return_predecessors": True}
        ways, _, pins = dijkstra(graph, indices=network.hard_pins, **how)
        held = np.zeros(network.vertex_count, dtype=bool)
        held[network.hard_pins] = True
        particles = np.flatnonzero(np.isfinite(ways) & ~held)
        return cls(particles, pins[particles], ways[particles])

    def lacks(self, pins, lacking):
        """Which of them lack room, and how much [m], where pins of some indices lack so much [m]."""
        of_pins = np.zeros(int(self.pins.max(initial=-1)) + 2)
        within = pins < len(of_pins)
        of_pins[pins[within]] = lacking[within]
        found = of_pins[self.pins] - self.ways
        which = np.flatnonzero(found > 0.0)
        return which, found[which]


class Pins(NamedTuple):
    """What pins hold in a substep: a mask, and ways, shape (3, n) [m], nought of all others.

    near: NearPins; sides: a list of Sides of those that do not meet the collider that they are in.
    """

    held: np.ndarray
    ways: np.ndarray
    near: NearPins
    sides: list
