# SPDX-License-Identifier: GPL-3.0-or-later
"""What a method that is called always stable may gain: nothing but the work that is done on the network."""

from functools import cached_property

import numpy as np

from .state import State
from .topology import network_parts

# Gain that is let pass, in parts of m g L and of the kinetic energy at the start; promised is one percent.
ALLOWANCE = 0.009

# Rounding of the sums, in parts of their terms.
_ROUNDING = 1e-11

# How often a step is refined, and its displacement halved, at most.
_REFINEMENTS, _HALVINGS = 20, 30


class EnergyBudget:
    """Keeps E(t) <= E(s) + work + ALLOWANCE m g L for all s < t, L the largest side of the network, m g its weight.

    So what was lost does not come back. At the start the allowance is one of m g L + T(0), T the kinetic energy; what
    weighs nothing has E in place of m g L. Where a method does not tell all that springs give back, see
    `Integrator.energy_told`, s is the start alone.

    E is the kinetic energy of the vertices that are free, the elastic energy as the method has it, and the
    energy of gravity and of the forces that have one. The work is that of all other forces. A contact may push, and
    what moving pins do goes through springs that few iterations leave strained: where one acted, or pins moved, the
    ceiling is the energy that is found after it. A method whose energy swings by itself, see
    `Integrator.energy_swing`, may swing.

    Frames within the budget are left as they are. One that is not is stepped again, and each substep beyond
    the ceiling is mended, in this order: it is solved more closely (`Integrator.refined`), as what exceeds is
    mostly strain that few iterations leave; then the velocities give away the excess; where strain and height
    alone exceed it, the displacement is shortened. Parts without a pin keep the motion of their centres of mass,
    so momentum is conserved.

    system: System; steps: DividedSteps, of which the method in use counts.
    ceiling: the least E so far, with work since and allowance [J]; 0 for methods that are not always stable.
    """

    def __init__(self, system, steps):
        self._system, self._steps = system, steps
        self._applies = self._integrator.stability_limit == np.inf
        network = system.network
        self._free = np.ones(network.vertex_count)
        self._free[network.hard_pins] = 0.0
        self._masses = self._free * network.masses
        size = max(np.ptp(network.points, axis=0).max(), network.rest_lengths.max(initial=0.0))
        weight = np.linalg.norm(self._masses.sum() * system.gravity)
        self._allowance = ALLOWANCE * weight * size
        self._other_forces = any(not hasattr(force, "energy") for force in system.external)
        self.ceiling = 0.0
        self.begin()

    def start(self, state):
        """Set the ceiling by a state to start from."""
        self.ceiling = 0.0
        if self._applies:
            with np.errstate(over="ignore", invalid="ignore"):
                energy, swing = self.energy(state), self._integrator.energy_swing
                own = energy - self._system.external_energy(state.x) if swing else 0.0
                ceiling = energy + self._allowance + ALLOWANCE * self._kinetic(state.v) + swing * own
            # Of absurd numbers there is no limit.
            self.ceiling = float(np.nan_to_num(ceiling, nan=np.finfo(np.float64).max))

    def begin(self):
        """Forget the work of a frame that failed."""
        self._work, self._found, self._known, self._impact = 0.0, False, True, False
        self._at_end: tuple = (None, 0.0)
        # The last state that others worked on, and the work done on the network since [J].
        self._worked_on, self._work_since = None, 0.0

    def add_work(self, before, after, struck):
        """Take note of a substep; struck: whether contacts changed the state."""
        if not self._applies:
            return
        work = self._work_between(before, after) + self._system.work_of_resisting
        self._work += work
        if self._by_others(struck):
            self._found, self._worked_on, self._work_since = True, after, 0.0
        else:
            self._work_since += work
        self._known &= self._is_known(struck)
        self._impact |= self._system.contacts.impact

    def holds(self, state):
        """Whether the state at the end of a frame is within the budget, or what exceeds it was done by others."""
        if not self._applies or (state is self._worked_on and not self._keeps):
            return True
        return not self._energy_at_end(state) > self._limit

    def close(self, state):
        """Take the frame's work into the ceiling."""
        self.ceiling += self._work
        if not self._applies:
            return
        told, found = self._integrator.energy_told, self._energy_at_end(state)
        # What weighs nothing has its own energy for a measure.
        found += self._allowance or ALLOWANCE * (found - self._system.external_energy(state.x))
        if self._found and not self._keeps:
            # What others put in or took out is as it is.
            self.ceiling = found if told else max(self.ceiling, found)
        elif told or self._keeps:
            # What was lost does not come back.
            self.ceiling = min(self.ceiling, found)

    def change(self, state, energy, started):
        """Take note of springs that are others now, at so much more energy [J]; started: whether after the start."""
        if started:
            self.ceiling += energy
        else:
            self.start(state)
        self.__dict__.pop("_parts", None)

    def bounded(self, before, after):
        """The state after a substep, or one within the budget in its place, of which the integrator is told."""
        if not self._is_known(False):
            return after
        limit = self._limit
        for _ in range(_REFINEMENTS):
            if not self._potential(after) > limit + self._work_between(before, after):
                break
            closer = self._integrator.refined()
            if closer is None:
                break
            after = closer
        limit += self._work_between(before, after)
        if not self.energy(after) > limit:
            return after
        bounded = self._slowed(before, after, limit)
        self._integrator.correct(after, bounded)
        return bounded

    @property
    def _integrator(self):
        return self._steps.method

    @property
    def _keeps(self):
        """Whether all that worked in the frame is impacts that keep the energy."""
        return self._known and self._impact

    @property
    def _limit(self):
        """The most energy [J] of a state that others did not work on."""
        if not self._found or self._keeps:
            return self.ceiling + self._work
        since = self.energy(self._worked_on) + self._work_since + self._allowance
        return max(self.ceiling + self._work, since)

    def _by_others(self, struck):
        """Whether something worked on the network in this substep of which nobody knows how much."""
        return struck or self._system.contacts.touching or self._system.pins_move

    def _is_known(self, struck):
        """Whether all that worked is surfaces at rest that keep things at their energy, see `Rebounding`: no work."""
        at_rest = self._system.contacts.keeping and not self._system.pins_move
        return at_rest or not self._by_others(struck)

    def _slowed(self, before, after, limit):
        """The state with so little motion relative to the free parts' centres of mass that its energy fits."""
        drift, fall = self._drift(after.v), self._drift(after.x - before.x)
        own = self._kinetic(after.v - drift)
        limit += _ROUNDING * own - self._kinetic(drift)
        x, fixed = after.x, before.x + fall
        share = 1.0
        for _ in range(_HALVINGS):
            room = limit - self._potential(State(x, after.v, after.t))
            if room >= 0.0:
                break
            share *= 0.5
            x = np.where(self._free[:, None] > 0.0, fixed + share * (after.x - fixed), after.x)
        slower = min(1.0, np.sqrt(max(room, 0.0) / own)) if own > 0.0 else 1.0
        return State(x, drift + slower * (after.v - drift), after.t)

    def energy(self, state):
        """E of a state [J]."""
        return self._kinetic(state.v) + self._potential(state)

    def _energy_at_end(self, state):
        """E of the state at the end of the frame [J], which is asked for twice."""
        if self._at_end[0] is not state:
            self._at_end = state, self.energy(state)
        return self._at_end[1]

    def _kinetic(self, v):
        return 0.5 * float(np.einsum("i,ij,ij->", self._masses, v, v))

    def _potential(self, state):
        """Energy of springs, soft pins and external forces, less its own rounding error."""
        elastic = self._integrator.elastic_energy(state.x, state.t)
        external = self._system.external_energy(state.x)
        return elastic + external - _ROUNDING * (elastic + abs(external))

    def _work_between(self, before, after):
        """Work of forces without energy in a substep [J]."""
        work = 0.0
        if self._other_forces:
            work += float(np.sum(self._free[:, None] * self._system.other_forces * (after.x - before.x)))
        return work

    def _drift(self, field):
        """Motion of the centre of mass of each vertex's part, zero in parts that a pin holds."""
        parts, masses, drifting = self._parts
        moments = [np.bincount(parts, self._masses * column, len(masses)) for column in field.T]
        mean = np.column_stack(moments) / np.where(drifting, masses, np.inf)[:, None]
        return mean[parts]

    @cached_property
    def _parts(self):
        """Part of every vertex, mass of every part, and whether no pin holds it."""
        network = self._system.network
        parts = network_parts(network)
        drifting = np.ones(parts.max() + 1, dtype=bool)
        drifting[parts[network.pinned]] = False
        return parts, np.bincount(parts, network.masses), drifting
