# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles at a surface within the iterations of a substep: each above a plane, with Coulomb's friction."""

from copy import copy
from typing import Any

import numpy as np

from ..axes import dot, put, rows_of
from .given_back import Pushes
from .impact import entries, friction_share, rebound_of, strikes
from .pressed import Pressed

# Friction on the shortest slips is as stiff as so many times the inertia over a substep: there it is rest.
_STIFFEST = 1e3

# Share of its way to its plane without internal forces above which a particle is not on it.
CLOSE = 0.001

# Share of a way that leads up from a plane from which on it leads away.
_AWAY = 0.5

# Slip over the way without internal forces below which it is rounding.
_AT_REST = 1e-6

# [N], [m]: only to divide by.
_LEAST = 1e-300

# What the seats within the iterations know of every particle, and the others.
_IN_THE_SEATS = (
    "particles",
    *("n", "_home", "level", "_least", "_stiffest"),
    *("pressing", "sticking", "_rests", "_comes", "_on", "_above", "_close", "_resting"),
    *("slip", "slipped", "opposed", "_stiffness", "most"),
)
_AT_THE_END = ("surface_v", "struck", "rest_of_impact", "_arriving", "_push", "_stops")


class Touching:
    """What holds particles where a gradient is evaluated, and what of an increment they are held against.

    A particle presses with N, what the gradient has along the normal, and is let go where that pulls. One that rests
    stays while what moves it along the plane is at most friction * N. One that slips by u is held back by as much, like
    by a spring to where it would rest: above |u|, as u^2/(2 |u_0|) + |u_0|/2 is, no step of the model turns it round.

    met: Meeting of the way without internal forces from `start`, a State, to x, shape (particle_count, 3) [m], in
    dt [s]; laws: of all particles coefficients of friction, restitution, and a mask of what rebounds as a whole, or
    None; masses: of all [kg]; looked_at: where they were when their planes were found, shape (particle_count, 3) [m].
    pressing, sticking: masks, of the gradient filtered last; struck: of what meets its plane with an impact; whole: of
    all particles what belongs to bodies that are struck as a whole, and keep the velocities that the method gave them,
    or None.
    """

    def __init__(self, met, laws, start, x, dt, masses, looked_at):
        friction, self._restitution, given_back = laws
        self.particles, self.dt = met.particles, dt
        self.friction = entries(friction, met.particles)
        self._given_back = None if given_back is None else given_back[met.particles]
        laws = self.friction, self._restitution, self._given_back
        self.n, self._home, self.surface_v = (of.T.copy() for of in (met.n, met.home, met.surface_v))
        self._inertia = masses[self.particles] / dt**2
        at, n, reach = rows_of(x, self.particles), self.n, met.reach
        rise = dot(at - self._home, n)
        arriving = dot(rows_of(start.v, self.particles) - self.surface_v, n)
        # Of a steadily accelerated motion.
        leaving = 2.0 * rise / dt - arriving
        # What presses does not leave, whatever it would do without internal forces, unless it rebounds.
        self.most_speed: Any = None
        self._arriving = arriving
        self.struck = strikes(arriving, leaving) & (met.heights < 0.0)
        self.rebound = rebound_of(met, laws, arriving, leaving, dt)
        self.level = dot(at, n) - met.heights
        self.looked_at = looked_at
        depth = np.maximum(-met.heights, 0.0)
        self._comes = _comes(met.heights, rise, reach)
        self._close, self._resting = CLOSE * np.abs(rise), _AT_REST * reach
        # Above a plane, what a gradient has of rounding would stop a particle, without any friction.
        self._least = (self._restitution == 0.0) * self._inertia * self._resting
        self._stiffest = _STIFFEST * self._inertia
        # Of an impact the substep bears the part that is below the surface.
        self.rest_of_impact = np.maximum(-arriving - depth / dt, 0.0)
        self.pressing = self.sticking = self._rests = self._on = np.zeros(len(depth), dtype=bool)
        self.whole: Any = None
        self._of_pressing: tuple[Any, Any] = (None, None)
        self._lets_go = self._sticks = False
        # Of the position placed last: who is on the plane or how far above, what friction opposes, how stiffly it holds
        # what slips, and what it takes at most.
        self.slip = self.opposed = np.zeros((3, len(depth)))
        self._above, self.slipped, self._stiffness, self.most, self._push = np.zeros((5, len(depth)))
        self._stops = self._inertia * depth

    def rebounded(self, struck):
        """See `Contact.rebounded`."""
        off = struck[self.particles] & (self._arriving > 0.0)
        self.most_speed = np.where(off, self._arriving, 0.0)
        self._comes &= ~off

    def place(self, x):
        """Move those below their planes onto them, and back by what friction takes of the slip meanwhile."""
        at = x.take(self.particles, axis=1)
        depth = np.subtract(self.level, dot(self.n, at))
        rounding = 64.0 * np.finfo(np.float64).eps * max(at.max(initial=0.0), -at.min(initial=0.0))
        self._on = depth >= -rounding
        self._above = np.maximum(-depth, 0.0)
        np.maximum(depth, 0.0, out=depth)
        at += depth * self.n
        slip = self._along_planes(at)
        slipped = np.sqrt(dot(slip, slip))
        share = friction_share(self.friction * depth, slipped)
        # Friction brings to rest, and never pushes on.
        turned = dot(slip, self.opposed) < 0.0
        turned &= self.pressing
        if self._sticks:
            turned &= ~self.sticking
        share[turned] = 1.0
        at -= share * slip
        put(x, self.particles, at)
        np.subtract(1.0, share, out=share)
        slip *= share
        slipped *= share
        self.slip, self.slipped = slip, slipped
        self._rests = slipped <= np.maximum(rounding, self._resting)

    def _along_planes(self, at):
        """The ways along the planes to positions of the particles [m], shape (3, count)."""
        way = at - self._home
        way -= dot(way, self.n) * self.n
        return way

    def borne(self, x):
        """See `Contact.borne`."""
        at = x.take(self.particles, axis=1)
        slip = self._along_planes(at)
        friction = np.broadcast_to(self.friction, self.particles.shape)
        return self.particles, self.n.T, self.level - dot(self.n, at), slip.T, friction

    def filter_gradient(self, gradient):
        """Take out of a gradient [N] where `place` left the particles what the surface bears."""
        g = gradient.take(self.particles, axis=1)
        along_n = dot(g, self.n)
        push = np.maximum(along_n, 0.0)
        push *= self._there() & (self._on | (along_n > self._least))
        self.pressing, self._push = push > 0.0, push
        self.most = most = self.friction * push
        pulling = g - along_n * self.n
        pull, stiffest = np.sqrt(dot(pulling, pulling)), self._stiffest
        rests = self._rests
        if self._sticks:
            rests = rests | (self.slipped * stiffest <= most)
        stiffness = np.minimum(most / np.maximum(self.slipped, _LEAST), stiffest)
        stiffness *= ~rests
        self._stiffness = stiffness
        self.sticking = self.pressing & rests
        if not self._sticks:
            self.sticking &= pull <= most
        held = np.minimum(1.0, most / np.maximum(pull, _LEAST))
        if self._sticks:
            held[self.sticking] = 1.0
        # Of what rests, friction opposes the pull; of what slips, the slip.
        pulling *= rests
        self.opposed = self.slip * ~rests
        self.opposed -= pulling
        g -= push * self.n
        g -= held * pulling
        g += stiffness * self.slip
        put(gradient, self.particles, g)

    def _there(self):
        """Who may press: what is on its plane, or comes to it."""
        return self._on | ((self._above < self._close) if self._lets_go else self._comes)

    def energy(self):
        """What friction has taken of the ways along the planes so far [J]."""
        return float(np.einsum("i,i->", self.most, self.slipped))

    def let_go(self):
        """See `Contact.let_go`."""
        self._lets_go = True

    def stick(self):
        """See `Contact.stick`."""
        self._sticks = True

    def hold(self, increment):
        """Hold also those on their planes that an increment would move below; whether there are any."""
        down = -dot(increment.take(self.particles, axis=1), self.n)
        below = ~self.pressing & (down > 0.0) & (self._on | (self._above < self._close))
        self.pressing = self.pressing | below
        return bool(below.any())

    def add_product(self, p, out):
        """Add what friction opposes to increments p of what slips."""
        p = p.take(self.particles, axis=1)
        out[:, self.particles] += self._stiffness * (p - dot(p, self.n) * self.n)

    def among(self, numbers):
        """See `Contact.among`."""
        chosen = np.flatnonzero(numbers[self.particles] >= 0)
        if len(chosen) == 0:
            return None
        few = copy(self)
        few.friction = entries(self.friction, chosen)
        for name in _IN_THE_SEATS:
            setattr(few, name, getattr(self, name).take(chosen, axis=-1))
        few.particles = numbers[few.particles]
        return few

    def joined(self, others):
        """With the particles of another Touching of the same surface and substep, which was placed nowhere."""
        both = copy(self)
        for name in (*_IN_THE_SEATS, *_AT_THE_END):
            setattr(both, name, np.concatenate([getattr(self, name), getattr(others, name)], axis=-1))
        if self.friction.ndim:
            both.friction = np.concatenate([self.friction, others.friction])
        return both

    def end(self):
        """Let go of what presses, and is above its plane all the same: it has not come there."""
        if self.rebound is not None or self._lets_go:
            self.pressing = self.pressing & self._there()
            self.sticking = self.sticking & self._there()

    def pushes(self):
        """See `Contact.pushes`; what was struck, and does not press where the iterations ended, was stopped as well."""
        if self._given_back is None:
            return None
        push = np.where(self.pressing, self._push, np.where(self.struck, self._stops, 0.0))
        chosen = np.flatnonzero(self._given_back & (push > 0.0))
        at = self.particles, self.n.T, push, self.surface_v.T, np.full(len(push), self._restitution)
        return Pushes(*(of_all[chosen] for of_all in at))

    @property
    def pressed(self):
        """The Pressed."""
        if self._of_pressing[0] is not self.pressing:
            self._of_pressing = self.pressing, Pressed(self)
        return self._of_pressing[1]


def _comes(heights, rise, reach):
    """Which particles come to their planes by themselves, a mask.

    heights: over them where ways without internal forces lead; rise: of these ways; reach: their lengths [m]. They
    press wherever their gradient is against the plane, what springs draw when it is there. What comes up through its
    plane goes round an edge, and away from what it was on.
    """
    away = (rise > _AWAY * reach) & (heights - rise < -CLOSE * reach)
    return (heights < reach) & ~away
