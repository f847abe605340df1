# SPDX-License-Identifier: GPL-3.0-or-later
"""Particles at a surface within the iterations of a substep: each above a plane, with Coulomb's friction."""

from copy import copy

import numpy as np

from ..axes import dot, put
from ..directions import across, along, lengths
from ..state import State
from .given_back import Pushes
from .impact import Blow, Rebound, bounce, entries, friction_share, strikes

# Friction on the shortest slips is as stiff as so many times the inertia over a substep: there it is rest.
_STIFFEST = 1e3

# Share of its way to its plane without internal forces above which a particle is not on it.
_CLOSE = 0.001

# Share of a way that leads up from a plane from which on it leads away.
_AWAY = 0.5

# Slip over the way without internal forces below which it is rounding.
_AT_REST = 1e-6

# [N], [m]: only to divide by.
_LEAST = 1e-300

# What the seats within the iterations know of every particle.
_IN_THE_SEATS = (
    *("_n", "_home", "_inertia", "_level"),
    *("pressing", "sticking", "_rests", "_comes", "_on", "_above", "_close", "_resting"),
    *("_slip", "_slipped", "_opposed", "_stiffness", "_most"),
)


class Touching:
    """What holds particles where a gradient is evaluated, and what of an increment they are held against.

    A particle presses with N, what the gradient has along the normal, and is let go where that pulls. One that rests
    stays while what moves it along the plane is at most friction * N. One that slips by u is held back by as much, like
    by a spring to where it would rest: above |u|, as u^2/(2 |u_0|) + |u_0|/2 is, no step of the model turns it round.

    met: Meeting of the way without internal forces from `start`, a State, to x [m] in dt [s]; laws: coefficients of
    friction, restitution, and a mask of what rebounds as a whole, or None; masses: of all particles [kg];
    looked_at: where all were when their planes were found, shape (particle_count, 3) [m].
    pressing, sticking: masks, of the gradient filtered last; struck: of what meets its plane with an impact; whole: of
    what belongs to bodies that are struck as a whole, and keep the velocities that the method gave them.
    """

    def __init__(self, met, laws, start, x, dt, masses, looked_at):
        friction, self._restitution, self._given_back = laws
        self.particles, self._n, self._home = met.particles, met.n.T.copy(), met.home.T.copy()
        self._friction, self._dt = friction, dt
        self._inertia = masses[self.particles] / dt**2
        at, arriving = x[self.particles], along(start.v[self.particles] - met.surface_v, met.n)
        # Of a steadily accelerated motion.
        leaving = 2.0 * along(at - met.home, met.n) / dt - arriving
        # What presses does not leave, whatever it would do without internal forces, unless it rebounds.
        self._most_speed = np.zeros_like(arriving)
        self._arriving = arriving
        self.struck = strikes(arriving, leaving) & (met.heights < 0.0)
        self.rebound = _rebound(laws, met, arriving, leaving, dt)
        self._level, self._surface = along(at, met.n) - met.heights, met.surface_v
        self._found_at = looked_at[self.particles]
        depth = np.maximum(-met.heights, 0.0)
        self._comes = _comes(met, at)
        self._close = _CLOSE * np.abs(along(at - met.home, met.n))
        self._resting = _AT_REST * np.sqrt(along(at - met.home, at - met.home))
        # Of an impact the substep bears the part that is below the surface.
        self._rest_of_impact = np.maximum(-arriving - depth / dt, 0.0)
        self.pressing = self.sticking = self._rests = self._on = self.whole = np.zeros(len(depth), dtype=bool)
        self._lets_go = self._sticks = False
        # Of the position placed last: who is on the plane or how far above, what friction opposes, how stiffly it holds
        # what slips, and what it takes at most.
        self._slip = self._opposed = np.zeros((3, len(depth)))
        self._above, self._slipped, self._stiffness, self._most, self._push = np.zeros((5, len(depth)))
        self._stops = self._inertia * depth

    def rebounded(self, struck):
        """See `Contact.rebounded`."""
        off = struck[self.particles] & (self._arriving > 0.0)
        self._most_speed = np.where(off, self._arriving, 0.0)
        self._comes &= ~off

    def place(self, x):
        """Move those below their planes onto them, and back by what friction takes of the slip meanwhile."""
        at = x.take(self.particles, axis=1)
        depth = self._level - dot(self._n, at)
        rounding = 64.0 * np.finfo(np.float64).eps * max(at.max(initial=0.0), -at.min(initial=0.0))
        self._on = depth >= -rounding
        self._above = np.maximum(-depth, 0.0)
        depth = np.maximum(depth, 0.0)
        at += depth * self._n
        way = at - self._home
        slip = way - dot(way, self._n) * self._n
        slipped = np.sqrt(dot(slip, slip))
        share = friction_share(self._friction * depth, slipped)
        # Friction brings to rest, and never pushes on.
        turned = self.pressing & (dot(slip, self._opposed) < 0.0)
        share[turned & ~(self._sticks & self.sticking)] = 1.0
        at -= share * slip
        put(x, self.particles, at)
        share = 1.0 - share
        self._slip, self._slipped = share * slip, share * slipped
        self._rests = self._slipped <= np.maximum(rounding, self._resting)

    def borne(self, x):
        """See `Contact.borne`."""
        at = x.take(self.particles, axis=1)
        way = at - self._home
        slip = way - dot(way, self._n) * self._n
        friction = np.broadcast_to(self._friction, self.particles.shape)
        return self.particles, self._n.T, self._level - dot(self._n, at), slip.T, friction

    def filter_gradient(self, gradient):
        """Take out of a gradient [N] where `place` left the particles what the surface bears."""
        g = gradient.take(self.particles, axis=1)
        along_n = dot(g, self._n)
        # Above a plane, what a gradient has of rounding would stop a particle, without any friction.
        least = (self._restitution == 0.0) * self._inertia * self._resting
        push = np.where(self._there() & (self._on | (along_n > least)), np.maximum(along_n, 0.0), 0.0)
        self.pressing = push > 0.0
        self._push, self._most = push, self._friction * push
        pulling = g - along_n * self._n
        pull, most, stiffest = np.sqrt(dot(pulling, pulling)), self._most, _STIFFEST * self._inertia
        stiffness = np.minimum(most / np.maximum(self._slipped, _LEAST), stiffest)
        rests = self._rests | (self._sticks & (self._slipped * stiffest <= most))
        self._stiffness = np.where(rests, 0.0, stiffness)
        self.sticking = self.pressing & rests & ((pull <= most) | self._sticks)
        held = np.where(self.sticking, 1.0, np.minimum(1.0, most / np.maximum(pull, _LEAST))) * pulling
        self._opposed = np.where(rests, -pulling, self._slip)
        g -= push * self._n
        g -= np.where(rests, held, -self._stiffness * self._slip)
        put(gradient, self.particles, g)

    def _there(self):
        """Who may press: what is on its plane, or comes to it."""
        return self._on | ((self._above < self._close) if self._lets_go else self._comes)

    def filter_increment(self, increment):
        """Take out of an increment what particles are held against."""
        moved = increment.take(self.particles, axis=1)
        moved -= np.where(self.pressing, dot(moved, self._n), 0.0) * self._n
        moved[:, self.sticking] = 0.0
        put(increment, self.particles, moved)

    def energy(self):
        """What friction has taken of the ways along the planes so far [J]."""
        return float(np.einsum("i,i->", self._most, self._slipped))

    def let_go(self):
        """See `Contact.let_go`."""
        self._lets_go = True

    def stick(self):
        """See `Contact.stick`."""
        self._sticks = True

    def hold(self, increment):
        """Hold also those on their planes that an increment would move below; whether there are any."""
        down = -dot(increment[:, self.particles], self._n)
        below = ~self.pressing & (down > 0.0) & (self._on | (self._above < self._close))
        self.pressing = self.pressing | below
        return bool(below.any())

    def add_product(self, p, out):
        """Add what friction opposes to increments p of what slips."""
        p = p.take(self.particles, axis=1)
        out[:, self.particles] += self._stiffness * (p - dot(p, self._n) * self._n)

    def among(self, numbers):
        """See `Contact.among`."""
        chosen = np.flatnonzero(numbers[self.particles] >= 0)
        if len(chosen) == 0:
            return None
        few = copy(self)
        few.particles = numbers[self.particles[chosen]]
        few._friction = entries(self._friction, chosen)
        for name in _IN_THE_SEATS:
            setattr(few, name, getattr(self, name)[..., chosen])
        return few

    def end(self):
        """Let go of what presses, and is above its plane all the same: it has not come there."""
        if self.rebound is not None or self._lets_go:
            self.pressing = self.pressing & self._there()
            self.sticking = self.sticking & self._there()

    def slid(self, x):
        """How far the particles that press, now at x [m], shape (particle_count, 3), moved along their planes [m]."""
        pressing = self.pressing
        aside = across(x[self.particles[pressing]] - self._found_at[pressing], self._n.T[pressing])
        return np.sqrt(along(aside, aside))

    def pushes(self):
        """See `Contact.pushes`; what was struck, and does not press where the iterations ended, was stopped as well."""
        if self._given_back is None:
            return None
        push = np.where(self.pressing, self._push, np.where(self.struck, self._stops, 0.0))
        chosen = np.flatnonzero(self._given_back & (push > 0.0))
        at = self.particles, self._n.T, push, self._surface, np.full(len(push), self._restitution)
        return Pushes(*(of_all[chosen] for of_all in at))

    def under(self, x):
        """Heights over their planes of the particles that press, now at x [m], and their normals and velocities."""
        pressing = self.pressing
        n = self._n.T[pressing]
        heights = along(x[self.particles[pressing]], n) - self._level[pressing]
        return heights, n, self._surface[pressing]

    def settle(self, x, v, heights, n, surface_v):
        """Put what presses at the end of the substep onto the surface, and take its velocity along it, in place.

        heights, n, surface_v: of the surface there, of the particles that press.
        """
        pressing = self.pressing
        at = self.particles[pressing]
        x[at] += np.maximum(-heights, 0.0)[:, None] * n
        sliding = across(v[at] - surface_v, n)
        # Of an impact, no formula knows the velocity: the way says it.
        slip = self._slip.T[pressing] / self._dt
        lost = friction_share((self._friction * self._rest_of_impact)[pressing], lengths(slip))
        slip -= lost[:, None] * slip
        sliding = np.where(self.struck[pressing][:, None], slip, sliding)
        sliding[self.sticking[pressing]] = 0.0
        speed = np.clip(along(v[at] - surface_v, n), 0.0, self._most_speed[pressing])
        settled = surface_v + sliding + speed[:, None] * n
        v[at] = np.where(self.whole[pressing][:, None], v[at], settled)

    def recalled(self, previous, after):
        """See `Contact.recalled`: what rests or was struck moved as it does now, what slides did so along the plane."""
        pressing = self.pressing
        slides = ~(self.sticking | self.struck)[pressing][:, None]
        return _recalled(previous, after, self.particles[pressing], self._n.T[pressing], slides, self._dt)


