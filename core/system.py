# SPDX-License-Identifier: GPL-3.0-or-later
"""The equations of motion an integrator sees: a network, what acts on it, and where its pins are."""

from dataclasses import replace
from functools import cached_property
from operator import is_

import numpy as np

from . import forces
from .air import reactive_airs
from .bodies import Cloth
from .contact.part_contact import outside_contacts
from .contact.potential_contacts import PotentialContacts
from .directions import lengths

# Time [s] in which what carries gives a velocity that is nothing beside its own.
_MOMENT = 1e-6


class System:
    """A body under gravity, external forces, contacts and moving pins.

    body: Body, whose network is simulated; another network of the same topology may take its place in time.
    gravity: acceleration [m/s^2]. external: Forces, or callables (x, v, t) -> forces [N], shape (vertex_count, 3);
        those with a method energy(x) -> J take part in the potential energy.
    contacts: see PotentialContacts, of which a `kind` is made of them.
    moves_air: whether the inertia of air counts, see ReactiveAir; encloses: whether what closed surfaces enclose does.

    Pins move in straight lines during a step: `move_pins` sets the line.
    carried: whether any force carries, see Force; airs: ReactiveAirs, one a body that moves air which has inertia.
    acting: gravity and all external forces as they were last evaluated [N]; other_forces: those without energy.
    work_of_resisting: what forces that resist gave to the motion in the substep so far, as wind does [J].
    """

    def __init__(
        self, body, gravity, external=(), contacts=(), kind=PotentialContacts, moves_air=True, encloses=True
    ):
        self.body, self.network = body, body.network
        external = (forces.Gravity(gravity), *external, *(_uneven_pressure(self) if encloses else ()))
        self._given = external, contacts, kind, moves_air
        self._touch(body)
        self.carried = any(force.carries for force in self.resisting)
        self.gravity = self.external[0].acceleration
        self.acting = self.other_forces = np.zeros_like(self.network.points)
        self.work_of_resisting, self._begun = 0.0, None
        self.inverse_masses = 1.0 / self.network.masses
        # A hard pin has infinite mass: no force accelerates it.
        self.inverse_masses[self.network.hard_pins] = 0.0
        start = self.network.points[self.network.pinned]
        self.move_pins(start, start, 0.0, 1.0)

    def take_up(self, network):
        """Go on with another network of the same topology, touched where it is not torn; returns it."""
        before, self.network = self.network, network
        if network.surface is not before.surface:
            self._touch(Cloth(network))
        return network

    def _touch(self, body):
        external, contacts, kind, moves_air = self._given
        self.external, self.resisting = _acting(external, body)
        self.airs = reactive_airs(self.resisting, self.network.vertex_count) if moves_air else ()
        self.contacts = kind(body, outside_contacts(contacts, body), self.external[0].acceleration)

    @property
    def uniform(self):
        """Whether only gravity acts, which is the same at any position, velocity and time."""
        return len(self.external) == 1

    def move_pins(self, start, end, t, dt):
        """Let the pinned vertices' targets, in index order, go from start to end [m] during dt [s] from t."""
        pinned = self.network.pinned
        self._hard = np.searchsorted(pinned, self.network.hard_pins)
        self._soft = np.searchsorted(pinned, self.network.soft_pins)
        self._start, self._end, self._t, self._dt = start, end, t, dt
        self.pins_move = start is not end and not np.array_equal(start, end)

    def hard_targets(self):
        """Where the hard pins are at the end of the step [m], shape (hard count, 3)."""
        return self._end[self._hard]

    def hard_velocities(self):
        """Velocity of the hard pins during the step [m/s], shape (hard count, 3)."""
        return (self._end[self._hard] - self._start[self._hard]) / self._dt

    def soft_velocities(self):
        """Velocity of the soft pins' targets during the step [m/s], shape (soft count, 3)."""
        return (self._end[self._soft] - self._start[self._soft]) / self._dt

    def soft_targets(self, t):
        """Where the soft pins' targets are at t [m], shape (soft count, 3)."""
        share = (t - self._t) / self._dt
        return self._start[self._soft] + share * (self._end[self._soft] - self._start[self._soft])

    def external_forces(self, x, v, t):
        """Gravity and all external forces [N], shape (vertex_count, 3)."""
        gravity, *others = self.external
        total = gravity(x, v, t)
        self.other_forces = np.zeros_like(x) if others else self.other_forces
        for force in others:
            found = _evaluated(force, x, v, t)
            total = total + found
            if not hasattr(force, "energy"):
                self.other_forces = self.other_forces + found
        self.acting = total
        return total

    def forces(self, x, v, t, springs=None):
        """All forces: springs, damping, soft pins, external [N], shape (vertex_count, 3).

        springs: the spring forces at x where the caller has them, else they are computed.
        """
        network = self.network
        if springs is None:
            springs = forces.spring_forces(network, x)
        f = springs + self.external_forces(x, v, t)
        if network.springs.damping.any():
            f = f + forces.damping_forces(network, x, v)
        if len(network.soft_pins):
            f = f + forces.pin_forces(network, x, self.soft_targets(t))
        return f

    def accelerations(self, x, v, t, springs=None):
        """All forces over masses [m/s^2], shape (vertex_count, 3); zero at hard pins. springs as in `forces`."""
        return self.shared_with_air(self.inverse_masses[:, None] * self.forces(x, v, t, springs))

    def begin(self, state, dt):
        """Note the State at the start of a substep of dt [s], before forces that resist have done work in it."""
        self.work_of_resisting, self._begun = 0.0, state
        for air in self.airs:
            air.begin(state, dt)

    def resisted(self, state, dt):
        """State that forces which resist, and dampers of pins, leave after dt [s]; the same object without any."""
        for air in self.airs:
            had = self.kinetic_energy(state)
            state = self._worked_on(replace(state, v=air.passed(state, dt)), had)
        for force in self.resisting:
            v = force.slowed(state.x, state.v, state.t, dt, self._begun)
            if self.airs:
                v = state.v + self.shared_with_air(v - state.v)
            had = self.kinetic_energy(state) if force.carries else np.inf
            state = self._worked_on(replace(state, v=v), had)
        if self.network.goal_damping.any():
            had = self.kinetic_energy(state)
            v = forces.pin_damped(self.network, state.v, self.soft_velocities(), dt)
            state = self._worked_on(replace(state, v=state.v + self.shared_with_air(v - state.v)), had)
        return state

    @property
    def resists(self):
        """Whether anything changes velocities after a step, see `resisted`."""
        return bool(self.resisting) or bool(self.network.goal_damping.any())

    def _worked_on(self, state, had):
        """A State; the kinetic energy beyond the given one [J] is the work of forces that resist."""
        if had < np.inf:
            self.work_of_resisting += max(self.kinetic_energy(state) - had, 0.0)
        return state

    def shared_with_air(self, gains):
        """Gain of velocity of single particles [m/s], shape (n, 3), less the share of their air, in place."""
        for air in self.airs:
            air.hold_back(gains)
        return gains

    def kinetic_energy(self, state):
        """Kinetic energy of a State [J], with that of the air that moves with it."""
        return forces.kinetic_energy(self.network, state.v) + self.energy_of_air(state)

    def energy_of_air(self, state):
        """Energy of the air that moves with a State [J]."""
        return sum(air.kinetic_energy(state) for air in self.airs)

    def normals(self):
        """Directions in which surfaces move air now, see State; None if the air has no inertia."""
        if not self.airs:
            return None
        normals = np.zeros_like(self.network.points)
        for air in self.airs:
            normals[air.place] = air.normals.T
        return normals

    @cached_property
    def pulls(self):
        """Magnitude of Forces but gravity at every vertex [N], shape (vertex_count,), for a body at rest. The larger of
        that at t = 0 with all known peaks, and the most at the points and with the body turned to both sides, since
        a level sheet starts edge on to most winds.
        """
        acting = [force for force in self.external[1:] if isinstance(force, forces.Force)]
        acting += [force for force in self.resisting if force.carries]
        at_peak = [force.at_peak() for force in acting]
        most = self._pulled(acting)
        return most if all(map(is_, acting, at_peak)) else np.maximum(most, self._pulled(at_peak))

    def _pulled(self, acting):
        """The most that Forces pull at every vertex with in three attitudes at t = 0 [N], shape (vertex_count,)."""
        points = self.body.network.points
        middle, none = points.mean(axis=0), np.zeros_like(points)
        most, masses = np.zeros(len(points)), self.body.network.masses[:, None] / _MOMENT
        for turn in range(3) if acting else ():
            x, found = middle + np.roll(points - middle, turn, axis=1), none
            for force in acting:
                if force.resists and force.carries:
                    found = found + masses * force.slowed(x, none, 0.0, _MOMENT)
                else:
                    found = found + force(x, none, 0.0)
            most = np.maximum(most, lengths(found))
        return most

    def elastic_energy(self, x, t):
        """Energy of springs and soft pins [J]."""
        return forces.spring_energy(self.network, x) + forces.pin_energy(
            self.network, x, self.soft_targets(t)
        )

    def external_energy(self, x):
        """Potential energy of gravity and of the external forces that have one [J]."""
        return sum(force.energy(x) for force in self.external if hasattr(force, "energy"))


def _uneven_pressure(system):
    """Deviations of the pressure in a System's enclosures, see `EnclosureOperators.uneven`; a tuple, () for none."""
    if not system.network.enclosures.is_uneven:
        return ()
    return (lambda x, v, t: system.network.enclosure_operators.uneven(x),)


def _evaluated(force, x, v, t):
    """The value of a force [N]; raises ValueError unless it is one vector, or one for each vertex."""
    found = force(x, v, t)
    if np.shape(found) not in (x.shape, (3,)):
        raise ValueError(
            f"the force {force!r} gave forces of shape {np.shape(found)}: give x, y, z for all of the {len(x)} "
            "vertices"
        )
    return found


def _acting(external, body):
    """Forces on a Body, those that resist apart, as two tuples."""
    acting = [force.on(body) if isinstance(force, forces.Force) else force for force in external]
    resisting = tuple(force for force in acting if getattr(force, "resists", False))
    return tuple(force for force in acting if force not in resisting), resisting
