# SPDX-License-Identifier: GPL-3.0-or-later
"""Solves on the kept factor."""

import numpy as np

from .drift import Drift
from .supernodal import SupernodalFactor


class KeptSolve:
    """S^-1 g, one row an axis, in a buffer; what no pin holds gets the momentum that g asks for, to double precision.

    factor: of S; network: SpringNetwork; inertia: what S has of it, M/dt^2 [kg/s^2].
    """

    def __init__(self, factor, network, inertia):
        self._solve, self._inertia = factor.by_rows(), inertia
        self._increment = np.empty((3, network.vertex_count))
        self._drift = Drift(network) if isinstance(factor, SupernodalFactor) else None

    def __call__(self, g):
        """S^-1 g [m] for a gradient [N] of shape (3, vertex_count)."""
        self._solve(np.ascontiguousarray(g), self._increment)
        if self._drift is not None:
            self._drift.remove(self._increment, self._increment - g / self._inertia)
        return self._increment
