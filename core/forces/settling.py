# SPDX-License-Identifier: GPL-3.0-or-later
"""Settling."""

import numpy as np

from ..directions import rows
from ..quantities import number
from .areas import particle_areas
from .force import Force
from .reach import lengths

# sinh of more may overflow; so far above slow speeds the decay is dry friction's to rounding.
_FAST = 300.0

# Below this share of the slow speed tanh is the identity to rounding.
_SLOW = 1e-9


class Settling(Force):
    """Resistance that is bounded, like dry friction made smooth: falls stay true, and swings come to rest.

    A particle with the area A feels -p A tanh(|v| / v_0) v / |v| with the pressure p = rho/2 C U^2: never more than a
    flow of U presses with, in proportion to the velocity where that is far below v_0. What falls or swings fast loses
    a few percent of its acceleration, whereas drag in proportion to |v| or |v|^2, of a size that brings a sheet to
    rest as soon, takes half of its speed in the first quarter of a swing.

    coefficient: C, 0 for none; flow_speed: U [m/s]; slow_speed: v_0 [m/s], above 0. With the defaults p is 0.135 N/m^2,
        a tenth of the weight of a shirt's cotton, which swings for eight seconds when it is let go level, 2 m wide.
    density: rho of the air [kg/m^3]; diameter: of strands [m]. A is of triangles at rest and of strands' sides.

    Every particle decays by itself, sinh(|v|/v_0) with exp(-p A t / (m v_0)): exact where nothing else acts, so that no
    step of any length adds energy. Order 1 beside other forces.

    Raises ValueError for a quantity out of its range.

    >>> from hooke.core import Settling, Simulation, SpringNetwork
    >>> sheet = SpringNetwork.grid((5, 5), 0.25, mass=0.2)
    >>> fallen = [Simulation(sheet, dt=1 / 24, forces=forces) for forces in ((), Settling())]
    >>> [round(float(list(simulation.frames(24))[-1][:, 2].mean()), 1) for simulation in fallen]
    [-5.1, -4.8]
    """

    label = "Settling"
    description = "Still air that takes a bounded share of the weight: falls stay true, and swings die out"
    resists = True

    def __init__(self, coefficient=0.1, *, flow_speed=1.5, slow_speed=0.2, density=1.204, diameter=0.005):
        coefficient = number("coefficient of settling", coefficient)
        # Up to the speed of light, so that pressures are finite.
        flow_speed = number("flow speed of settling", flow_speed, "m/s", most=3e8)
        density = number("density of the air", density, "kg/m^3")
        self.pressure = 0.5 * density * coefficient * flow_speed**2
        self.slow_speed = number("slow speed of settling", slow_speed, "m/s", above=0.0)
        self.diameter = number("diameter of strands", diameter, "m")

    def prepare(self):
        """Find the most that every particle feels, and the rate at which it decays where it is slow."""
        network = self.body.network
        self._most = self.pressure * particle_areas(self.body, self.diameter)
        self._rates = self._most / (network.masses * self.slow_speed)
        self._rates[network.hard_pins] = 0.0

    def __call__(self, x, v, t):
        """Force on every particle [N], shape (vertex_count, 3)."""
        ratio = np.maximum(lengths(v) / self.slow_speed, _SLOW)
        return rows(-self._most / self.slow_speed * np.tanh(ratio) / ratio) * v

    def slowed(self, x, v, t, dt, begun=None):
        """Velocities [m/s] left of v after dt [s]."""
        ratio = np.maximum(lengths(v) / self.slow_speed, _SLOW)
        fast = np.minimum(ratio, _FAST)
        gap = (ratio - fast) - self._rates * dt
        left = np.arcsinh(np.sinh(fast) * np.exp(np.minimum(gap, 0.0))) + np.maximum(gap, 0.0)
        return v * rows(left / ratio)
