# SPDX-License-Identifier: GPL-3.0-or-later
"""The substep of an implicit method in which something is carried out of what it began in."""

from ..contact.shape_rows import ROOM
from ..state import State


def carried_out(contacts, y, start, past, accelerations, dt, a):
    """Change y and start [m], shape (3, n), in place by what is carried out of what it is in.

    It is no motion: where the formula counts velocities from goes along, and along that way nothing moves or falls by
    itself. contacts: PotentialContacts; past: State at the start of the substep; accelerations: by all but springs,
    shape (n, 3) [m/s^2]; dt: of the substep, a: of the formula [s].

    The past with that, and the particles with the accelerations that hold them, shape (count, 3), or None of none.
    """
    depenetration = contacts.depenetration
    carried = depenetration.begin(past.x, past.t + dt, dt, ROOM * contacts.sag)
    if carried is None:
        return past, None
    particles, way = carried.particles, dt * carried.velocities
    gained, held = (depenetration.carrying.stopped(carried, of) for of in (past.v, accelerations))
    y[:, particles] += (way + dt * gained + a**2 * held).T
    start[:, particles] += (way + (dt - a) * gained).T
    x, v = past.x.copy(), past.v.copy()
    x[particles] += way
    v[particles] += gained
    return State(x, v, past.t), (particles, held)
