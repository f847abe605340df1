# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts at the start of a substep: particles that are led out, rebound, or stop."""

from functools import cached_property
from typing import Any

import numpy as np

from ..contact.bearing import rubbed
from ..contact.contact_set import Before, ContactSet
from ..contact.impulses import impact
from ..contact.struck_body import StruckBody
from ..directions import LEAST, lengths
from ..solvers.stiff_bodies import stiff_bodies
from ..state import State
from ..topology import network_parts
from .depenetration_step import carried_out

# Radians of its slowest vibration in a substep from which on an impact on a body is over within it.
_RIGID = 9.0

# What shows only once it is done, as what is met behind what was stopped, and what presses and so rubs, is taken up by
# doing it once more: so often in all. With three frames of a heap take 1.15 times as long, for nothing.
TURNS = 2


class Impacts:
    """Effect of contacts on a substep before it is minimised.

    What comes to a surface within a substep is stopped before: what rebounds, and what is stiff, as the whole body
    answers, see `StruckBody`, all else as far as the surface, by impulses. BDF2 then goes on with a smooth motion after
    the impact.

    contacts: PotentialContacts; network: SpringNetwork as it is carried; dt: substep [s]; a: of the formula [s].
    past: State at the start of the substep from which its smooth motion comes.
    stopped: whether anything was stopped before a surface in the substep.
    carries: particles that are carried out of what they are in, and accelerations that hold them, or None.
    """

    past: State
    stopped: bool
    _state: State
    _touching: Any
    _last: Any
    # Rows of where inertia leads, while they serve; positions where Newton's method begins, and Rows that serve there.
    _begun: Any
    # Whether what a surface bore may be taken to lie on it still.
    _lies: bool
    _known: tuple[Any, Any]

    def __init__(self, contacts, network, dt, a):
        self._network, self._masses = network, network.masses[:, None]
        self._rebound: Any = None
        self.carries: Any = None
        self._contacts = contacts
        # A resting body sinks as deep in a part of a substep as in the whole: else it would jump when that changes.
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
        # Of several methods of one system, those of that which goes on, whichever was made last.
        self._contacts.springs = self._springs
        self.past, self._rebound, self.stopped = state, None, False
        self._state, self._last, self._minimised = state, None, False

    def prepared(self, solver, dt, force, aims, first):
        """Where the iterations of a substep begin [m], with what impacts do done.

        solver: LocalGlobal; dt: of the substep [s]; force: all but springs [N]; aims: y, start and soft targets as in
        `LocalGlobal.minimise`, the first two changed in place by impacts; first: () -> where the iterations begin
        without contacts [m].
        """
        y, start, _ = aims
        if not self._contacts.count:
            return first()
        self._dt, self._a, self._acceleration = dt, solver.dt, force / self._masses
        # Steps are divided where something is struck.
        self._lies = solver.dt >= self._contacts.usual and not self._contacts.inertia_alone
        contacts = self._contacts
        of_body = contacts.forces.fields, contacts.inverse_masses, self._springs
        of_time = contacts.usual, solver.dt / dt, contacts.outwards(self._state.x)
        self._before = Before(start, *of_body, *of_time)
        of_past = self.past, self._acceleration, dt, solver.dt
        self.past, self.carries = carried_out(contacts, y, start, *of_past)
        expected = self._expected(y, start)
        self._search(expected)
        if self._rebounds_from(expected):
            contacts.bearing.note_struck(self._rebound.blow.particles, self._rebound.blow.surface_v)
            expected += self._strike(solver, force, dt, *aims)
            self._search(expected)
        for _ in range(TURNS):
            gained = None if self._touching is None else self._struck(expected)
            if gained is None:
                break
            self.stopped = True
            y += dt * gained
            expected += dt * gained
            start += (dt - solver.dt) * gained
            self.past = State(self.past.x, self.past.v + gained.T, self.past.t)
            if not is_near(dt * gained, self._begun):
                self._begun = None
            if not (lengths(dt * gained.T) > self._margins).any():
                break
            # A particle that stops off the searched paths may be met by those behind it.
            self._search(expected)
        begun = self._begun
        return first() if begun is None else first(touching=_Energy(begun, y, self._before))

    def _expected(self, y, start):
        """Where particles end that are borne as in the step before [m], shape (3, n).

        y is where they would end if nothing bore them: what rests on something, or hangs, would be off it by all that
        its weight gives in a substep. A formula of one step knows of no step before: there it is y.
        """
        if self._a == self._dt:
            return y.copy()
        forces = self._acceleration.T
        v_of_formula = (y - start) / self._a - self._a * forces
        # Of BDF2 that is (4 v - v of the step before)/3.
        accelerations = 3.0 * (v_of_formula - self._state.v.T) / self._dt
        borne = 1.0 - along(accelerations, forces) / np.maximum(along(forces, forces), LEAST)
        borne[self._network.hard_pins] = 0.0
        return y - self._a**2 * np.clip(borne, 0.0, 1.0) * forces

    def _strike(self, solver, force, dt, y, start, targets):
        """Change y and start [m], in place, to what they are after the impacts on whole bodies; by how much y.

        The substep is that of a smooth motion with the velocities after them, from where these lead back to: particles
        are where they would be, and a method of two steps sees no acceleration in what is none.
        """
        state = self.past
        problem, gradients = solver.linearised(np.ascontiguousarray(state.x.T), start, targets)
        struck = StruckBody(problem, gradients, self._part)
        gained, way = struck.answer(state.v, self._acceleration, dt, self._rebound.blow)
        y += way
        start += way - solver.dt * gained
        self.past = State(state.x + (way - dt * gained).T, state.v + gained.T, state.t)
        return way

    @cached_property
    def _part(self):
        # Only where something rebounds: a network whose rest lengths change is another one in every frame.
        return network_parts(self._network)

    def _rebounds_from(self, y):
        """Whether anything rebounds on the ways to y [m], shape (3, n), from what it meets there."""
        if self._touching is None or not (self._contacts.restitution.any or (self._whole >= 0).any()):
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
        given = along(n, carried)
        gap = np.maximum(rows.gaps(touching.start) - given, 0.0)
        least = -(gap + along(n, rows.differences(ways)) + given) / dt
        # A soft lead-out stops nothing.
        least[rows.firmness < 1.0] = -np.inf
        if not (least > 0.0).any():
            return None
        gained = impact(rows, self._contacts.inverse_masses, least)
        least = np.maximum(least, 0.0)
        held = self._contacts.held_by_obstacles(rows, least, dt)
        self._contacts.bearing.note_struck(*held)
        return rubbed(rows, least, self.past.v, gained, held)


class _Energy:
    """Energy [J] at a place of the contacts of Rows that were found at another [m], which are made when it is asked."""

    def __init__(self, rows, at, before):
        self._of_contacts = rows, at, before

    @cached_property
    def _contacts(self):
        return ContactSet(*self._of_contacts)

    def __call__(self, x):
        return self._contacts.value(x)


def is_near(moves, rows):
    """Whether Rows serve where particles move by so much [m], shape (3, n): farther away other points are closest."""
    return np.abs(moves).max() < rows.depths.min()


def along(n, u):
    """Products of vectors, shape (3, count)."""
    return np.einsum("ij,ij->j", n, u)


def _numbers(bodies, count):
    """Number of its body of each of so many particles, -1 of none."""
    numbers = np.full(count, -1)
    for number, body in enumerate(bodies):
        numbers[body] = number
    return numbers
