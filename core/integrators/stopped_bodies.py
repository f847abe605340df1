# SPDX-License-Identifier: GPL-3.0-or-later
"""Stiff bodies in substeps in which a surface stops them: a two-step formula knows nothing of that."""

import numpy as np

from ..solvers.stiff_bodies import stiff_bodies
from ..state import State

# Radians of its slowest vibration in a substep from which on a body's impact is over within it.
_RIGID = 9.0


class StoppedBodies:
    """Which bodies an impact stops as a whole in a substep, with what velocity, and from what past.

    BDF2 takes the velocity from the way and two thirds of a substep: from what stops in its midst a body would rebound
    by up to half its speed. So the substep of an impact begins where inertia leads from its start alone, its velocity
    is the whole way's, and the past is that of free motion after it. Between impacts a stiff body moves smoothly,
    whatever single particles do at the surface, and keeps its past.

    network: SpringNetwork; dt: substep [s]; stops: whether there are contacts, and a two-step formula, at all.
    """

    _before: State

    def __init__(self, network, dt, stops):
        self._dt, self._masses = dt, network.masses[:, None]
        self._bodies = stiff_bodies(network, _RIGID / dt) if stops else []
        self._force = np.empty(0)
        self._struck: list[np.ndarray] = []

    def begin(self, contacts, state, force, y):
        """Take up what Seats, or None, found in a substep from a State; y [m], shape (3, n), is changed in place.

        force: all but springs [N].
        """
        self._before, self._force, self._struck = state, force, []
        if contacts is None or not self._bodies:
            return
        whole = np.zeros(y.shape[1], dtype=bool)
        met = np.zeros_like(whole)
        met[contacts.struck()] = True
        for body in self._bodies:
            if met[body].any():
                self._struck.append(body)
                whole[body] = True
        if not self._struck:
            return
        y[:, whole] = (state.x + self._dt * state.v + self._dt**2 * (force / self._masses))[whole].T
        contacts.move_as_a_whole(whole)

    def moved(self, after):
        """Give the bodies that were struck the velocity of their way, in place."""
        for body in self._struck:
            after.v[body] = (after.x[body] - self._before.x[body]) / self._dt

    def recall(self, own, past, after, pressing):
        """Change the `past` that contacts made of a method's own, both of States, in place.

        after: State at the end of the substep; pressing: particles that surfaces bear.
        """
        if not self._bodies:
            return
        borne = np.zeros(len(past.x), dtype=bool)
        borne[pressing] = True
        for body in self._bodies:
            if borne[body].any():
                past.x[body], past.v[body] = own.x[body], own.v[body]
        gained = self._dt * (self._force / self._masses)
        for body in self._struck:
            past.v[body] = after.v[body] - gained[body]
            past.x[body] = after.x[body] - self._dt * (after.v - 0.5 * gained)[body]
