# SPDX-License-Identifier: GPL-3.0-or-later
"""Air that passes over a body and has inertia."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Flow(NamedTuple):
    """The air of a force that resists, see `air.ReactiveAir`.

    body: the Body whose triangles it meets; density: of the air whose inertia counts [kg/m^3].
    air: callable (x, t) -> velocity at places [m/s], and the share of the density there, None where that is 1.
    lift: C_l rho [kg/m^3]; flat_on: C_n / C_l of a plate that is lifted; across: C_n rho/2 [kg/m^3].
    leave_lift: callable mask of vertices: leaves the lift of triangles between these to the air; leave_drag: callable
    of a share of every triangle: leaves as much of its drag to it from now on.
    """

    body: Any
    density: float
    air: Callable
    lift: float
    flat_on: float
    across: float
    leave_lift: Callable
    leave_drag: Callable

    def scaled(self, factor):
        """The same air, of whose density a share is there that changes with time: callable t -> number."""

        def air(x, t):
            velocity, share = self.air(x, t)
            return velocity, (1.0 if share is None else share) * max(factor(t), 0.0)

        return self._replace(air=air)
