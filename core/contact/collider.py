# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that particles collide with."""

from typing import Any

import numpy as np

from ..quantities import frozen, quantity, real_array
from .contact import over_time
from .shape import Shape


class Collider(Shape):
    """A shape that particles stay out of, or in, with Coulomb friction and rebound; see `Shape`.

    friction: coefficient >= 0, static and kinetic.
    restitution: share of the approach's speed with which bodies rebound, 0 to 1.
    thickness: distance >= 0 that particles keep from the surface [m].
    friction and thickness: one number, or one for every particle, or a callable t -> either, which is asked for what
        is so in all of a frame by the time at which that ends.
    acts: callable t -> whether anything collides with it in the substep that ends then; None for always.

    held_particles: mask of those of its body that do not collide with it, see `held`.

    Raises ValueError for what is out of its range, or a pose that is no rigid matrix.
    """

    held_particles: Any = None

    def __init__(self, friction=0.5, restitution=0.0, thickness=0.0, inside=False, pose=None, acts=None):
        super().__init__(inside, pose)
        self._acts = acts
        self.varying, now = over_time(friction=friction, thickness=thickness)
        self.friction, self.thickness = (self.checked(name, value) for name, value in now.items())
        self.restitution = float(self._quantity("restitution", restitution, 1, most=1.0)[0])

    def prepare(self):
        """Check that there is one number for every particle, where there are several."""
        network = self.body.network
        self.held_particles = self.held(network)
        for name in ("friction", "thickness"):
            self._quantity(name, getattr(self, name), network.vertex_count)

    def held(self, network):
        """Mask of a network's particles that do not collide with it: hard pins begin inside and hold them there.

        Of a mesh all keep no more than they begin with: pins hold what is near them in it if they are in it themselves.
        """
        pins = network.hard_pins
        if len(pins) == 0 or not self.acts(0.0):
            return np.zeros(network.vertex_count, dtype=bool)
        of_mesh = self.triangles is not None and not self.inside
        kept = 0.0 if of_mesh else of_particles(self.thickness, pins)
        return held_inside(network, self._sided(network.points[pins], 0.0, 0.0)[0] - kept)

    def acts(self, t):
        """Whether anything collides with it in the substep that ends at t [s]."""
        return self._acts is None or bool(self._acts(t))

    def above(self, x, t, dt, particles):
        """Heights of particles over where it keeps them, and the distances that it keeps [m], at x [m] and t [s].

        x: of all, shape (particle_count, 3); dt: of the substep that ends then [s].
        """
        distances, kept = self.look(x[particles], t, dt)[0], of_particles(self.thickness, particles)
        return distances - kept, np.broadcast_to(kept, distances.shape)

    def checked(self, name, value):
        """See `Contact.checked`."""
        array = real_array(f"the {self.label.lower()}'s {name}", value)
        unit = "m" if name == "thickness" else ""
        count = self._count(array)
        self._quantity(name, array, count, unit)
        return frozen(array)

    def _quantity(self, name, given, count, unit="", *, most=np.inf):
        return quantity(f"the {self.label.lower()}'s {name}", given, "particle", count, unit, most=most)


def of_particles(given, particles):
    """A collider's number, or its numbers for some particles."""
    return given if given.ndim == 0 else given[particles]


def held_inside(network, heights):
    """Mask of the particles that hard pins hold below heights of 0, the pins among them, shape (particle_count,).

    Out of the surface they would be farther from the pins than springs are long.

    heights: of hard pins above where the surface keeps particles, in the order of `network.hard_pins` [m].
    A pin as deep as d keeps what is within d of it, along springs at rest, inside: nothing nearer than d is outside.
    """
    slack = np.full(network.vertex_count, np.inf)
    slack[network.hard_pins] = heights
    if not (slack < 0.0).any():
        return np.zeros(network.vertex_count, dtype=bool)
    whole = ~network.broken
    edges, lengths = network.edges[whole], network.rest_lengths[whole]
    ends, others = edges.ravel(), edges[:, ::-1].ravel()
    lengths = np.repeat(lengths, 2)
    while True:
        # How far every particle may come above the surface: no farther than its neighbours by the springs to them.
        near = np.flatnonzero(slack[others] < 0.0)
        reach = slack.copy()
        np.minimum.at(reach, ends[near], slack[others[near]] + lengths[near])
        if np.array_equal(reach, slack):
            return slack < 0.0
        slack = reach
