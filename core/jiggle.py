# SPDX-License-Identifier: GPL-3.0-or-later
"""Goal springs that follow an animation and ring about it."""

from dataclasses import dataclass

import numpy as np

from .quantities import number


@dataclass(frozen=True)
class Jiggle:
    """A spring and a damper from every vertex to its animated place.

    frequency: of the oscillation of a body that is displaced as a whole [Hz], above 0; damping_ratio: 1 is critical.
    A vertex of mass m has the stiffness m (2 pi f)^2 and the damping 4 pi f zeta m: all of them together are one
    damped oscillator, whatever the mesh, x'' = -(2 pi f)^2 (x - goal) - 4 pi f zeta (x' - goal').
    sags: whether gravity pulls it from its goals, by g/(2 pi f)^2; otherwise goals bear the weight, because the body
        was modelled under gravity.

    Raises ValueError for a quantity out of its range.
    """

    frequency: float = 3.0
    damping_ratio: float = 0.2
    sags: bool = False

    def __post_init__(self):
        number("jiggle frequency", self.frequency, "Hz", above=0.0)
        number("jiggle damping ratio", self.damping_ratio)

    def goals(self, masses):
        """Quantities of `SpringNetwork.changed` by name for masses [kg], shape (vertex_count,)."""
        turn = 2.0 * np.pi * self.frequency
        return {
            "goal_stiffness": masses * turn**2,
            "goal_damping": 2.0 * self.damping_ratio * turn * masses,
            "borne_weight": np.full(len(masses), 0.0 if self.sags else 1.0),
        }
