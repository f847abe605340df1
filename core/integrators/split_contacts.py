# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts as potentials after the step of a method that knows nothing of them."""

from typing import Any

import numpy as np

from ..contact.contact_set import STIFF
from ..contact.potential_contacts import PotentialContacts
from ..contact.shape_rows import ROOM
from ..directions import lengths
from ..network import SpringNetwork
from ..solvers.conjugate_gradients import ConjugateGradients
from ..solvers.implicit_step import ImplicitStep
from ..solvers.inertial_newton import InertialNewton
from ..solvers.newton_pcg import NewtonPCG
from ..solvers.single_gradients import FEW
from ..state import State
from .potential_step import PotentialStep
from .shape_contacts import OnShapes


class SplitContacts(PotentialContacts):
    """PotentialContacts in a step of their own, with inertia alone, from where a method's step led.

    Godunov's splitting: motion without contacts, then contacts without all else. What springs and forces press with is
    in the way that they led, so what rests is borne as exactly as it is in one step of both.

    Hairer, Lubich and Wanner 2006, "Geometric Numerical Integration", section II.5.
    """

    inertia_alone = True
    _of_step: Any = None
    _rebound: Any = None

    def __len__(self):
        return self.count + super().__len__()

    def after(self, before, after, dt):
        """State that all contacts leave of a substep of dt [s], without the rounding of times; foreign ones last."""
        ended = self._minimised(before, after, dt) if self.count else after
        return super().after(before, ended, dt)

    def margins(self, start, end):
        """See `PotentialContacts.margins`: nothing but what stops it leads off a way here."""
        # A particle stopped across a surface that slides on is off its path by sin cos of it, half of it at most.
        return STIFF * self._margins.least + 0.5 * lengths(end - start)

    def thrown(self):
        """The Rebound of what rebounds in the substep, or None."""
        return self._rebound

    def bear_alone(self, near, fields, normal, before, after):
        """Take note of what shapes press and rub single particles with at the end of a substep, as `bear` does.

        near: Near; fields: on all particles, shape (2, 3, n) [N]; normal: forces on those near, shape (count,) [N].
        """
        self.forces.fields, self.pushes = fields, None
        self.room.note(near, normal, self.depenetration.inside, before, after)
        presses = normal > 0.0
        self.bearing.found = lambda: (near.particles[presses], near.velocities[:, presses].T)

    def _minimised(self, before, after, dt):
        if self._of_step is None or self._of_step[0].dt != dt:
            minimum = InertialMinimum(self._network, dt, between=self.between)
            step = PotentialStep(self, minimum.network, dt, dt)
            self._of_step = minimum, step, OnShapes(self, self._shapes_by_owner, self._network.masses, dt)
        minimum, step, on_shapes = self._of_step
        self._rebound = None
        if self.meets_shapes_alone(before, after, dt):
            ended = on_shapes.ended(before, after)
            if ended is not None:
                self._rebound = on_shapes.rebound
                return ended
        step.begin(before)
        y, start = np.ascontiguousarray(after.x.T), np.ascontiguousarray(before.x.T)
        force = self._network.masses[:, None] * (after.v - before.v) / dt
        aims = y, start, np.zeros((0, 3))
        step.prepared(minimum, dt, force, aims, lambda **_: None)
        self._rebound = step.rebound
        if not (step.touches or step.carries or step.stopped):
            self.forget()
            return after
        x = minimum.minimise(y, start, step)
        gained = step.past.v - before.v + (x - y).T / dt
        if step.carries:
            particles, held = step.carries
            gained[particles] += dt * held
        ended, _ = step.ended(State(np.ascontiguousarray(x.T), after.v + gained, after.t), None)
        return ended

    @property
    def _shapes_by_owner(self):
        first = len(self.obstacles.colliders) + 1
        return list(enumerate(self.shapes, first))

    def meets_shapes_alone(self, before, after, dt):
        """True if only shapes may touch single particles in a substep of dt [s], and no particle is led out."""
        if self.between:
            return False
        t = before.t + dt
        if self.depenetration.begin(before.x, t, dt, ROOM * self.sag) is not None:
            return False
        if not len(self.obstacles):
            return True
        return not any(self.depenetration.led()) and self.search.apart(before.x, after.x, t, dt)


class InertialMinimum:
    """1/(2 dt^2) |M^(1/2) (x - y)|^2 with contacts, y where a step of dt [s] without contacts ended.

    It has what a PotentialStep asks of a LocalGlobal. Springs are in the step, and in what contacts bear.

    network: SpringNetwork, of whose particles those that hard pins hold stay at y; between: whether any contact is
    between particles: their momentum has to be kept.
    """

    def __init__(self, network, dt, *, between):
        none, self.dt = np.zeros((0, 2), dtype=np.intp), dt
        pins = network.pins == 1.0
        self.network = SpringNetwork(network.points, none, masses=network.masses, pins=pins.astype(float))
        problem = self._problem = ImplicitStep(self.network, dt)
        weights = 1.0 / problem.inertia
        self._gradients = ConjugateGradients(network.points.T.shape, lambda r: weights * r)
        if between:
            self.newton_pcg: Any = NewtonPCG(problem, self._gradients, lambda r: weights * r)
        else:
            self.newton_pcg = InertialNewton(problem.inertia, self.network.hard_pins)
        self._between = between

    def linearised(self, x, start, targets):
        """See `LocalGlobal.linearised`."""
        self._problem.begin(x, start, targets)
        self._problem.gradient(x, linearise=True)
        return self._problem, self._gradients

    def minimise(self, y, start, contacts):
        """Positions [m], shape (3, n), where a PotentialStep lets a step end that leads from start to y without it."""
        if self._between:
            self._problem.begin(y, start, np.zeros((0, 3)))
        else:
            self.newton_pcg.begin(y)
        return contacts.settled(self, y.copy(), FEW)
