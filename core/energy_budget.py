# SPDX-License-Identifier: GPL-3.0-or-later
"""What a method that is called always stable may gain: nothing but the work that is done on the network."""

import numpy as np

from .state import State
from .work import Substep, Work, means

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
        self._work = Work(system)
        self._masses = self._work.free * network.masses
        size = max(np.ptp(network.points, axis=0).max(), network.rest_lengths.max(initial=0.0))
        weight = np.linalg.norm(self._masses.sum() * system.gravity)
        self._allowance = ALLOWANCE * weight * size
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
        self._done = 0.0
        self._at_end: tuple = (None, 0.0)

    def add_work(self, substep):
        """Take note of a Substep."""
        if self._applies:
            self._done += self._work_of(substep)

    def holds(self, state):
        """Whether the state at the end of a frame is within the budget."""
        return not self._applies or not self._energy_at_end(state) > self.ceiling + self._done

    def close(self, state):
        """Take the frame's work into the ceiling: what was lost does not come back."""
        if not self._applies:
            return
        found = self._energy_at_end(state)
        # What weighs nothing has its own energy for a measure.
        found += self._allowance or ALLOWANCE * (found - self._system.external_energy(state.x))
        if self._integrator.energy_told:
            self.ceiling = min(self.ceiling + self._done, found)
        elif self._done < np.inf:
            self.ceiling += self._done
        else:
            self.ceiling = max(self.ceiling, found)

    def change(self, state, energy, started):
        """Take note of springs that are others now, at so much more energy [J]; started: whether after the start."""
        if started:
            self.ceiling += energy
        else:
            self.start(state)

    def refined(self, before, returned):
        """What the method returned of a substep, or that solved more closely, and shortened where strain exceeds it."""
        for _ in range(_REFINEMENTS):
            if not self._potential(returned) > self._room(before, returned):
                return returned
            closer = self._integrator.refined()
            if closer is None:
                break
            returned = closer
        shorter = self._shortened(before, returned)
        self._integrator.correct(returned, shorter)
        return shorter

    def bounded(self, substep):
        """The state after a Substep, or a slower one within the budget, of which the integrator is told."""
        after = substep.after
        excess = self.energy(after) - self._limit(substep)
        if not excess > 0.0:
            return after
        slower = State(after.x, self._slowed(after.v, excess), after.t)
        self._integrator.correct(after, slower)
        return slower

    @property
    def _integrator(self):
        return self._steps.method

    def _limit(self, substep):
        """The most energy [J] at the end of a Substep."""
        return self.ceiling + self._done + self._work_of(substep)

    def _work_of(self, substep):
        """Work of a Substep [J]; what contacts of others do is theirs."""
        work = self._work.of(substep, self._integrator)
        if self._system.contacts.foreign and substep.after is not substep.resisted:
            work += max(self.energy(substep.after) - self.energy(substep.resisted), 0.0)
        return work

    def _room(self, before, returned):
        """The most potential energy [J] of what a method returned, so that parts keep their own motion.

        Means of motions that cancel leave their rounding, which is no motion that needs room.
        """
        _, kept = self._own_motion(returned.v)
        rounding = _ROUNDING * self._kinetic(returned.v)
        return self._limit(Substep(before, returned)) - max(self._kinetic(kept) - rounding, 0.0)

    def _shortened(self, before, returned):
        """The state with so little of its displacement, but for its parts' own, that its potential energy fits."""
        room, dt = self._room(before, returned), returned.t - before.t
        _, kept = self._own_motion((returned.x - before.x) / dt)
        x, share, fixed = returned.x, 1.0, before.x + dt * kept
        for _ in range(_HALVINGS):
            if not self._potential(State(x, returned.v, returned.t)) > room:
                break
            share *= 0.5
            x = np.where(self._work.free[:, None] > 0.0, fixed + share * (returned.x - fixed), returned.x)
        return State(x, returned.v, returned.t)

    def _slowed(self, v, excess):
        """Velocities [m/s] with so much less kinetic energy [J], or as much less as parts have beside their own.

        First what moves within each part is slowed, then what of its centre of mass moves against what holds it.
        """
        for rest in self._own_motion(v):
            own = v - rest
            square, slope = 2.0 * self._kinetic(own), float(np.einsum("i,ij,ij->", self._masses, own, rest))
            most = 0.5 * square + slope - excess
            if square > 0.0:
                root = np.sqrt(max(slope**2 + 2.0 * square * most, 0.0))
                slower = rest + np.clip((root - slope) / square, 0.0, 1.0) * own
                slower[self._masses == 0.0] = v[self._masses == 0.0]
                excess -= self._kinetic(v) - self._kinetic(slower)
                v = slower
        return v

    def _own_motion(self, v):
        """Velocity of the centre of mass of every vertex's part, and of what holds that, if anything does [m/s]."""
        part, (held, held_v) = self._work.part, self._work.held()
        count = int(part.max()) + 1
        drift = means(part, self._masses, v, count)
        borne = np.isin(np.arange(count), part[held])[:, None]
        kept = np.where(borne, means(part[held], np.ones(len(held)), held_v, count), drift)
        return drift[part], kept[part]

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
