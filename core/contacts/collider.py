# SPDX-License-Identifier: GPL-3.0-or-later
"""What all shapes do in the seats of a contact."""

from typing import Any

import numpy as np

from ..directions import lengths
from ..quantities import quantity
from ..state import State
from .around_edges import friction_around_edges
from .bearing import Bearing
from .clearance import clearance
from .coming_out import ComingOut
from .drawing import Drawing
from .held_inside import held_inside
from .impact import Rebound, entries, struck
from .looks import first_look
from .meeting import meeting
from .shape import Shape
from .waiting import seated
from .ways import Ways

# Way along the plane that was found under a particle, over the thickness, within which it stands for the surface.
_SLID = 0.01


class Collider(Shape, Bearing):
    """A shape that particles stay out of, or in, with Coulomb friction and rebound, in all seats; see `Shape`.

    friction: coefficient >= 0, static and kinetic: a particle that loses the normal velocity dv_n loses up to
        friction * dv_n of its velocity along the surface, and the same share of the way it slid in the step: without
        the latter, a particle at rest on a slope would creep by g dt^2 a step.
    restitution: share of the approach's speed with which particles rebound, 0 to 1.
    thickness: distance >= 0 that particles keep from the surface [m].
    friction and thickness: one number, or one for every particle.
    acts: callable t -> whether anything collides with it in the substep that ends then; None for always.

    Raises ValueError for what is out of its range, or a pose that is no rigid matrix.
    """

    def __init__(self, friction=0.5, restitution=0.0, thickness=0.0, inside=False, pose=None, acts=None):
        super().__init__(inside, pose)
        self._acts = acts
        self.friction = self._per_particle("friction", friction)
        self.thickness = self._per_particle("thickness", thickness, "m")
        self.restitution = float(self._quantity("restitution", restitution, 1, most=1.0)[0])
        self._found: tuple[Any, Any, Any] = (None, None, None)
        self._gravity, self._thrown = np.zeros(3), None
        # Positions alone, without a body, have no springs.
        self._coming_out = ComingOut(None)
        # What met it at the end of the substep.
        self._met_last: Any = None
        self._drawing: Any = None
        self._given_back: Any = None
        # Positions alone, without a body, have no pins.
        self._network: Any = None
        self._free = self.held_particles = None

    def prepare(self):
        """Check that there is one number for every particle, where there are several."""
        network = self._network = self.body.network
        self.held_particles = self.held(network)
        self._free = (network.pins < 1.0) & ~self.held_particles
        self._drawing = Drawing(network)
        self._coming_out = ComingOut(network)
        for name in ("friction", "thickness"):
            self._quantity(name, getattr(self, name), self.body.network.vertex_count)

    def held(self, network):
        """Mask of a network's particles that do not collide with it: hard pins begin inside and hold them there."""
        pins = network.hard_pins
        if len(pins) == 0 or not self.acts(0.0):
            return np.zeros(network.vertex_count, dtype=bool)
        distances = self._sided(network.points[pins], 0.0, 0.0, None)[0]
        return held_inside(network, distances - entries(self.thickness, pins))

    def fall(self, gravity):
        """See `Contact.fall`."""
        self._gravity = np.asarray(gravity)

    def acts(self, t):
        """Whether anything collides with it in the substep that ends at t [s]."""
        return self._acts is None or bool(self._acts(t))

    def find(self, start, x, t):
        """See `Contact.find`: what is not farther from the surface than it moves, or springs draw it, may meet it."""
        self._met_last = None
        self._coming_out.begin()
        if not self.acts(t):
            self._found, self._touching, self._waiting = (None, None, None), None, None
            return False
        ways, dt = Ways.of(start, x, self.ways), t - start.t
        clear, end = clearance(self._box(), ways, self._drawing.least, self.thickness.max()), ways.end
        self._pose.ask(t, t - dt)
        if clear > 0.0:
            self._found, self._touching = (start, end, np.full(len(end), clear)), None
            self._waiting = None
            return False
        drawn = ways.drawn(self._drawing)
        self._expect(start, end, t, drawn)
        near, found, looked_at, least = first_look(self, ways, t, dt, drawn)
        met, _ = self._met(start, end, t, near, found, entries(drawn, near))
        met, heights = met.chosen(self._free[met.particles]), least - self.thickness
        # What passed through is below the surface, and above what it is nearest to.
        heights[met.particles] = np.minimum(heights[met.particles], met.heights)
        met = self._coming_out.eased(self, met, start.x, t, dt)
        if self._coming_out.carried is not None:
            heights[self._coming_out.carried.particles] = np.inf
        self._found, self._touching, self._waiting = (start, end, heights), None, None
        if len(met.particles):
            friction = friction_around_edges(self._network, ways.taut, start.x, met, self.friction)
            laws = friction, self.restitution, self._given_back
            how = laws, start, end, dt, self.body.network.masses, looked_at
            self._touching, self._waiting = seated(met, *how)
        return self._touching is not None

    def resolve(self, before, after):
        """Put particles inside onto the surface and take their velocity into it, but for the rebound."""
        self._thrown = self._met_last = None
        t, dt = after.t, after.t - before.t
        if not self.acts(t):
            return after
        pressed, others = self._at_the_end(before, after)
        if len(others) == 0 and pressed is None:
            return self._coming_out.carried_on(after, dt)
        found = self._found_for(before)
        if not found:
            self._pose.ask(t, t - dt)
            self._coming_out.begin()
        slid = pressing = np.zeros(0, dtype=np.intp)
        if pressed is not None:
            pressing = pressed.particles
            slid = pressed.arrive(after.x, _SLID * entries(self.thickness, pressing))
        # Of all at once: most of what a look costs is to begin.
        looking = np.concatenate([pressing[slid], others])
        looked = self.look(after.x.take(looking, axis=0), t, dt, looking)
        anew, of_others = zip(*(np.split(of, [len(slid)]) for of in looked), strict=True)
        met, _ = self._met(before, after.x, t, others, of_others)
        met = self._coming_out.eased(self, met.chosen(met.heights < 0.0), before.x, t, dt, anew=not found)
        # Positions alone, without a body, have no pins.
        met = met.chosen((met.heights < 0.0) & (self._free is None or self._free[met.particles]))
        if len(met.particles) == 0 and pressed is None:
            return self._coming_out.carried_on(after, dt)
        self._met_last = met
        x, v = after.x.copy(), after.v.copy()
        start, restitution = (self._found[0], 0.0) if found else (before, self.restitution)
        if len(met.particles):
            struck(x, v, start, met, entries(self.friction, met.particles), restitution, dt, self._gravity)
            if restitution > 0.0:
                self._thrown = Rebound(met.particles, met.surface_v, None)
        if pressed is not None:
            kept = entries(self.thickness, pressing[slid]) - self._coming_out.let_in[pressing[slid]]
            pressed.look_anew(slid, anew, kept)
            pressed.settle(x, v)
        return self._coming_out.carried_on(State(x, v, t), dt)

    def driven(self):
        """See `Contact.driven`."""
        found, touching = [super().driven()], self._touching
        if touching is not None:
            # What rebounds does not press where the substep ends.
            which = slice(None) if self.rebounds else touching.pressed.which
            found.append((touching.particles[which], touching.surface_v.T[which]))
        if self._met_last is not None:
            found.append((self._met_last.particles, self._met_last.surface_v))
        return self._coming_out.driving(*map(np.concatenate, zip(*found, strict=True)))

    def above(self, before, x, t, particles):
        """See `Contact.above`."""
        at, kept = x.take(particles, axis=0), entries(self.thickness, particles)
        met, heights = self._met(before, x, t, particles, self.look(at, t, t - before.t, particles))
        heights[np.searchsorted(particles, met.particles)] = met.heights
        return heights, np.broadcast_to(kept, heights.shape)

    @property
    def rebounds(self):
        """See `Contact.rebounds`."""
        return self.restitution > 0.0

    def give_back(self, which):
        """See `Contact.give_back`."""
        self._given_back = which if self.restitution > 0.0 and which.any() else None

    def _expect(self, start, x, t, drawn):
        """Learn how far all particles go, from a State to x [m] at t [s], and springs may draw them from there [m]."""

    def thrown(self):
        """See `Contact.thrown`."""
        return self._thrown

    def _found_for(self, before):
        """Whether `find` has looked in the substep that began with a State, whatever impacts made of its velocities."""
        return self._found[0] is not None and self._found[0].x is before.x

    def _at_the_end(self, before, after):
        """The Pressed of what presses within the iterations, or None of none, and the others that may be inside."""
        if not self._found_for(before):
            return None, np.arange(len(after.x))
        _, x, heights = self._found
        near, pressed = heights < lengths(after.x - x), None
        if self._touching is not None:
            self._touching.end()
            pressed = self._touching.pressed
            near[pressed.particles] = False
        return pressed if pressed is not None and len(pressed.which) else None, np.flatnonzero(near)

    def _met(self, start, x, t, particles, found, margin=0.0):
        dt = t - start.t
        ways = start.x, x, dt, particles, margin
        convex = self.convex and not self.inside
        return meeting(
            lambda at, of=None: self._sided(at, t, dt, of), found, self.thickness, *ways, convex=convex
        )

    def _per_particle(self, name, given, unit=""):
        array = np.asarray(given, dtype=np.float64)
        return self._quantity(name, array, max(array.size, 1), unit).reshape(array.shape)

    def _quantity(self, name, given, count, unit="", *, most=np.inf):
        return quantity(f"the {self.label.lower()}'s {name}", given, "particle", count, unit, most=most)
