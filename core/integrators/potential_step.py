# SPDX-License-Identifier: GPL-3.0-or-later
"""A substep of an implicit method whose contacts are potentials."""

from functools import cached_property, partial
from typing import Any

import numpy as np

from ..contact.bearing import rubbed
from ..contact.contact_set import Before
from ..contact.impulses import impulses
from ..contact.struck_body import StruckBody
from ..solvers.stiff_bodies import stiff_bodies
from ..state import State
from ..topology import network_parts

# Newton steps of a substep in contact, and conjugate gradients of each for every iteration of a free one.
STEPS, SHARE = 2, 5.0 / 3.0

# Depth, in parts of the one from which on contacts stiffen, that is left where Newton's method begins.
_LEFT = 0.1

# What meets on its way is that many times firmer, and the step solved again, at most so often.
_FIRMER, _ROUNDS = 10.0, 4


# Radians of its slowest vibration in a substep from which on an impact on a body is over within it.
_RIGID = 9.0

# Share of all normal forces from which on those of what touched nothing before are decided on in the same substep.
_BEGINS = 0.5

# How often a step to a tolerance is solved with the friction that the normal forces found allow.
_TURNS = 3

# How often ways that something left are searched again.
_SEARCHES = 3

# Of squares, only to divide by [m^2].
_LEAST = 1e-300


