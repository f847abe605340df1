# SPDX-License-Identifier: GPL-3.0-or-later
"""A substep of an implicit method whose contacts are potentials."""

from functools import cached_property
from typing import Any

import numpy as np

from ..contact.bearing import rubbed
from ..contact.contact_set import Before
from ..contact.impulses import impulses
from ..contact.struck_body import StruckBody
from ..solvers.stiff_bodies import stiff_bodies
from ..state import State
from ..topology import network_parts
from .carried_out import carried_out
from .contact_minimum import ContactMinimum, is_near

# Radians of its slowest vibration in a substep from which on an impact on a body is over within it.
_RIGID = 9.0

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
    _minimum: ContactMinimum
    # Rows of where inertia leads, while they serve.
    _begun: Any

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
        # A surface stops what is stiff as a whole, also where it does not rebound.
        self._whole = _numbers(stiff_bodies(network, _RIGID / dt) if contacts.count else [], count)

    def begin(self, state):
        """Begin a substep from a State."""
        self.past, self._rebound = state, None
        self._state, self._last = state, None

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
        contacts = self._contacts
        of_body = contacts.fields, contacts.inverse_masses, self._springs
        before = Before(start, *of_body, contacts.usual, solver.dt / dt)
        # Steps are divided where something is struck.
        lies = solver.dt >= contacts.usual
        self._minimum = ContactMinimum(contacts, self._state, dt, before, lies=lies)
        of_past = self.past, force / self._masses, dt, solver.dt
        self.past, self.carries = carried_out(contacts, y, start, *of_past)
        self._search(y)
        if self._rebounds_from(y):
            contacts.note_struck(self._rebound.blow.particles, self._rebound.blow.surface_v)
            self._strike(solver, force, dt, *aims)
            self._search(y)
        gained = None if self._touching is None else self._struck(y)
        if gained is not None:
            if not is_near(dt * gained, self._begun):
                self._begun = None
            y += dt * gained
            start += (dt - solver.dt) * gained
            self.past = State(self.past.x, self.past.v + gained.T, self.past.t)
        return first()

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
        held = self._contacts.held_by_obstacles(rows, least, dt)
        self._contacts.note_struck(*held)
        gained = impulses(rows, self._contacts.inverse_masses, least)
        return rubbed(rows, least, self.past.v, gained, held)

    def settled(self, solver, x, iterations, tolerance=0.0):
        """Positions [m] at the end, to which nothing goes through anything.

        x: where to begin, shape (3, n) [m], or where the step ends if nothing touches; solver: LocalGlobal; tolerance:
        relative residual to end at, or 0 for a number of steps that `iterations` tell.
        """
        if not self._contacts.count:
            return x
        minimum = self._minimum
        for _ in range(_SEARCHES):
            if self._touching is not None:
                x = minimum.minimise(self._touching, self._begun, solver, x, iterations, tolerance)
            if not _strayed(x.T, self._state.x, self._end, self._margins):
                break
            self._search(x)
        self._solved = x
        if self._touching is not None:
            x = self._contacts.apart(self._touching, x)
            self._last = minimum.last
            if self._last is None or x is not self._solved:
                self._last = minimum.at(x)
        return x

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


def _strayed(x, start, end, margins):
    """Whether x [m] is off the ways from start to end, and margins about them, that were searched."""
    way, off = end - start, x - start
    share = np.einsum("ij,ij->i", way, off) / np.maximum(np.einsum("ij,ij->i", way, way), _LEAST)
    off = off - np.clip(share, 0.0, 1.0)[:, None] * way
    return bool((np.einsum("ij,ij->i", off, off) > margins**2).any())


def _numbers(bodies, count):
    """Number of its body of each of so many particles, -1 of none."""
    numbers = np.full(count, -1)
    for number, body in enumerate(bodies):
        numbers[body] = number
    return numbers


def _along(n, u):
    return np.einsum("ij,ij->j", n, u)
