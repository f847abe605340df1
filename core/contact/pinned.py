# SPDX-License-Identifier: GPL-3.0-or-later
"""Pinned particles beside colliders, and inside them."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..directions import LEAST
from .collider import of_particles
from .contact_set import STIFF
from .held_corners import asked
from .shared_room import Sides

# Share of what is lacked that free corners are asked for below which it is left to pins: half way along an edge from
# what is held to what is free it is a half.
_PINS_WIN = 0.5


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
    """Pinned particles in a substep: a mask, and displacements, shape (3, n) [m], zero for all others.

    near: NearPins; sides: a list of Sides of those that do not meet the collider that they are in.
    """

    held: np.ndarray
    ways: np.ndarray
    near: NearPins
    sides: list

    def win(self, corners, weights):
        """Which contacts are nearer to what they hold than to what is free, a mask; see `asked`."""
        shares = asked(corners, weights, self.held)
        return np.zeros(len(corners), dtype=bool) if shares is None else shares < _PINS_WIN


class Pinned:
    """Hard pins of a SpringNetwork beside colliders that have triangles, ContactOf by the numbers of their owners.

    kept: the most that is kept from any [m].
    """

    def __init__(self, network, colliders, kept):
        self._network, self._colliders, self._most = network, colliders, float(kept.max(initial=0.0))
        self._held = np.zeros(network.vertex_count, dtype=bool)
        self._held[network.hard_pins] = True

    @cached_property
    def _near(self):
        return NearPins.of(self._network, self._most)

    def at(self, start, end, inside, t, dt):
        """The Pins of a substep of dt [s] that ends at t [s], or None where there is none to keep off anything.

        start, end: of all paths, shape (n, 3) [m]; inside: by the number of a collider, the particles inside, indices.
        """
        if not (len(self._network.hard_pins) and len(self._colliders)):
            return None
        sides = [
            _sides(shape, number, self._among(shape, inside.get(number)), end, t, dt)
            for number, shape in self._colliders
            if shape.contact.acts(t)
        ]
        ways = self._held * (end - start).T
        return Pins(self._held, ways, self._near, [of for of in sides if of is not None])

    def _among(self, shape, inside):
        """Pins that do not meet a collider: those that began inside, and those that went in since."""
        pins = np.zeros(len(self._held), dtype=bool)
        pins[shape.particles] = shape.contact.held_particles
        if inside is not None:
            pins[inside] = True
        return np.flatnonzero(pins & self._held)


def _sides(shape, number, pins, end, t, dt):
    """Where a collider pushes pins to that it does not meet, as Sides, or None of none."""
    if len(pins) == 0:
        return None
    distances, normals, _ = shape.contact.look(end[pins], t, dt)
    kept = of_particles(shape.contact.thickness, pins - shape.first) + np.zeros(len(pins))
    return Sides(pins, normals.T, distances - kept, STIFF * kept, np.full(len(pins), number))
