# SPDX-License-Identifier: GPL-3.0-or-later
"""The linear equations of projective dynamics' global step: their matrix, right side and factor."""

from typing import Any

import numpy as np

from ..kernels.motion import inertial_place
from ..solvers.local_global import LocalGlobal

_NO_PAST = np.empty((0, 3)), np.empty((0, 3))


class GlobalStep:
    """S x = b of ProjectiveDynamics, to look at."""

    system: Any
    dt: float
    _main: LocalGlobal

    @property
    def matrix(self):
        """S of the global step [kg/s^2], SciPy CSC, with the identity at hard pins; of BDF2 and lumped where chosen."""
        return self._main.factor.matrix

    @property
    def factor(self):
        """The factor of S: `factor.solve(b)`, b of shape (vertex_count, k)."""
        return self._main.factor.double

    def right_side(self, state, x=None):
        """b of the global step S x = b that begins at a State [N], shape (vertex_count, 3): M y/dt^2 + A^T K d + ...

        x: positions [m] whose spring directions the local step takes; None for y, with the pins on their targets. b has
        the targets themselves at hard pins, where S has the identity.
        """
        force = external(self.system, state, None, self.dt)
        y, start = without_springs(self.system, self._main.dt, state, None, force)
        return self._main.right_side(y, start, self.system.soft_targets(state.t + self.dt), x)


def external(system, state, previous, dt):
    """All forces but springs' [N]: of BDF2 at the end of the step, extrapolated; at its start they have order 1."""
    x, v, t = state.x, state.v, state.t
    if previous is not None:
        t += dt
        if not system.uniform:
            x, v = x + dt * v, 2.0 * v - previous.v
    return system.external_forces(x, v, t)


def without_springs(system, a, state, previous, force):
    """Where forces [N] but for springs lead in a formula of a [s], and where that starts [m], of shape (3, n) both."""
    network, past = system.network, _NO_PAST if previous is None else (previous.x, previous.v)
    y, start = np.empty((3, network.vertex_count)), np.empty((3, network.vertex_count))
    fields = map(np.ascontiguousarray, (state.x, state.v, *past, force))
    inertial_place(*fields, network.masses, a, start, y)
    if system.airs:
        gains = a**2 * force / network.masses[:, None]
        y -= (gains - system.shared_with_air(gains.copy())).T
    y[:, network.hard_pins] = system.hard_targets().T
    return y, start
