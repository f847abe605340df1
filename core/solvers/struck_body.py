# SPDX-License-Identifier: GPL-3.0-or-later
"""What a whole network answers to impacts on some of its particles."""

import numpy as np

from ..contacts.impact import across, along, friction_share
from ..topology import connected_parts

# Conjugate gradients for an answer at most, and the share of the struck particles' own momentum that may be left.
_ITERATIONS, _ENOUGH = 40, 0.02

# How often particles that an answer would have to pull are let go.
_LETTING_GO = 3

# Only to divide by.
_LEAST = 1e-300


class StruckBody:
    """Changes of velocity that leave struck particles at the speeds at which they rebound, and the rest at its ease.

    Among all with n . (v + dv) as asked for where particles are struck, dv is the one of least dv (M/a^2 + H) dv / 2,
    a the step of the formula: what springs hold together within it leaves together, and a particle without springs
    alone. No connected part has more kinetic energy after the impact than before, in the frame of what it strikes.

    problem: ImplicitStep; gradients: ConjugateGradients on its kept matrix.

    Newton's law of restitution; Baraff and Witkin 1998, section 5, for the constrained conjugate gradients.
    """

    def __init__(self, problem, gradients):
        self._problem, self._gradients = problem, gradients
        network = problem.network
        self._part = connected_parts(network.edges[~network.broken], network.vertex_count)
        self._product = np.empty((3, network.vertex_count))

    def answer(self, x, v, a, dt, blow):
        """Changes of velocity [m/s], and the way that they go in a step of dt [s]; both of shape (3, vertex_count).

        x, v: State's arrays at the start of the step; a: acceleration but for springs [m/s^2]; blow: Blow.
        """
        self._problem.gradient(np.ascontiguousarray(x.T), linearise=True)
        gained, pushes, held = self._pushed(blow)
        at = self._part[blow.particles]
        left = self._left(blow, pushes)
        u = v + (dt - left)[:, None] * a
        rubs = self._friction(blow, pushes, u, gained)
        if rubs.any():
            self._spread(gained, held, rubs)
        surface_v = np.column_stack([self._means(at, pushes, column) for column in blow.surface_v.T])
        share = self._allowed(u - surface_v[self._part], gained)
        return share * gained, share * left * gained

    def _pushed(self, blow):
        """Changes of velocity without friction, the pushes that make them, and what they are held to."""
        held = _Held(blow.particles, blow.n)
        gained = np.zeros_like(self._product)
        held.put(gained, blow.gains)
        for _ in range(_LETTING_GO):
            self._spread(gained, held)
            pushes = held.along(self._problem.product(gained, self._product))
            pushes[~held.mask] = 0.0
            if (pushes >= 0.0).all():
                break
            held.mask &= pushes >= 0.0
        return gained, np.maximum(pushes, 0.0), held

    def _left(self, blow, pushes):
        """Time that is left of the step after the impact, of every particle.

        What springs hold together is struck once, when the first of it is: all else is as far above the surface as it
        still had to go. The less a particle weighs beside what it moves, the less its own time counts.
        """
        left = np.zeros(self._part.max() + 1)
        np.maximum.at(left, self._part[blow.particles], blow.left)
        left = left[self._part]
        inertia = self._problem.inertia[blow.particles] * blow.gains
        alone = np.where(pushes > 0.0, np.minimum(inertia / np.maximum(pushes, _LEAST), 1.0), 0.0)
        left[blow.particles] += alone * (blow.left - left[blow.particles])
        return left

    def _friction(self, blow, pushes, u, gained):
        """What friction adds to the pushes, of the same units, shape (3, vertex_count)."""
        rubs = np.zeros_like(gained)
        sliding = across(u[blow.particles] + gained[:, blow.particles].T - blow.surface_v, blow.n)
        share = friction_share(blow.friction * blow.gains, sliding)
        # What springs hold together with a particle weighs on it as much in all directions.
        rubs[:, blow.particles] = -((pushes / blow.gains)[:, None] * share * sliding).T
        return rubs

    def _spread(self, field, held, force=0.0):
        """Bring a field that is held at struck particles to its least elsewhere, under a force, in place."""
        problem = self._problem
        rest = problem.product(field, self._product)
        rest -= force
        held.filter_increment(rest)
        norm = np.linalg.norm(rest)
        enough = _ENOUGH * np.linalg.norm(held.along(field) * problem.inertia[held.particles])
        if norm > enough:
            step, _ = self._gradients.direction(
                rest, problem.product, _ITERATIONS, forcing=enough / norm, contacts=held
            )
            field += step

    def _allowed(self, u, gained):
        """Share of the changes of velocity with which no part has more kinetic energy than with velocities u."""
        masses = self._problem.network.masses
        worked = np.bincount(self._part, masses * np.einsum("ij,ji->i", u, gained))
        added = np.bincount(self._part, masses * np.einsum("ij,ij->j", gained, gained))
        return np.clip(-2.0 * worked / np.maximum(added, _LEAST), 0.0, 1.0)[self._part]

    def _means(self, part, weights, values):
        """Means of values by weights in every part, 0 where nothing has any."""
        count = self._part.max() + 1
        sums = np.bincount(part, weights * values, count)
        return sums / np.maximum(np.bincount(part, weights, count), _LEAST)


class _Held:
    """Holds components of some particles, in the seat of contacts within conjugate gradients.

    mask: which of them.
    """

    def __init__(self, particles, n):
        self.particles, self._n = particles, n.T
        self.mask = np.ones(len(particles), dtype=bool)

    def along(self, field):
        """Components along the normals."""
        return np.einsum("ij,ij->j", field[:, self.particles], self._n)

    def put(self, field, values):
        """Add values along the normals where particles are held, in place."""
        field[:, self.particles] += np.where(self.mask, values, 0.0) * self._n

    def filter_increment(self, increment):
        """See `Contact.filter_increment`."""
        self.put(increment, -self.along(increment))

    def add_product(self, p, out):
        """See `Contact.add_product`: what is held adds nothing."""
