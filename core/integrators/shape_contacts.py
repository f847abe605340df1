# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of single particles with shapes, minimised with inertia alone: each is a problem of its own."""

from typing import Any

import numpy as np

from ..axes import dot
from ..contact.contact_set import STICKING
from ..contact.near_shapes import NearShape, joined
from ..contact.restitution import Rebound, strikes
from ..directions import LEAST
from ..kernels.contact_laws import INERTIAS, STIFFENS, depth
from ..state import State


class OnShapes:
    """The contacts of a PotentialStep in closed form, where only single particles meet shapes.

    Along its normal a particle ends where inertia balances what presses, a cubic; across it friction that sticks is
    linear, and cut off at Coulomb's limit. So no step of Newton's method, matrix or line search is needed.

    rebound: Rebound of particles at rebounding surfaces in the last substep, or None; no particle was struck.

    contacts: PotentialContacts; shapes: ContactOf, by the numbers of their owners; dt: of the substeps [s].
    """

    def __init__(self, contacts, shapes, masses, dt):
        self._contacts, self._masses, self._dt = contacts, masses, dt
        free = contacts.inverse_masses > 0.0
        self._shapes = [NearShape(of, owner, free) for owner, of in shapes]
        # Inertia of the substep, and stiffness of what sticks, in parts of what is stiff by.
        self._ratio = (contacts.usual / dt) ** 2 / INERTIAS
        self.rebound: Any = None

    def ended(self, before, after):
        """The State that contacts leave of a substep from one to another, None where that is no matter of this."""
        contacts, dt, self.rebound = self._contacts, self._dt, None
        pressed, found = contacts.forces.fields[0].any(axis=0), []
        for shape in self._shapes:
            near, whole = shape.find(before, after, dt, contacts, pressed)
            if not whole:
                return None
            if near is not None:
                found.append((near, shape))
        if not found:
            contacts.forget()
            return after
        near = joined([of for of, _ in found])
        if near is None or (contacts.restitution.any and self._rebounds(near, before, after)):
            return None
        again = found[0][1].again if len(found) == 1 else None
        return self._minimised(near, again, before, after)

    def _rebounds(self, near, before, after):
        """True if a particle is struck by a surface that rebounds; else notes the particles there, see `Rebound`."""
        at = (near.gaps < 0.0) & (self._contacts.restitution.of(near.owners) > 0.0)
        if not at.any():
            return False
        which, n, dt, u = near.particles[at], near.normals[:, at], self._dt, near.velocities[:, at]
        arriving = dot(n, before.v[which].T - u)
        # Of a steadily accelerated motion.
        leaving = 2.0 * dot(n, (after.x[which] - before.x[which]).T / dt - u) - arriving
        if strikes(arriving, leaving).any():
            return True
        self.rebound = Rebound(which, u.T, None)
        return False

    def _minimised(self, near, again, before, after):
        dt, which, n = self._dt, near.particles, near.normals
        start, y, v = (np.ascontiguousarray(of.take(which, axis=0).T) for of in (before.x, after.x, before.v))
        gained = self._stopped(near, y - start, v)
        v = np.ascontiguousarray(after.v.take(which, axis=0).T)
        if gained is not None:
            y, v = y + dt * gained, v + gained
            near = self._after_stop(near, again, y, gained, before.t + dt)
            n = near.normals
        slid = y - start - dt * near.velocities
        moved, normal, rub, sunk = self._borne(near, slid)
        x = y + moved
        v += moved / dt
        # Speeds of parting that its way does not show.
        excess = dot(n, v - near.velocities) - np.maximum(dot(n, slid + moved) / dt, 0.0)
        v -= np.where(normal > 0.0, np.maximum(excess, 0.0), 0.0) * n
        # Particles that an impact pressed into a shape are put out of it.
        inside = sunk > near.reach
        if inside.any():
            x += np.where(inside, sunk - near.reach, 0.0) * n
        self._note(near, normal, rub, before, after)
        ends, speeds = after.x.copy(), after.v.copy()
        ends[which], speeds[which] = x.T, v.T
        return State(ends, speeds, after.t, after.normals)

    def _stopped(self, near, way, v):
        """Changes of velocity [m/s], shape (3, count), that stop what else goes farther than to what it meets, or None.

        way: of the particles in the substep [m]; v: velocities where it begins [m/s].
        """
        n, dt, u = near.normals, self._dt, near.velocities
        against = v - u
        room = near.gaps - dot(n, way - dt * u)
        least = -np.maximum(room, 0.0) / dt - dot(n, against)
        if not (least > 0.0).any():
            return None
        least = np.maximum(least, 0.0)
        gained = least * n
        struck = np.flatnonzero(least)
        self._contacts.bearing.note_struck(near.particles[struck], u[:, struck].T)
        if near.friction.any():
            slides = against - dot(n, against) * n
            speed = np.sqrt(dot(slides, slides))
            gained -= np.minimum(near.friction * least, speed) / np.maximum(speed, LEAST) * slides
        return gained

    def _after_stop(self, near, again, y, gained, t):
        """The Near at y, where impacts that changed velocities led at t [s]; again: see `NearShape.again`, or None."""
        if again is not None and self._dt * np.abs(gained).max() >= near.depths.min():
            # Farther away other points are closest.
            return again(near, y, t, self._dt)
        return near._replace(gaps=near.gaps + self._dt * dot(near.normals, gained))

    def _borne(self, near, slid):
        """What moves particles [m] to the least of inertia, pressure and friction, with normal forces and friction [N].

        And how deep they are then [m]. slid: ways against the surface in the substep, without that [m].
        """
        contacts, n, which = self._contacts, near.normals, near.particles
        inertia = self._masses[which] / self._dt**2
        deep = np.maximum(-near.gaps, 0.0)
        sunk = near.depths * balanced(deep / near.depths, self._ratio)
        risen = deep - sunk
        normal = inertia * risen
        moved = risen * n
        if not near.friction.any():
            return moved, normal, np.zeros_like(n), sunk
        before, rubbed = contacts.forces.fields[:, :, which]
        loads = np.maximum(dot(n, before), 0.0)
        slid = slid - dot(n, slid) * n
        rubbed = rubbed - dot(n, rubbed) * n
        # A new contact has the friction of its present normal force, from the one that would stop the particle.
        new = loads == 0.0
        if new.any():
            loads = np.where(new, normal, loads)
            rubbed = np.where(new, -inertia * slid, rubbed)
        firm = STICKING / self._ratio
        tried = (rubbed - firm * inertia * slid) / (1.0 + firm)
        limits = np.where(normal > 0.0, near.friction * loads, 0.0)
        rub = np.minimum(limits / np.maximum(np.sqrt(dot(tried, tried)), LEAST), 1.0) * tried
        return moved + rub / inertia, normal, rub, sunk

    def _note(self, near, normal, rub, before, after):
        contacts, which = self._contacts, near.particles
        fields = np.zeros_like(contacts.forces.fields)
        fields[0][:, which], fields[1][:, which] = normal * near.normals, rub
        contacts.bear_alone(near, fields, normal, before, after)


def balanced(deep, ratio):
    """Depths at which `kernels.contacts.push` balances inertia, in parts of those from which on contacts stiffen.

    deep: where inertia alone leads, in the same; ratio: inertia in parts of the stiffness of what is light. The real
    root d of d (1 + d^2) = ratio (deep - d), or beyond the straight line's.
    """
    firm, pull = 1.0 + ratio, ratio * deep
    found = np.sqrt(firm) * depth(pull / (firm * np.sqrt(firm)), 1.0, 1.0)
    most = STIFFENS * (firm + STIFFENS**2)
    if (pull > most).any():
        found = np.where(pull > most, STIFFENS + (pull - most) / (ratio + 1.0 + 3.0 * STIFFENS**2), found)
    return found
