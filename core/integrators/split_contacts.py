# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts as potentials after the step of a method that knows nothing of them."""

from typing import Any

import numpy as np

from ..contact.potential_contacts import PotentialContacts
from ..state import State
from .inertial_minimum import InertialMinimum
from .potential_step import PotentialStep


class SplitContacts(PotentialContacts):
    """PotentialContacts in a step of their own, with inertia alone, from where a method's step led.

    Godunov's splitting: motion without contacts, then contacts without all else. What springs and forces press with is
    in the way that they led, so what rests is borne as exactly as it is in one step of both.

    Hairer, Lubich and Wanner 2006, "Geometric Numerical Integration", section II.5.
    """

    _of_step: Any = None
    _rebound: Any = None

    def __len__(self):
        return self.count + super().__len__()

    def after(self, before, after, dt):
        """State that all contacts leave of a substep of dt [s], without the rounding of times; foreign ones last."""
        ended = self._minimised(before, after, dt) if self.count else after
        return super().after(before, ended, dt)

    def thrown(self):
        """The Rebound of what rebounds in the substep, or None."""
        return self._rebound

    def _minimised(self, before, after, dt):
        if self._of_step is None or self._of_step[0].dt != dt:
            minimum = InertialMinimum(self._network, dt)
            self._of_step = minimum, PotentialStep(self, minimum.network, dt, dt)
        minimum, step = self._of_step
        step.begin(before)
        y, start = np.ascontiguousarray(after.x.T), np.ascontiguousarray(before.x.T)
        force = self._network.masses[:, None] * (after.v - before.v) / dt
        aims = y, start, np.zeros((0, 3))
        step.prepared(minimum, dt, force, aims, lambda **_: None)
        self._rebound = step.rebound
        if not (step.touches or step.carries):
            self.forget()
            return after
        x = minimum.minimise(y, start, step)
        gained = step.past.v - before.v + (x - y).T / dt
        if step.carries:
            particles, held = step.carries
            gained[particles] += dt * held
        ended, _ = step.ended(State(np.ascontiguousarray(x.T), after.v + gained, after.t), None)
        return ended
