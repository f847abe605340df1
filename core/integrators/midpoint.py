# SPDX-License-Identifier: GPL-3.0-or-later
"""Midpoint."""

from .runge_kutta import RungeKutta


class Midpoint(RungeKutta):
    """Explicit midpoint rule (Runge-Kutta 2, id "RK2" too): the slope after half a step serves the whole step.

    Order 2, explicit, two force evaluations a step. Slowly unstable for an undamped spring: the amplitude
    grows by sqrt(1 + (w dt)^4 / 4) a step.
    """

    label = "Midpoint"
    also = "Runge-Kutta 2"
    number = 338_933_260
    description = (
        "Second order, for short smooth motion. Undamped springs blow up slowly. Prefer Verlet for long "
        "runs, or Projective Dynamics for stiff springs"
    )
    order = 2
    stability_limit = 0.0

    a = ((0.5,),)
    b = (0.0, 1.0)
