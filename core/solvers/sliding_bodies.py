# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft bodies that slide go on as a whole before their springs are asked."""

import numpy as np


class SlidingBodies:
    """Moves bodies by the mean of what pulls at them, where nothing that bears them sticks.

    What friction leaves of gravity is at a few particles of a body, and few iterations spread a part of it through the
    springs: the body would slide too slowly, and press too hard. As a whole it goes on without any spring.

    problem: ImplicitStep; bodies: particles of each, without pins, which no springs join to others.
    """

    def __init__(self, problem, bodies):
        self._bodies = [(particles, problem.inertia[particles].sum()) for particles in bodies]

    def step(self, g, contacts):
        """How far they go on [m], shape (3, particle_count), at a gradient [N] that Seats filtered."""
        step = np.zeros_like(g)
        for particles, inertia in self._bodies:
            step[:, particles] = -g[:, particles].sum(axis=1)[:, None] / inertia
        borne = np.zeros(g.shape[1], dtype=bool)
        borne[contacts.pressed()] = True
        left = step.copy()
        contacts.filter_increment(left)
        for particles, _ in self._bodies:
            ways = left[:, particles[borne[particles]]]
            slides = ways.size > 0 and ways.any(axis=0).all()
            step[:, particles] = ways.mean(axis=1)[:, None] if slides else 0.0
        return step
