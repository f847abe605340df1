# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses that contacts give at once, where a substep begins or ends."""

import numpy as np

from ..kernels import Indices
from ..kernels.contacts import push_apart
from ..solvers.conjugate_gradients import ENOUGH, MOST
from .held_corners import asked

# Sweeps over all contacts for a guess, which Newton's method finishes. What presses on single particles alone takes two
# of them; a sheet that falls on a sheet rises by a third of its fall where impacts have no more than a guess, and not
# at all with forty; a guess of forty leaves the longest edge of a heap at 13 % in place of 9.5.
_FEW = 12

# How often what an impact would press together is taken up as well: from a ply to the next, and on to the floor. As
# often as anything is, a heap takes 15.0 s in place of 13.1.
_ROUNDS = 4


def impulses(rows, inverse_masses, least):
    """Changes of velocity [m/s], shape (3, n), after which contacts part along their normals at least so fast.

    rows: Rows; inverse_masses [1/kg], shape (n,); least: speeds that they are short of [m/s], shape (count,), as if
    nothing changed; what is short of none gives nothing. Impulses push and never pull; those of both sides of a contact
    are opposite, so momentum is kept. See `push_apart`.
    """
    return _pushed(rows, inverse_masses, least, least > 0.0, _FEW)


def impact(rows, inverse_masses, least):
    """As `impulses`, closely; what is struck presses on what it lies on: least is negative where some may be lost."""
    meant, enough = least > 0.0, ENOUGH * float(least.max(initial=0.0))
    for _ in range(_ROUNDS):
        pushed = _pushed(rows, inverse_masses, least, meant, MOST)
        gained = np.einsum("ij,ij->j", rows.normals, rows.differences(pushed))
        also = ~meant & (least - gained > enough)
        if not also.any():
            break
        meant |= also
    return pushed


def _pushed(rows, inverse_masses, least, meant, sweeps):
    """Changes of velocity by those that are meant, a mask: most give nothing, and sweeps go over the others alone."""
    which, pushed = np.flatnonzero(meant), np.zeros((3, len(inverse_masses)))
    if len(which) == 0:
        return pushed
    shares = asked(rows.corners.values, rows.weights, inverse_masses == 0.0)
    if shares is not None:
        least = np.where(least > 0.0, shares, 1.0) * least
    particles, corners = _renumbered(rows.corners.values.take(which, axis=0), len(inverse_masses))
    count, n, enough = len(which), len(particles), ENOUGH * float(least.max(initial=0.0))
    laws = inverse_masses[particles], least[which], sweeps, enough
    buffers = np.empty((3, n)), np.empty((2, count)), np.empty(count), np.empty(n)
    push_apart(corners, rows.weights.take(which, axis=0), rows.normals.take(which, axis=1), *laws, *buffers)
    pushed[:, particles] = buffers[0]
    return pushed


def _renumbered(corners, count):
    """Particles of so many that are corners of anything, their indices, and Indices among them in place of corners."""
    found, numbers = np.zeros(count, dtype=bool), np.empty(count, dtype=np.intp)
    found[corners] = True
    particles = np.flatnonzero(found)
    numbers[particles] = np.arange(len(particles))
    return particles, Indices(numbers[corners], len(particles))
