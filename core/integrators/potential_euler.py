# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit Euler with contacts as potentials."""

from ..solvers.potential_minimum import PotentialMinimum
from .implicit_euler import _ENOUGH, _STEPS, ImplicitEuler
from .potential_step import PotentialStep


class PotentialEuler(ImplicitEuler):
    """Implicit Euler whose contacts are minimised along with inertia and springs, see `PotentialContacts`."""

    _impacts: PotentialStep

    def prepare(self):
        """See `Integrator.prepare`."""
        super().prepare()
        contacts, network = self.system.contacts, self.system.network
        self._held = PotentialMinimum(network, self.dt, self.backend) if contacts.count else None
        self._impacts = PotentialStep(contacts, network, self.dt, self.dt)

    def step(self, state):
        """See `ImplicitEuler.step`."""
        after = super().step(state)
        return self._impacts.ended(after, None)[0] if self._held is not None else after
