# SPDX-License-Identifier: GPL-3.0-or-later
"""Which vertices of a network are held, and how."""

from functools import cached_property
from typing import Any

import numpy as np

from .quantities import frozen


class Pinning:
    """Parts of SpringNetwork that follow from its pins and goals."""

    pins: Any
    goal_stiffness: Any

    @cached_property
    def hard_pins(self):
        """Indices of vertices of pin weight 1, ascending."""
        return frozen(np.flatnonzero(self.pins == 1.0))

    @cached_property
    def free(self):
        """Indices of vertices that are no hard pins, ascending."""
        return np.flatnonzero(self.pins < 1.0)

    @cached_property
    def soft_pins(self):
        """Indices of vertices that springs pull to their targets, ascending."""
        return frozen(np.flatnonzero(((self.pins > 0.0) | (self.goal_stiffness > 0.0)) & (self.pins < 1.0)))

    @cached_property
    def pinned(self):
        """Indices of hard and soft pins, ascending."""
        return frozen(np.flatnonzero((self.pins > 0.0) | (self.goal_stiffness > 0.0)))
