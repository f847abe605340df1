# SPDX-License-Identifier: GPL-3.0-or-later
"""The energy budget of always stable methods: they gain nothing but the work on the network."""

from dataclasses import replace

import numpy as np

from .energies import Energies
from .external_work import Substep, Work
from .relative_motion import OwnMotion
from .step_shortening import WayBack

# Gain that is let pass, in parts of m g L and of the kinetic energy at the start; promised is one percent.
ALLOWANCE = 0.009

# Rounding of positions, in parts of the largest.
_PLACES = 64.0 * np.finfo(np.float64).eps

# How often a step is refined at most.
_REFINEMENTS = 20

# If a refinement leaves more than this share of the excess, the residual is not its cause: all refinements that were
# measured left less than 0.2 or more than 0.9.
_SOLVED = 0.8


class EnergyBudget:
    """Keeps E(t) <= E(s) + work + ALLOWANCE m g L for all s < t, L the largest side of the network, m g its weight.

    So lost energy does not come back. At the start the allowance is a share of m g L + T(0), T the kinetic energy; a
    network without weight has E in place of m g L. If a method does not know its elastic energy, see
    `Integrator.energy_told`, s is the start alone.

    E is the kinetic energy of the free vertices and of the air that moves with them, the elastic energy of the
    method, the energy of contacts, and that of gravity and of forces that have one. The work is that of all other
    forces, and of pins and surfaces that move, see `Work`; surfaces at rest do none, with friction neither. A method
    with an energy that swings by itself, see `Integrator.energy_swing`, may swing.

    A frame within the budget stays as it is. Another is stepped again, and the frames after it are stepped in the
    same way at once, until one needs no correction. Each substep beyond the ceiling is corrected in this order. It is
    solved more closely (`Integrator.refined`) as long as that helps. If strain and height alone exceed the ceiling,
    the displacement is shortened. At the end, after contacts, velocities are reduced by the excess; where surfaces at
    rest strain springs by more than that, particles go back along their ways. Parts are seen from their pins and
    surfaces, so an evenly moved part behaves as one at rest. Free parts keep the motion of their centres of mass, so
    momentum is conserved.

    system: System; steps: DividedSteps, of which the method in use counts.
    ceiling: the least E so far, with work since and allowance [J]; 0 for methods that are not always stable.
    acts: whether any substep of the last frame was corrected.
    """

    def __init__(self, system, steps):
        self._system, self._steps = system, steps
        self._applies = self._integrator.stability_limit == np.inf
        network = system.network
        self._work = Work(system)
        self._own = OwnMotion(self._work, network)
        self._energies = energies = Energies(system, steps, self._own)
        self.energy, self._at_least = energies.of, energies.at_least
        self.way_back = WayBack(self._own, energies.potential)
        masses = self._own.masses
        size = max(np.ptp(network.points, axis=0).max(), network.rest_lengths.max(initial=0.0))
        weight = np.linalg.norm(masses.sum() * system.gravity)
        self._allowance = ALLOWANCE * weight * size
        # Energy of a network at rest: velocities and lengths are as good as positions are.
        rounding = _PLACES * max(np.abs(network.points).max(), size)
        stiffness = network.stiffness.sum() + masses.sum() / self._integrator.dt**2
        self._at_rest = 0.5 * stiffness * rounding**2
        self.ceiling, self.acts = 0.0, False
        self.begin()

    def start(self, state):
        """Set the ceiling by a state to start from."""
        self.ceiling, self.acts = 0.0, False
        if self._applies:
            with np.errstate(over="ignore", invalid="ignore"):
                energy, swing = self.energy(state), self._integrator.energy_swing
                own = energy - self._system.external_energy(state.x) if swing else 0.0
                ceiling = energy + self._allowance + ALLOWANCE * self._own.kinetic(state.v) + swing * own
                ceiling += self._at_rest
            # Of absurd numbers there is no limit.
            self.ceiling = float(np.nan_to_num(ceiling, nan=np.finfo(np.float64).max))

    @property
    def memory(self):
        """`ceiling` and `acts`, from which it continues."""
        return self.ceiling, self.acts

    @memory.setter
    def memory(self, memory):
        self.ceiling, self.acts = memory

    def begin(self):
        """Forget the work of a frame that failed."""
        self._done, self._mended = 0.0, False
        self._at_end: tuple = (None, 0.0)

    def add_work(self, substep):
        """Note a Substep."""
        if self._applies:
            self._done += self._work_of(substep)

    def holds(self, state):
        """Whether the state at the end of a frame is within the budget."""
        return not self._applies or not self._energy_at_end(state) > self.ceiling + self._done

    def close(self, state):
        """Add the frame's work to the ceiling; lost energy does not come back."""
        self.acts = self._mended
        if not self._applies:
            return
        found = self._energy_at_end(state)
        # The rest cannot be taken: motion of free parts as wholes, and strain by moving surfaces.
        self._done += max(found - self.ceiling - self._done, 0.0)
        # Without weight its own energy is the scale.
        found += self._allowance or ALLOWANCE * (found - self._system.external_energy(state.x))
        found += self._at_rest
        if self._integrator.energy_told:
            self.ceiling = min(self.ceiling + self._done, found)
        elif self._done < np.inf:
            self.ceiling += self._done
        else:
            self.ceiling = max(self.ceiling, found)

    def divide(self, parts, state):
        """Divide substeps into so many parts from a State on, if the energy allows it; whether it does.

        With more parts springs are stiffer at the same length. If nothing that moves did work to pay for that energy,
        the motion has to.
        """
        steps, energy = self._steps, self.energy(state)
        (usual, _), history = steps.memory
        steps.divide(parts)
        if parts < usual or not self._applies:
            return True
        # Supports are known within a frame alone; motion of possible supports is known at any time.
        if self._system.pins_move or self._system.contacts.move(state.t, self._integrator.dt):
            self.ceiling += self.energy(state) - energy
        elif self._at_least(state) > self.ceiling:
            steps.recall((usual, parts), history)
            return False
        return True

    def change(self, state, energy, started):
        """Take note of springs that are others now, at so much more energy [J]; started: whether after the start."""
        if started:
            self.ceiling += energy
        else:
            self.start(state)

    def refined(self, before, returned):
        """The method's substep, or one solved more closely, and shortened if its strain exceeds the budget."""
        beyond = self._beyond(before, returned)
        self._mended = self._mended or beyond > 0.0
        for _ in range(_REFINEMENTS):
            if not beyond > 0.0:
                return returned
            closer = self._integrator.refined()
            if closer is None:
                break
            last, beyond = beyond, self._beyond(before, closer)
            returned = closer
            if beyond > _SOLVED * last:
                break
        if not beyond > 0.0:
            return returned
        shorter = self.way_back.shortened(before, returned, self._energies.potential(returned) - beyond)
        self._integrator.correct(returned, shorter)
        return shorter

    def bounded(self, substep):
        """The state after a Substep, or a slower one within the budget, of which the integrator is told."""
        after, limit = substep.after, self._limit(substep) - self._system.contacts.stored
        excess = self.energy(after) - limit
        if not excess > 0.0:
            return after
        self._mended = True
        slower, unpaid = self._slower(after, excess)
        if unpaid > 0.0 and not self._work.driven:
            strained = self._energies.elastic(after) - self._energies.elastic(substep.before)
            beyond = min(self._at_least(slower) - limit, strained)
            if beyond > 0.0:
                room = self._energies.potential(slower) - beyond
                slower = self.way_back.put_back(substep.before, slower, room)
        self._integrator.correct(after, slower)
        return slower

    def _slower(self, after, excess):
        """A State with so much less energy [J], and what it lacks of that."""
        of_air = self._system.energy_of_air(after)
        if of_air > 0.0:
            # It is slowed with what moves it.
            own = self._own.kinetic(after.v)
            excess *= own / (own + of_air)
        v, unpaid = self._own.slowed(after.v, excess)
        return replace(after, v=v), unpaid

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

    def _beyond(self, before, returned):
        """How far a state that a method returned is beyond the budget [J] by strain and height alone."""
        beyond = self.energy(returned) - self._limit(Substep(before, returned))
        return beyond - self._own.beside(returned.v) if beyond > 0.0 else beyond

    def _energy_at_end(self, state):
        """E of the state at the end of the frame [J], which is asked for twice."""
        if self._at_end[0] is not state:
            self._at_end = state, self.energy(state) + self._system.contacts.stored
        return self._at_end[1]