class PotentialStep:
    """Contacts of PotentialContacts in the substeps of a method: before, within and after its minimisation.

    What comes to a surface within a substep is stopped before: what rebounds, and what is stiff, as the whole body
    answers, see `StruckBody`, all else as far as the surface, by impulses. BDF2 then goes on with a smooth motion after
    the impact.

    contacts: PotentialContacts; network: SpringNetwork as it is carried; dt: substep [s]; a: of the formula [s].
    past: State at the start of the substep from which its smooth motion comes.
    carries: particles that are carried out of what they are in, and accelerations that hold them, or None.
    """

    past: State
    _state: State
    _touching: Any
    _last: Any
    # Rows of where inertia leads, while they serve; positions where Newton's method begins, and Rows that serve there.
    _begun: Any
    _known: tuple[Any, Any]

    def __init__(self, contacts, network, dt, a):
        self._network, self._masses = network, network.masses[:, None]
        self._rebound: Any = None
        self.carries: Any = None
        self._contacts = contacts
        # What rests sinks as deep in a part of a substep as in the whole: it would leap where that changes.
        contacts.usual = contacts.usual or a
        edges, count = network.edges, network.vertex_count
        self._springs = np.bincount(edges.ravel(), np.repeat(network.stiffness, 2), count).astype(float)
        self._touching = self._last = self._begun = None
        self._known = None, None
        self._minimised = False
        # A surface stops what is stiff as a whole, also where it does not rebound.
        self._whole = _numbers(stiff_bodies(network, _RIGID / dt) if contacts.count else [], count)

    def begin(self, state):
        """Begin a substep from a State."""
        self.past, self._rebound = state, None
        self._state, self._last, self._minimised = state, None, False

    def seated(self, solver, dt, force, aims, first):
        """Where the iterations of a substep begin [m], with what impacts do done.

        solver: LocalGlobal; dt: of the substep [s]; force: all but springs [N]; aims: y, start and soft targets as in
        `LocalGlobal.minimise`, the first two changed in place by impacts; first: () -> where the iterations begin
        without contacts [m].
        """
        y, start, _ = aims
        if not self._contacts.count:
            return first()
        self._dt, self._a = dt, solver.dt
        # Steps are divided where something is struck.
        self._lies = solver.dt >= self._contacts.usual
        contacts = self._contacts
        of_body = contacts.fields, contacts.inverse_masses, self._springs
        self._before = Before(start, *of_body, contacts.usual, solver.dt / dt)
        self.carries = self._carry(y, start, force)
        self._search(y)
        if self._rebounds_from(y):
            contacts.note_struck(self._rebound.blow.particles, self._rebound.blow.surface_v)
            self._strike(solver, force, dt, *aims)
            self._search(y)
        gained = None if self._touching is None else self._struck(y)
        if gained is not None:
            if not _is_near(dt * gained, self._begun):
                self._begun = None
            y += dt * gained
            start += (dt - solver.dt) * gained
            self.past = State(self.past.x, self.past.v + gained.T, self.past.t)
        return first()

    def _carry(self, y, start, force):
        """Change y and start [m] in place by what is carried out of what it is in, and the past.

        It is no motion: where the formula counts velocities from goes along. force: all but springs [N]. Its particles,
        and accelerations that hold them [m/s^2], shape (count, 3); or None of none.
        """
        dt, state, contacts = self._dt, self.past, self._contacts
        carried = contacts.lead_out(state.x, state.t + dt, dt)
        if carried is None:
            return None
        particles, way = carried.particles, dt * carried.velocities
        # It neither moves nor falls along that way by itself.
        gained = contacts.stopped(carried, state.v)
        held = contacts.stopped(carried, force / self._masses)
        y[:, particles] += (way + dt * gained + self._a**2 * held).T
        start[:, particles] += (way + (dt - self._a) * gained).T
        x, v = state.x.copy(), state.v.copy()
        x[particles] += way
        v[particles] += gained
        self.past = State(x, v, state.t)
        return particles, held

    def _strike(self, solver, force, dt, y, start, targets):
        """Change y and start [m], in place, to what they are after the impacts on whole bodies.

        The substep is that of a smooth motion with the velocities after them, from where these lead back to: particles
        are where they would be, and a method of two steps sees no acceleration in what is none.
        """
        state = self.past
        problem, gradients = solver.linearised(np.ascontiguousarray(state.x.T), start, targets)
        struck = StruckBody(problem, gradients, self._part)
        gained, way = struck.answer(state.v, force / self._masses, dt, self._rebound.blow)
        y += way
        start += way - solver.dt * gained
        self.past = State(state.x + (way - dt * gained).T, state.v + gained.T, state.t)

    @cached_property
    def _part(self):
        # Only where something rebounds: a network whose rest lengths change is another one in every frame.
        return network_parts(self._network)

    @property
    def rebounds(self):
        """Whether anything is at what it rebounds from."""
        return self._rebound is not None

    def _rebounds_from(self, y):
        """Whether anything rebounds on the ways to y [m], shape (3, n), from what it meets there."""
        if self._touching is None or not (self._contacts.rebounds or (self._whole >= 0).any()):
            return False
        end = y.copy()
        rows = self._touching.rows(end)
        if rows is not None:
            of_ways = self._touching.start, self._state.v, end, self._dt, self._whole
            self._rebound = self._contacts.restitution.rebound(rows, *of_ways)
        return self._rebound is not None and self._rebound.blow is not None

    @property
    def rebound(self):
        """The Rebound of what rebounds in the substep, or None."""
        return self._rebound

    @property
    def touches(self):
        """Whether anything may touch in the substep."""
        return self._touching is not None

    def _search(self, x):
        """Find what may touch on ways to x, shape (3, n) [m]."""
        contacts, state, dt = self._contacts, self._state, self._dt
        self._end = np.ascontiguousarray(x.T)
        self._margins = contacts.margins(state.x, self._end)
        of_ways = state.x, self._end, state.t + dt, dt, self._margins
        self._touching, self._last, self._begun = contacts.touching(*of_ways), None, None
        self._known = None, None

    def _strayed(self, x):
        """Whether x [m] is off the ways that were searched."""
        way, off = self._end - self._state.x, x.T - self._state.x
        share = np.einsum("ij,ij->i", way, off) / np.maximum(np.einsum("ij,ij->i", way, way), _LEAST)
        off = off - np.clip(share, 0.0, 1.0)[:, None] * way
        return bool((np.einsum("ij,ij->i", off, off) > self._margins**2).any())

    def _struck(self, y):
        """Changes of velocity [m/s], shape (3, n), after which nothing goes farther than to what it meets, or None.

        What that is is looked for at y [m], shape (3, n).
        """
        touching, dt = self._touching, self._dt
        rows = touching.rows(y.copy())
        if rows is None:
            return None
        self._begun = rows
        ways, n, carried = np.ascontiguousarray(self.past.v.T) * dt, rows.normals, rows.carried
        given = _along(n, carried)
        gap = np.maximum(rows.gaps(touching.start) - given, 0.0)
        least = -(gap + _along(n, rows.differences(ways)) + given) / dt
        if not (least > 0.0).any():
            return None
        least = np.maximum(least, 0.0)
        self._contacts.strike(rows, least, dt)
        gained = impulses(rows, self._contacts.inverse_masses, least)
        return rubbed(rows, least, self.past.v, gained, dt)

    def _put_out(self, x):
        """Positions [m] where inertia alone leaves nothing deep in what it touches: Newton's method begins there."""
        rows = self._begun or self._touching.rows(x)
        if rows is None:
            return x
        if self._lies:
            x = _as_it_lay(self._contacts, self._state, rows, x, self._dt)
        # Nearly: what presses is known by it.
        deep = -rows.gaps(x) - _LEFT * rows.depths
        if not (deep > 0.0).any():
            self._known = x, rows
            return x
        out = impulses(rows, self._contacts.inverse_masses, np.maximum(deep, 0.0))
        self._known = x + out, rows if _is_near(out, rows) else None
        return self._known[0]

    def settled(self, solver, x, iterations, tolerance=0.0):
        """Positions [m] at the end, to which nothing goes through anything.

        x: where to begin, shape (3, n) [m], or where the step ends if nothing touches; solver: LocalGlobal; tolerance:
        relative residual to end at, or 0 for a number of steps that `iterations` tell.
        """
        if not self._contacts.count:
            return x
        if tolerance and self.touches:
            minimise = partial(self._converged, solver.newton_pcg, tolerance, int(iterations))
        else:
            minimise = partial(self._few_steps, solver.newton_pcg, int(np.ceil(SHARE * iterations)))
        for _ in range(_SEARCHES):
            x = self._kept_apart(minimise, x)
            if not self._strayed(x):
                break
            self._search(x)
        self._solved = x
        if self._touching is not None:
            x = self._contacts.apart(self._touching, x)
            if self._last is None or x is not self._solved:
                self._last = self._touching.contacts(x, self._before)
        return x

    def _kept_apart(self, minimise, x):
        """Positions [m] after Newton's steps, and more where something meets on its way there."""
        touching = self._touching
        if touching is None:
            return x
        x = minimise(self._put_out(x), again=self._minimised)
        self._minimised = True
        for _ in range(_ROUNDS):
            if not touching.stiffen(x, _FIRMER):
                break
            x = minimise(x, again=True)
        return x

    def _few_steps(self, newton, count, x, *, again):
        """Positions [m] after so many steps as are taken to no tolerance; again: on ways that were searched before."""
        # Again on the ways that it really went: once, for what was not seen before.
        steps, how = 1 if again else STEPS, {"borne": self._lies}
        x, self._last = newton.minimise(x, self._contacts_at, steps, count, **how)
        if not again and self._presses_otherwise(newton, x):
            self._before = self._before.bearing(self._last, x)
            x, self._last = newton.minimise(x, self._contacts_at, steps, count, **how)
        return x

    def _presses_otherwise(self, newton, x):
        """Whether friction by what pressed in the substep before is wrong: of what vibrates, or began to press."""
        contacts = self._last
        if contacts is None or not contacts.rows.friction.any():
            return False
        if newton.touched(contacts) is not None:
            return True
        new = np.abs(contacts.fields(*contacts.forces(x))[0]).sum(axis=0)
        return bool(new[~self._before.fields[0].any(axis=0)].sum() > _BEGINS * new.sum())

    def _converged(self, newton, tolerance, most, x, *, again):
        """Positions [m] where nothing is left unsolved, nor of friction by what presses there."""
        for turn in range(1 if again else _TURNS):
            x, self._last = newton.to_tolerance.minimise(x, self._contacts_at, tolerance, most)
            if self._last is None or not self._last.rows.friction.any():
                break
            if turn < _TURNS - 1:
                self._before = self._before.bearing(self._last, x)
        return x

    def _contacts_at(self, x):
        at, rows = self._known
        serve = x is at and not self._touching.stiffened
        return self._touching.contacts(x, self._before, rows if serve else None)

    def add_gradient(self, x, out):
        """Add to `out` what contacts have of the gradient at the end of the last substep [N], shape (3, n)."""
        if self._last is not None:
            self._last.add_gradient(x, out)

    def ended(self, after, past):
        """State and past after the substep, without what a formula of two steps gives of a stop within it."""
        contacts, last, x = self._contacts, self._last, np.ascontiguousarray(after.x.T)
        if last is None:
            if contacts.count:
                contacts.forget()
            return after, past
        normal, along = last.forces(x)
        contacts.bear(last, normal, along, self._state, after)
        moved = (after.x - self._solved.T) / self._dt
        v = after.v + moved * (1.0 - self._dt / self._a)
        rows = last.rows
        speeds = _along(rows.normals, rows.differences(np.ascontiguousarray(v.T)))
        given = _along(rows.normals, rows.carried) / self._dt
        way = _along(rows.normals, rows.differences(x - self.past.x.T)) / self._dt
        presses = normal > 0.0
        # Speeds of parting that its way does not show.
        excess = np.where(presses, speeds + given - np.maximum(way + given, 0.0), 0.0)
        if (excess > 0.0).any():
            v = v + impulses(rows.turned(), contacts.inverse_masses, excess).T
        gained = v - after.v
        if past is not None:
            past = State(past.x - self._dt * gained, past.v + gained, past.t)
        return State(after.x, v, after.t), past


def _as_it_lay(contacts, before, rows, x, dt):
    """Positions [m] where what obstacles pressed on is as far from them as it was before, in a State.

    Where inertia leads it would leave some, and Newton's method, which then knows nothing of these, presses it too
    deep: so it goes on for ever, up and down by turns.
    """
    pressed = contacts.fields[0]
    particles, velocities = contacts.held_by_obstacles(rows, np.ones(len(rows.offsets)), dt)
    size = np.sqrt(np.einsum("ij,ij->j", pressed[:, particles], pressed[:, particles]))
    lay = size > 0.0
    which, n = particles[lay], pressed[:, particles[lay]] / size[lay]
    away = before.x[which].T + dt * velocities[lay].T - x[:, which]
    x = x.copy()
    x[:, which] += _along(n, away) * n
    return x


def _is_near(moves, rows):
    """Whether Rows serve where particles move by so much [m], shape (3, n): farther away other points are closest."""
    return np.abs(moves).max() < rows.depths.min()


def _numbers(bodies, count):
    """Number of its body of each of so many particles, -1 of none."""
    numbers = np.full(count, -1)
    for number, body in enumerate(bodies):
        numbers[body] = number
    return numbers


def _along(n, u):
    return np.einsum("ij,ij->j", n, u)
