# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts as potentials after the step of a method that knows nothing of them."""

from typing import Any

import numpy as np

from ..contact.potential_contacts import PotentialContacts
from ..solvers.inertial_minimum import InertialMinimum
from ..state import State
from .potential_step import PotentialStep


class SplitContacts(PotentialContacts):
    """PotentialContacts in a step of their own, with inertia alone, from where a method's step led.

    Godunov's splitting: motion without contacts, then contacts without all else. What springs and forces press with is
    in the way that they led, so what rests is borne as exactly as it is in one step of both.

    Hairer, Lubich and Wanner 2006, "Geometric Numerical Integration", section II.5.
    """

    _of_step: Any = None

    def __len__(self):
        return self.count

    @property
    def history(self):
        """See `Integrator.history`: normal forces and friction on the particles [N], each of shape (n, 3)."""
        return tuple(np.ascontiguousarray(field.T) for field in self.fields)

    def restore(self, arrays):
        """See `Integrator.restore_history`."""
        self.forget()
        if len(arrays):
            self.fields = np.stack([np.ascontiguousarray(array.T) for array in arrays])

    def after(self, before, after, dt):
        """See `Seats.after`; dt: of the substep [s], without the rounding of times."""
        if self._of_step is None or self._of_step[0].dt != dt:
            minimum = InertialMinimum(self._network, dt)
            self._of_step = minimum, PotentialStep(self, minimum.network, dt, dt)
        minimum, step = self._of_step
        step.begin(before)
        y, start = np.ascontiguousarray(after.x.T), np.ascontiguousarray(before.x.T)
        force = self._network.masses[:, None] * (after.v - before.v) / dt
        aims = y, start, np.zeros((0, 3))
        step.seated(None, minimum, dt, force, aims, lambda: None)
        if not step.touches:
            self.forget()
            return after
        x = minimum.minimise(y, start, step)
        gained = step.past.v - before.v + (x - y).T / dt
        ended, _ = step.ended(State(np.ascontiguousarray(x.T), after.v + gained, after.t), None)
        return ended
