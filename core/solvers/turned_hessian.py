# SPDX-License-Identifier: GPL-3.0-or-later
"""The second derivative of an implicit step's objective for bodies at rest, turned as they are."""

from typing import Any

import numpy as np

from ..rotations import rotation
from .factors import factor_cost
from .hessian import RecentHessian

# Time [s] of making a factor of three rows a particle from which on it is not made.
_LONGEST = 2.0


class TurnedHessian:
    """Inverse of the inertia and the springs of bodies at rest, factorised once, in axes that turn with each body.

    problem: ImplicitStep; bodies: particles of each, which no springs join to others.
    known: whether it can be had in time. turns: rotations of the bodies from where they are at rest, a list.

    Müller, Dorsey, McMillan, Jagnow and Cutler 2002, "Stable real-time deformations".
    """

    def __init__(self, problem, bodies):
        network = problem.network
        self._bodies, self.turns = bodies, [np.eye(3)] * len(bodies)
        self._at = [network.points[body].T - network.points[body].mean(axis=0)[:, None] for body in bodies]
        # Of a cloth beside a small body a factor of all would take nearly all of the time.
        self._particles = np.sort(np.concatenate(bodies))
        self._places = [np.searchsorted(self._particles, body) for body in bodies]
        self._hessian: Any = None
        # Rest lengths may change while it runs, and must not change what is factorised.
        at_rest = network.changed(rest_lengths=network.spring_lengths(network.points))
        hessian, (_, seconds) = RecentHessian(at_rest, problem.dt), factor_cost(network).of_blocks()
        if hessian.distinct and seconds < _LONGEST:
            hessian.factorise(np.ascontiguousarray(network.points.T), particles=self._particles)
            self._hessian = hessian

    @property
    def known(self):
        """Whether it could be had in time."""
        return self._hessian is not None

    def begin(self, x):
        """Take up how the bodies are turned at x [m], shape (3, vertex_count)."""
        self.turns = [rotation(at, x[:, body]) for at, body in zip(self._at, self._bodies, strict=True)]

    def solve(self, r, others):
        """The answer [m] to r [N], shape (3, vertex_count); others: r -> what answers for all that is in no body."""
        turned = r[:, self._particles]
        for place, turn in zip(self._places, self.turns, strict=True):
            turned[:, place] = turn.T @ turned[:, place]
        answer = self._hessian.solve(turned)
        solved = others(r) if len(self._particles) < r.shape[1] else np.empty_like(r)
        for body, place, turn in zip(self._bodies, self._places, self.turns, strict=True):
            solved[:, body] = turn @ answer[:, place]
        return solved
