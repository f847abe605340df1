# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the iterations of an implicit step begin that contacts hold."""

import numpy as np

# Kinetic energy over the inertia's part of the objective at rest in place, most of which is then what forces add to the
# velocities in the substep: what moves no faster is slow.
_SLOW = 0.25

# The same of what rests.
_AT_REST = 0.01


class HeldStart:
    """The places where an ImplicitStep that contacts hold may begin, and the lowest of them.

    What rests begins where it is. What forces add to the velocities displaces all of a soft solid by dt^2 f/m. Where
    it slides, a surface under few of its particles and the springs balance most of that; few iterations would leave
    some, and friction have too much of the weight or too little: it may begin where velocities alone lead.

    problem: ImplicitStep; x: where inertia and forces lead, contacts: Seats; led: whether it may begin where
    velocities lead, where surfaces hold it.
    here: where the particles are [m], but for hard pins, as in x; what is free goes on with its centre of mass.
    """

    def __init__(self, problem, x, contacts, *, led):
        self._problem, self._contacts, self._led = problem, contacts, led
        self.here = _here(problem.network, x, contacts)
        self._at_rest = _Level(problem, self.here, contacts.stored_at(self.here))

    def allows(self, value):
        """Whether a value of the objective [J] is no higher than at rest in place."""
        return self._at_rest.allows(value)

    def lowest(self, x):
        """The lowest of those places, and the objective there but for the contacts' energy [J].

        x: as at first, or another that takes its place.
        """
        problem, contacts, before = self._problem, self._contacts, self._contacts.start
        kinetic = 0.5 * float(np.einsum("i,ij,ij->", problem.network.masses, before.v, before.v))
        if kinetic < _AT_REST * self._at_rest.inertial:
            # Likely it stays there, and the gradient is asked for with the value.
            gone, value = value_at(problem, x, contacts), placed(problem, self.here, contacts)
            if value + contacts.stored() < gone:
                return self.here, value
        value = placed(problem, x, contacts)
        if self._led and contacts.holding:
            x, value = self._coasted(x, value)
        if kinetic < _SLOW * self._at_rest.inertial and not self.allows(value + contacts.stored()):
            return self.here, placed(problem, self.here, contacts)
        return x, value

    def _coasted(self, x, value):
        """Where velocities alone lead, if the objective is lower than at x, and the objective but for contacts."""
        problem, contacts, before = self._problem, self._contacts, self._contacts.start
        gone = value + contacts.stored()
        led = before.x.T + contacts.dt * before.v.T
        led[:, problem.network.hard_pins] = x[:, problem.network.hard_pins]
        if problem.inertial(led) >= gone:
            return x, value
        there = value_at(problem, led, contacts)
        if there < gone:
            x = led
        return x, placed(problem, x, contacts)


class _Level:
    """The objective at a place, evaluated only where its inertia's part does not tell enough: no energy is below 0.

    x: the place [m], shape (3, vertex_count); between: energy of what is between particles there [J].
    inertial: the inertia's part [J].
    """

    def __init__(self, problem, x, between):
        self._problem, self._x, self._between = problem, x, between
        self.inertial = problem.inertial(x)
        self._value: float | None = None

    def allows(self, value):
        """Whether a value [J] is no higher."""
        if value <= self.inertial + self._between:
            return True
        if self._value is None:
            self._value = self._problem.value(self._x) + self._between
        return value <= self._value


def value_at(problem, x, contacts):
    """The objective of an ImplicitStep [J] where contacts move x to, in place."""
    contacts.place(x)
    return problem.value(x) + contacts.stored()


def placed(problem, x, contacts):
    """The objective but for the contacts' energy [J], with its gradient, where contacts move x to, in place."""
    contacts.place(x)
    return problem.objective(x, linearise=True)[0]


def _here(network, x, contacts):
    here = contacts.start.x.T.copy()
    here[:, network.hard_pins] = x[:, network.hard_pins]
    if not contacts.holding and len(network.pinned) == 0:
        # Nothing takes up momentum: the centre of mass goes on.
        here += (np.einsum("ij,j->i", x - here, network.masses) / network.masses.sum())[:, None]
    return here
