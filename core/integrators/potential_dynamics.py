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
        super().change()
        self._impacts = PotentialStep(self.system.contacts, self._network, self.dt, self._main.dt)

    def follow(self, other):
        """See `Integrator.follow`: forces of contacts are those of steps of any length."""
        fields = self.system.contacts.history
        super().follow(other)
        self.system.contacts.restore(fields)

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
        return super().history + self.system.contacts.history

    def restore_history(self, arrays):
        """See `Integrator.restore_history`."""
        own = max(len(arrays) - len(self.system.contacts.history), 0)
        super().restore_history(arrays[:own])
        self.system.contacts.restore(arrays[own:])
