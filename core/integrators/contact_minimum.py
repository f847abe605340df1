# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's steps of a substep with contacts, and more where something would go through something."""

from functools import partial
from typing import Any

import numpy as np

from ..contact.impulses import impulses

# Newton steps of a substep in contact, and conjugate gradients of each for every iteration of a free one.
STEPS, SHARE = 2, 5.0 / 3.0

# Depth, in parts of the one from which on contacts stiffen, that is left where Newton's method begins.
_LEFT = 0.1

# What meets on its way is that many times firmer, and the step solved again, at most so often.
_FIRMER, _ROUNDS = 10.0, 4

# Share of all normal forces from which on those of what touched nothing before are decided on in the same substep.
_BEGINS = 0.5

# How often a step to a tolerance is solved with the friction that the normal forces found allow.
_TURNS = 3


class ContactMinimum:
    """Minimises an incremental potential with contacts: where it begins, its Newton steps, and steps after a CCD.

    contacts: PotentialContacts; state: State that the substep begins with; dt: its length [s]; before: Before; lies:
    whether the step is one of a whole substep, which is divided where something is struck.
    last: ContactSet of the last step, or None; again: whether it was minimised before, on ways that were searched then.
    """

    last: Any = None
    again = False

    def __init__(self, contacts, state, dt, before, *, lies):
        self._contacts, self._state, self._dt, self._before, self._lies = contacts, state, dt, before, lies
        self._touching: Any = None
        # Positions where Newton's method begins, and Rows that serve there.
        self._known: tuple[Any, Any] = (None, None)

    def minimise(self, touching, begun, solver, x, iterations, tolerance):
        """Positions [m], shape (3, n), after Newton's steps, and more where something meets on its way there.

        touching: Touching; begun: Rows of where inertia leads, while they serve, or None; for the others see
        `PotentialStep.settled`.
        """
        self._touching, self._known, self.last = touching, (None, None), None
        if tolerance:
            steps = partial(self._converged, solver.newton_pcg, tolerance, int(iterations))
        else:
            steps = partial(self._few_steps, solver.newton_pcg, int(np.ceil(SHARE * iterations)))
        x = steps(self._put_out(x, begun), again=self.again)
        self.again = True
        for _ in range(_ROUNDS):
            if not touching.stiffen(x, _FIRMER):
                break
            x = steps(x, again=True)
        return x

    def at(self, x):
        """The ContactSet at x [m], or None."""
        at, rows = self._known
        serve = x is at and not self._touching.stiffened
        return self._touching.contacts(x, self._before, rows if serve else None)

    def _put_out(self, x, begun):
        """Positions [m] where inertia alone leaves nothing deep in what it touches: Newton's method begins there."""
        rows = begun or self._touching.rows(x)
        if rows is None:
            return x
        if self._lies:
            x = _as_it_lay(self._contacts, self._state, rows, x, self._dt)
        # Nearly: what presses is known by it.
        deep = -rows.gaps(x) - _LEFT * rows.depths
        if not (deep > 0.0).any():
            self._known = x, rows
            return x
        out = impulses(rows, self._contacts.inverse_masses, np.maximum(deep, 0.0))
        self._known = x + out, rows if is_near(out, rows) else None
        return self._known[0]

    def _few_steps(self, newton, count, x, *, again):
        """Positions [m] after so many steps as are taken to no tolerance; again: on ways that were searched before."""
        # Again on the ways that it really went: once, for what was not seen before.
        steps, how = 1 if again else STEPS, {"borne": self._lies}
        x, self.last = newton.minimise(x, self.at, steps, count, **how)
        if not again and self._presses_otherwise(newton, x):
            self._before = self._before.bearing(self.last, x)
            x, self.last = newton.minimise(x, self.at, steps, count, **how)
        return x

    def _presses_otherwise(self, newton, x):
        """Whether friction by what pressed in the substep before is wrong: of what vibrates, or began to press."""
        contacts = self.last
        if contacts is None or not contacts.rows.friction.any():
            return False
        if newton.touched(contacts) is not None:
            return True
        new = np.abs(contacts.fields(*contacts.forces(x))[0]).sum(axis=0)
        return bool(new[~self._before.fields[0].any(axis=0)].sum() > _BEGINS * new.sum())

    def _converged(self, newton, tolerance, most, x, *, again):
        """Positions [m] where nothing is left unsolved, nor of friction by what presses there."""
        for turn in range(1 if again else _TURNS):
            x, self.last = newton.to_tolerance.minimise(x, self.at, tolerance, most)
            if self.last is None or not self.last.rows.friction.any():
                break
            if turn < _TURNS - 1:
                self._before = self._before.bearing(self.last, x)
        return x


def _as_it_lay(contacts, before, rows, x, dt):
    """Positions [m] where what obstacles pressed on is as far from them as it was before, in a State.

    Where inertia leads it would leave some, and Newton's method, which then knows nothing of these, presses it too
    deep: so it goes on for ever, up and down by turns.
    """
    pressed = contacts.fields[0]
    particles, velocities = contacts.held_by_obstacles(rows, np.ones(len(rows.offsets)), dt)
    size = np.sqrt(np.einsum("ij,ij->j", pressed[:, particles], pressed[:, particles]))
    lay = size > 0.0
    which, n = particles[lay], pressed[:, particles[lay]] / size[lay]
    away = before.x[which].T + dt * velocities[lay].T - x[:, which]
    x = x.copy()
    x[:, which] += _along(n, away) * n
    return x


def is_near(moves, rows):
    """Whether Rows serve where particles move by so much [m], shape (3, n): farther away other points are closest."""
    return np.abs(moves).max() < rows.depths.min()


def _along(n, u):
    return np.einsum("ij,ij->j", n, u)
