# SPDX-License-Identifier: GPL-3.0-or-later
"""Projective dynamics with contacts as potentials."""

from ..solvers.potential_minimum import PotentialMinimum
from .potential_step import PotentialStep
from .projective_dynamics import ProjectiveDynamics


class PotentialDynamics(ProjectiveDynamics):
    """Projective dynamics whose contacts are minimised along with inertia and springs, see `PotentialContacts`.

    A substep in which something may touch is `STEPS` Newton steps of conjugate gradients, see `NewtonPCG`, whatever the
    acceleration is, or as many as it takes to a tolerance; what comes to a surface is stopped there before, see `PotentialStep`.
    """

    solver = PotentialMinimum
    _impacts: PotentialStep

    def prepare(self):
        """See `Integrator.prepare`."""
        super().prepare()
        self._impacts = PotentialStep(self.system.contacts, self._network, self.dt, self._main.dt)

    def change(self):
        """See `Integrator.change`."""
        fields = self._impacts.history
        super().change()
        self._impacts = PotentialStep(self.system.contacts, self._network, self.dt, self._main.dt)
        self._impacts.restore(fields)

    def follow(self, other):
        """See `Integrator.follow`: forces of contacts are those of steps of any length."""
        fields = self._impacts.history
        super().follow(other)
        self._impacts.restore(fields)

    def step(self, state):
        """See `ProjectiveDynamics.step`."""
        after = super().step(state)
        after, self._previous = self._impacts.ended(after, self._previous)
        after, self._previous = self._soft.given(state, after, self._previous, self._force)
        return after

    def given_back(self, before, after):
        """See `Integrator.given_back`: a step has done it."""
        return after

    @property
    def history(self):
        """See `ProjectiveDynamics.history`; then normal forces and friction on the particles [N]."""
        return super().history + self._impacts.history

    def restore_history(self, arrays):
        """See `Integrator.restore_history`."""
        super().restore_history(arrays[:-2])
        self._impacts.restore(arrays[-2:])
