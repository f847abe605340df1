# SPDX-License-Identifier: GPL-3.0-or-later
"""Classical fourth-order Runge-Kutta."""

from .runge_kutta import RungeKutta


class RK4(RungeKutta):
    """Classical Runge-Kutta method of fourth order.

    Order 4, explicit, four force evaluations a step; stable for w dt < sqrt(8) = 2.83 (undamped), where it
    loses energy slowly. Kutta 1901.
    """

    label = "RK4"
    number = 574_636_471
    description = (
        "Classical fourth-order Runge-Kutta: the most accurate for smooth motion with small steps, at four "
        "force evaluations each. Stiff springs need very small steps"
    )
    order = 4
    stability_limit = 8.0**0.5
    # The real root of z^3 - 4 z^2 + 12 z - 24, where the stability function is 1 again, is 2.7853.
    damping_limit = 2.785

    a = ((0.5,), (0.0, 0.5), (0.0, 0.0, 1.0))
    b = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
