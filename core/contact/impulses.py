# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses that contacts give at once, where a substep begins or ends."""

import numpy as np

from ..kernels.contacts import push_apart

# Sweeps over all contacts at most, and the share of the largest speed that is short by which they end: Newton's method
# finishes the rest. What presses on single particles alone takes two.
_SWEEPS, _ENOUGH = 12, 1e-2


def impulses(rows, inverse_masses, least):
    """Changes of velocity [m/s], shape (3, n), after which contacts part along their normals at least so fast.

    rows: Rows; inverse_masses [1/kg], shape (n,); least: speeds that they are short of [m/s], shape (count,), as if
    nothing changed. Impulses push and never pull; those of both sides of a contact are opposite, so momentum is kept.
    See `push_apart`.
    """
    count, n = len(least), len(inverse_masses)
    pushed = np.empty((3, n))
    enough = _ENOUGH * float(least.max(initial=0.0))
    of_rows = rows.corners, rows.weights, rows.normals, inverse_masses, least
    push_apart(*of_rows, _SWEEPS, enough, pushed, np.empty((2, count)), np.empty(n))
    return pushed
