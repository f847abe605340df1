# SPDX-License-Identifier: GPL-3.0-or-later
"""Explicit Euler."""

from .runge_kutta import RungeKutta


class ExplicitEuler(RungeKutta):
    """Forward Euler: everything from the start of the step. x' = x + dt v, v' = v + dt a(x, v).

    Order 1, explicit, one force evaluation a step. Never stable for an undamped spring: the amplitude grows
    by sqrt(1 + w^2 dt^2) a step.
    """

    label = "Explicit Euler"
    number = 587_906_846
    description = (
        "The simplest method, for comparison: it gains energy at every step, so springs blow up at any step. "
        "Prefer Symplectic Euler at the same cost, or Projective Dynamics"
    )
    order = 1
    stability_limit = 0.0

    b = (1.0,)
