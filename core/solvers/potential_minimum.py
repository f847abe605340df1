# SPDX-License-Identifier: GPL-3.0-or-later
"""Local/global iterations in the air, and Newton's method where contacts are potentials."""

from functools import cached_property
from typing import Any

from .local_global import LocalGlobal
from .newton_pcg import NewtonPCG


class PotentialMinimum(LocalGlobal):
    """A LocalGlobal whose contacts are a part of what it minimises, see `PotentialStep`."""

    _potentials: Any = None

    @cached_property
    def newton_pcg(self):
        """The NewtonPCG of this step."""
        return NewtonPCG(self._problem, self._gradients, self._solved, self._truncated.few, self.backend)

    def minimise(self, y, start, soft_targets, *, iterations, first=None, contacts=None, tolerance=0.0, **how):
        """As `LocalGlobal.minimise`, with a PotentialStep for contacts."""
        if contacts.touches:
            self._problem.begin(y, start, soft_targets)
            self._contacts, x = None, y.copy() if first is None else first
            x[:, self.network.hard_pins] = y[:, self.network.hard_pins]
        else:
            how = {"iterations": iterations, "tolerance": tolerance, "first": first, **how}
            x = super().minimise(y, start, soft_targets, **how)
        self._x, self._potentials = contacts.settled(self, x, iterations, tolerance), contacts
        return self._x

    def refined(self, iterations):
        """See `LocalGlobal.refined`; None in contact, through which more iterations without it would lead."""
        return (
            None if self._potentials is not None and self._potentials.touches else super().refined(iterations)
        )

    def residual(self):
        """See `LocalGlobal.residual`, with contacts."""
        if self._x is None or self._potentials is None:
            return super().residual()
        g = self._problem.gradient(self._x)
        self._potentials.add_gradient(self._x, g)
        g[:, self.network.hard_pins] = 0.0
        return self._problem.relative_residual()
