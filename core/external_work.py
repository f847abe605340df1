# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on a network in a substep: by forces without an energy, and by moving pins and surfaces."""

from functools import cached_property

import numpy as np

from . import forces
from .topology import connected_parts, network_parts

# Velocities [m/s] of what holds a part that differ by no more are one motion.
_SAME = 1e-9

# Only to divide by.
_LEAST = 1e-300


class Substep:
    """Both ends of a substep, and the States in between.

    before: at the start; returned: by the method; resisted: after forces that resist; after: after contacts and pins.
    """

    def __init__(self, before, returned, resisted=None, after=None):
        self.before, self.returned = before, returned
        self.resisted = returned if resisted is None else resisted
        self.after = self.resisted if after is None else after

    @property
    def gained(self):
        """Changes of velocity by springs, forces and contacts, without forces that resist [m/s]."""
        return (self.returned.v - self.before.v) + (self.after.v - self.resisted.v)


class Work:
    """The work of forces that have no energy, and of pins and surfaces that move, on a System's network.

    Pins and surfaces push a part with the impulse that its momentum gains beyond the forces: springs within a part add
    up to zero, however well their step was solved. So the work of a part that moves as one is exact. If the part
    turns, or some of it rests, each held particle also counts with the missing force of its own springs.
    """

    def __init__(self, system):
        self._system, self._network = system, system.network
        self._other_forces = any(not hasattr(force, "energy") for force in system.external)

    def held(self):
        """Particles that pins and surfaces hold, once each, and the mean velocity of what holds them [m/s]."""
        system, network = self._system, self._system.network
        borne, surface_v = system.contacts.driven()
        held, row, count = np.unique(
            np.concatenate([network.hard_pins, network.soft_pins, borne]),
            return_inverse=True,
            return_counts=True,
        )
        velocities = np.concatenate([system.hard_velocities(), system.soft_velocities(), surface_v])
        columns = [np.bincount(row, column, len(held)) / count for column in velocities.T]
        return held, np.column_stack(columns)

    @property
    def driven(self):
        """Whether any pin or surface that holds particles moves."""
        system = self._system
        moving = system.hard_velocities(), system.soft_velocities(), system.contacts.driven()[1]
        return any(velocities.any() for velocities in moving)

    def borne(self):
        """Particles that surfaces hold."""
        return self._system.contacts.driven()[0]

    def of(self, substep, method):
        """Work in a Substep of an Integrator [J], infinite if unknown."""
        system, before, after = self._system, substep.before, substep.after
        work = system.work_of_resisting
        if self._other_forces:
            work += float(np.sum(system.other_forces * (after.x - before.x)))
        if not self.driven:
            return work
        held, velocities = self.held()
        # A method without all of its energy has no spring forces either.
        return work + self._of_motion(substep, method, held, velocities) if method.energy_told else np.inf

    def _of_motion(self, substep, method, held, velocities):
        """Work of pins and surfaces with such velocities [J]."""
        network, dt = method.network, substep.after.t - substep.before.t
        impulses = (self.free * network.masses)[:, None] * substep.gained - dt * self._system.acting
        for air in self._system.airs:
            air.push(air.momentum(substep.gained.T), impulses.T)
        # Contacts under load join parts.
        part = np.zeros_like(self.part) if self._system.contacts.between else self.part
        mean = means(part[held], np.ones(len(held)), velocities, int(part.max()) + 1)
        work = float(np.einsum("ij,ij->", impulses, mean[part]))
        apart = velocities - mean[part[held]]
        if np.abs(apart).max() > _SAME:
            given = self._given_apart(substep, network, impulses, dt)
            work += float(np.einsum("ij,ij->", given[held], apart))
        return work

    def _given_apart(self, substep, network, impulses, dt):
        """Impulses of pins and surfaces on every particle [N s], from those of these and springs together."""
        after, soft = substep.after, len(network.soft_pins)
        if soft and not len(network.hard_pins) and not len(self.borne()):
            # Where springs of pins are all that holds, their pull is known.
            return dt * forces.pin_forces(network, after.x, self._system.soft_targets(after.t))
        impulses = impulses - dt * forces.spring_forces(network, after.x)
        if network.damping.any():
            impulses -= dt * forces.damping_forces(network, after.x, after.v)
        return impulses

    @cached_property
    def free(self):
        """1 for vertices without a hard pin, 0 for others."""
        free = np.ones(self._network.vertex_count)
        free[self._network.hard_pins] = 0.0
        return free

    @property
    def part(self):
        """Part of every vertex."""
        return self._of_parts()[1]

    @property
    def part_count(self):
        """How many parts there are."""
        return self._of_parts()[2]

    def joined_parts(self):
        """Part of every vertex, equal for parts that may touch each other in the substep, and the number of parts."""
        part, count, near = self.part, self.part_count, self._system.contacts.near
        if count > 1 and near is not None and near.candidates is not None:
            part = connected_parts(part[near.candidates.meeting(len(part))], count)[part]
            count = int(part.max()) + 1
        return part, count

    def touch_others(self):
        """Mask of the vertices of parts that may touch others in the substep."""
        group, count = self.joined_parts()
        if count == self.part_count:
            return np.zeros(len(group), dtype=bool)
        of_parts = np.zeros(self.part_count, dtype=np.intp)
        of_parts[self.part] = group
        return np.bincount(of_parts, minlength=count)[group] > 1

    def meets(self, x):
        """Whether any of several parts meets anything on its way in the substep to x, shape (n, 3) [m]."""
        near = self._system.contacts.near
        return self.part_count > 1 and near is not None and near.meets(np.ascontiguousarray(x.T))

    def _of_parts(self):
        network = self._system.network
        if self._parts[0] is not network.broken:
            part = network_parts(network)
            self._parts = network.broken, part, int(part.max()) + 1
        return self._parts

    _parts: tuple = (None, None, 0)


def means(part, weights, field, count):
    """Means of a field, shape (row_count, 3), by weights in each of so many parts, 0 of none."""
    if count == 1:
        return (weights @ field / max(weights.sum(), _LEAST))[None]
    total = np.maximum(np.bincount(part, weights, count), _LEAST)
    return np.column_stack([np.bincount(part, weights * column, count) / total for column in field.T])
