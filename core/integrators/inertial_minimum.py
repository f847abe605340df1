# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts minimised with inertia alone: what methods have that know nothing of them within their steps."""

from typing import Any

import numpy as np

from ..network import SpringNetwork
from ..solvers.conjugate_gradients import ConjugateGradients
from ..solvers.implicit_step import ImplicitStep
from ..solvers.inertial_newton import InertialNewton
from ..solvers.newton_pcg import NewtonPCG

# Iterations that a PotentialStep is told of: its conjugate gradients end by their residual before.
_ITERATIONS = 12


class InertialMinimum:
    """1/(2 dt^2) |M^(1/2) (x - y)|^2 with contacts, y where a step of dt [s] without contacts ended.

    It has what a PotentialStep asks of a LocalGlobal. Springs are in the step, and in what contacts bear.

    network: SpringNetwork, of whose particles those that hard pins hold stay at y; between: whether any contact is
    between particles: their momentum has to be kept.
    """

    def __init__(self, network, dt, *, between):
        none, self.dt = np.zeros((0, 2), dtype=np.intp), dt
        pins = network.pins == 1.0
        self.network = SpringNetwork(network.points, none, masses=network.masses, pins=pins.astype(float))
        problem = self._problem = ImplicitStep(self.network, dt)
        weights = 1.0 / problem.inertia
        self._gradients = ConjugateGradients(network.points.T.shape, lambda r: weights * r)
        if between:
            self.newton_pcg: Any = NewtonPCG(problem, self._gradients, lambda r: weights * r)
        else:
            self.newton_pcg = InertialNewton(problem.inertia, self.network.hard_pins)
        self._between = between

    def linearised(self, x, start, targets):
        """See `LocalGlobal.linearised`."""
        self._problem.begin(x, start, targets)
        self._problem.gradient(x, linearise=True)
        return self._problem, self._gradients

    def minimise(self, y, start, contacts):
        """Positions [m], shape (3, n), where a PotentialStep lets a step end that leads from start to y without it."""
        if self._between:
            self._problem.begin(y, start, np.zeros((0, 3)))
        else:
            self.newton_pcg.begin(y)
        return contacts.settled(self, y.copy(), _ITERATIONS)
