# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of the substeps of an implicit method in which anything rebounds."""

from functools import cached_property
from typing import Any

import numpy as np

from ..state import State
from ..topology import network_parts
from .rebounding import Rebounding
from .struck_body import StruckBody


class Impacts:
    """Impacts on whole bodies, each at once, and before the iterations, which go on with the velocities after it.

    A substep in which particles come to a surface that they rebound from is that of a smooth motion with the velocities
    after the impact, from where these lead back to: particles are where they would be, and a method of two steps sees
    no acceleration in what is none.

    network: SpringNetwork with the stiffness that is carried.
    past: State at the start of the substep from which its smooth motion comes.
    """

    past: State

    def __init__(self, network):
        self._network, self._masses = network, network.masses[:, None]
        self._rebound: Any = None

    @cached_property
    def _part(self):
        # Only where something rebounds: a network whose rest lengths change is another one in every frame.
        return network_parts(self._network)

    @cached_property
    def _rebounding(self):
        return Rebounding(self._network, self._part)

    @property
    def rebounds(self):
        """Whether what holds particles in this substep is something to rebound from."""
        return self._rebound is not None

    def begin(self, state):
        """Begin a substep from a State."""
        self.past, self._rebound = state, None

    def happen(self, seats):
        """Whether anything rebounds of what Seats, or None, found."""
        self._rebound = None if seats is None else seats.rebound()
        return self._rebound is not None and self._rebound.blow is not None

    def seated(self, seats, solver, dt, force, aims, first):
        """Where the iterations of a substep begin [m], and the Seats inside them, or None; with the impacts done.

        seats: Seats of all contacts; solver: LocalGlobal; dt: of the substep [s]; force: all but springs [N]; aims: y,
        start and soft targets as in `LocalGlobal.minimise`, the first two changed in place by impacts; first: () ->
        where the iterations begin without contacts [m].
        """
        at, t = first(), self.past.t + dt
        inside = seats.before(self.past, at, t) if len(seats) else None
        if self.happen(inside):
            gained = self.strike(solver, force, dt, *aims)
            at = first()
            inside = self.seats(inside, gained, at, t)
        return at, inside

    def strike(self, solver, force, dt, y, start, targets):
        """Change y and start [m], as in `LocalGlobal.minimise`, in place, to what they are after the impacts.

        solver: LocalGlobal; force: all but springs [N]; dt: of the substep [s]; targets: of soft pins [m].
        Returns changes of velocity [m/s], shape (3, particle_count).
        """
        state, blow = self.past, self._rebound.blow
        problem, gradients = solver.linearised(np.ascontiguousarray(state.x.T), start, targets)
        struck = StruckBody(problem, gradients, self._part)
        gained, way = struck.answer(state.v, force / self._masses, dt, blow)
        y += way
        start += way - solver.dt * gained
        self.past = State(state.x + (way - dt * gained).T, state.v + gained.T, state.t)
        return gained

    def seats(self, seats, gained, x, t):
        """Seats of the substep after the impacts, see `Seats.rebounded`."""
        return seats.rebounded(self._rebound.blow, gained, x, t)

    def bounded(self, before, after, force, system, closer):
        """The State after the substep with no more energy than was there, see `Rebounding.bounded`."""
        if self._rebound is None:
            return after
        surfaces = self._rebound.particles, self._rebound.surface_v
        targets = [system.soft_targets(state.t) for state in (before, after)]
        bounded, slower = self._rebounding.bounded(
            before, after, force, surfaces, targets, closer, pins_move=system.pins_move
        )
        dt = after.t - before.t
        self.past = State(self.past.x - dt * slower, self.past.v + slower, self.past.t)
        return bounded