def _comes(met, at):
    """Which of a Meeting, now at positions [m], come to their planes by themselves, a mask.

    They press wherever their gradient is against the plane, what springs draw when it is there. What comes up through
    its plane goes round an edge, and away from what it was on.
    """
    way = at - met.home
    reach, rise = np.sqrt(along(way, way)), along(way, met.n)
    away = (rise > _AWAY * reach) & (met.heights - rise < -_CLOSE * reach)
    return (met.heights < reach) & ~away


def _recalled(previous, after, at, n, slides, dt):
    """The State `previous` with the past of particles on planes of normals n, along which some slide, (count, 1)."""
    steady_v = after.v[at]
    steady_x = after.x[at] - dt * steady_v
    x, v = previous.x.copy(), previous.v.copy()
    for past, steady in ((x, steady_x), (v, steady_v)):
        past[at] = steady + np.where(slides, across(past[at] - steady, n), 0.0)
    return State(x, v, previous.t)


def _rebound(laws, met, arriving, leaving, dt):
    """The Rebound of a Meeting but for what rebounds as a whole, or None where that is all."""
    friction, restitution, given_back = laws
    if restitution == 0.0 or dt == 0.0:
        return None
    if given_back is not None:
        others = ~given_back
        if not others.any():
            return None
        met, arriving, leaving = met.chosen(others), arriving[others], leaving[others]
        friction = entries(friction, others)
    blow = _blow(restitution, friction, met, arriving, leaving, dt)
    return Rebound(met.particles, met.surface_v, blow)


def _blow(restitution, friction, met, arriving, leaving, dt):
    """The Blow on those of a Meeting that rebound, or None."""
    happens, left, arriving, _, _ = bounce(restitution, dt, met.heights, arriving, leaving)
    happens &= met.heights < 0.0
    if not happens.any():
        return None
    gains = -(1.0 + restitution) * arriving
    laws = (np.broadcast_to(number, arriving.shape) for number in (restitution, friction))
    of_all = met.particles, met.n, gains, left, *laws, met.surface_v
    return Blow(*(of_each[happens] for of_each in of_all))
