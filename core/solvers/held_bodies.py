# SPDX-License-Identifier: GPL-3.0-or-later
"""Stiff bodies on surfaces: where the iterations of a substep begin, and what answers to a gradient."""

import numpy as np

from .body_motions import BodyMotions
from .contact_compliance import ContactCompliance
from .rigid_start import moved_onto, rotation
from .turned_hessian import TurnedHessian

# Times the objective of another start at which that of the shape as it was is as good: friction does not oppose it.
_AS_GOOD = 1.1

# How often an answer is asked for again with what it would move into a surface held as well, at most.
_TURNS = 4


class HeldBodies:
    """Bodies that a step takes for rigid, but for what its iterations find.

    problem: ImplicitStep; bodies: particles of each, see `stiff_bodies`.
    """

    def __init__(self, problem, bodies):
        self._problem, self._bodies = problem, bodies
        self._hessian = TurnedHessian(problem, bodies)
        self._motions = BodyMotions(problem, bodies, self._hessian)
        self._compliance = ContactCompliance(self._hessian)

    def start(self, x, contacts, value):
        """Where iterations begin: x [m], or there with the bodies moved as a whole onto what they would go into.

        Particles that are put out of a surface alone strain all springs at them. Bodies have the shape that inertia
        gives them, or the one that they have at the start of the substep.

        contacts: Seats; value: (positions, in place) -> the objective where contacts move them [J].
        """
        y, _ = self._problem.aims
        borne = contacts.borne(y)
        if borne is None:
            return x
        bodies, masses, before = self._bodies, self._problem.network.masses, contacts.start.x
        moved = moved_onto(y, before, bodies, masses, borne)
        shaped = self._shaped(before.T, y)
        shaped = moved_onto(shaped, before, bodies, masses, contacts.borne(shaped))
        of_x, of_moved, of_shaped = (value(at.copy()) for at in (x, moved, shaped))
        if of_shaped <= _AS_GOOD * min(of_x, of_moved):
            return shaped
        return moved if of_moved < of_x else x

    def begin(self, x, contacts):
        """Begin iterations at x [m]: what answers is held where it is on a surface, not where it may come to one."""
        self._hessian.begin(x)
        self._motions.begin()
        contacts.let_go()

    def answer(self, g, others, contacts):
        """The answer [m] to a gradient [N] that Seats filtered, in which friction is then what the answer makes it.

        others: see `TurnedHessian.solve`.
        """
        serves = self._hessian.known and self._compliance.serves(contacts)
        answer = self._balanced(g, others, contacts) if serves else None
        return self._corrected(g, others, contacts) if answer is None else answer

    def _balanced(self, g, others, contacts):
        """The answer with what its contacts bear, or None where that holds too many as well."""
        free = self._hessian.solve(g, others)
        for turn in range(_TURNS):
            found = self._compliance.answer(g, free, others, contacts)
            if found is None:
                return None
            answer, gained = found
            if turn == _TURNS - 1 or not contacts.hold(-answer):
                break
        contacts.expect(g, gained)
        return answer

    def _corrected(self, g, others, contacts):
        """The answer of a preconditioner that knows how the bodies move as a whole."""
        r = g
        for _ in range(_TURNS):
            self._motions.hold(contacts, g.shape[1])
            answer = self._motions.solve(r, others, contacts)
            if not contacts.hold(-answer):
                break
            r = g.copy()
            contacts.filter_increment(r)
        return answer

    def _shaped(self, shape, at):
        """Positions `at` with the bodies of the shape they have at `shape`, moved rigidly [m]."""
        x = at.copy()
        for body in self._bodies:
            before = shape[:, body]
            before = before - before.mean(axis=1, keepdims=True)
            x[:, body] = rotation(before, at[:, body]) @ before + at[:, body].mean(axis=1, keepdims=True)
        return np.ascontiguousarray(x)
