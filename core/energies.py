# SPDX-License-Identifier: GPL-3.0-or-later
"""The energy of States, as a budget counts it."""

import numpy as np

from .relative_motion import ROUNDING


class Energies:
    """Energy of the free vertices' motion and of the air that moves with them, of springs, pins and external forces.

    system: System; steps: DividedSteps, whose method in use has the elastic energy; own: OwnMotion.
    """

    def __init__(self, system, steps, own):
        self._system, self._steps, self._own = system, steps, own
        self._last: tuple = ((None,) * 3, 0.0, None, 0.0)

    def of(self, state):
        """All of it [J]."""
        return self._own.kinetic(state.v) + self._system.energy_of_air(state) + self.potential(state)

    def at_least(self, state):
        """Energy of a State whose parts moved with their pins and surfaces, or as wholes [J]."""
        return self.of(state) - self._own.beside(state.v)

    def elastic(self, state):
        """Of springs and soft pins [J], as the method has it."""
        return self._steps.method.elastic_energy(state.x, state.t)

    def potential(self, state):
        """Of springs, soft pins and external forces, less its own rounding error [J]."""
        # Without contacts and what resists a state is asked for twice; pins may be put in place meanwhile.
        network, method = self._system.network, self._steps.method
        of, pins, (last, t, at, energy) = (state.x, network, method), state.x[network.hard_pins], self._last
        same = all(one is other for one, other in zip(of, last, strict=True)) and state.t == t
        if not (same and np.array_equal(pins, at)):
            energy = self._potential(state)
            self._last = of, state.t, pins, energy
        return energy

    def _potential(self, state):
        elastic = self.elastic(state)
        external = self._system.external_energy(state.x)
        return elastic + external - ROUNDING * (elastic + abs(external))
