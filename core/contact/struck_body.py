# SPDX-License-Identifier: GPL-3.0-or-later
"""The response of a whole network to impacts on some of its particles."""

import numpy as np

from ..directions import LEAST, across, along
from ..solvers.conjugate_gradients import ENOUGH, MOST


class StruckBody:
    """Changes of velocity that leave struck particles at the speeds at which they rebound, and the rest at its ease.

    Among all with n . (v + dv) as asked for where particles are struck, dv is the one of least dv (M/a^2 + H) dv / 2,
    a the step of the formula: what springs hold together within it leaves together, and a particle without springs
    alone. No connected part has more kinetic energy after the impact than before, in the frame of what it strikes.

    problem: ImplicitStep, linearised where the substep starts; gradients: ConjugateGradients on its kept matrix; part:
    number of the connected part of every particle.

    Newton's law of restitution, and Stronge's where springs give: 1990, "Rigid body collisions with friction"; Baraff
    and Witkin 1998, section 5, for the constrained conjugate gradients.
    """

    def __init__(self, problem, gradients, part):
        self._problem, self._gradients, self._part = problem, gradients, part
        self._product = np.empty((3, len(part)))

    def answer(self, v, a, dt, blow):
        """Changes of velocity [m/s], and the way that they go in a step of dt [s]; both of shape (3, vertex_count).

        v: velocities at the start of the step [m/s]; a: acceleration but for springs [m/s^2]; blow: Blow.
        """
        arriving = v[blow.particles] + (dt - blow.left)[:, None] * a[blow.particles] - blow.surface_v
        gained, pushes = self._pushed(blow, across(arriving, blow.n))
        at = self._part[blow.particles]
        left = self._left(blow)
        surface_v = np.column_stack([self._means(at, pushes, column) for column in blow.surface_v.T])
        u = v + (dt - left)[:, None] * a - surface_v[self._part]
        share = self._share(u, gained, 1.0 + self._means(at, pushes, blow.restitution))
        return share * gained, share * left * gained

    def _pushed(self, blow, sliding):
        """Changes of velocity, and the pushes along the normals that make them.

        sliding: velocities along the surfaces [m/s], which friction stops where it can: it takes the friction
        coefficient times the push at most.
        """
        held = _Held(blow.particles, blow.n, blow.friction > 0.0)
        gained = np.zeros_like(self._product)
        gained[:, blow.particles] = (blow.gains[:, None] * blow.n - held.sticking[:, None] * sliding).T
        pulled = np.ones(len(blow.particles), dtype=bool)
        while pulled.any():
            self._spread(gained, held)
            impulses = self._problem.product(gained, self._product)[:, blow.particles].T
            pushes = along(impulses, blow.n)
            pulled = held.pressing & (pushes < 0.0)
            held.let_go(pulled)
        pushes = np.where(held.pressing, np.maximum(pushes, 0.0), 0.0)
        rubbing = across(impulses, blow.n)
        rub = np.sqrt(along(rubbing, rubbing))
        slides = held.sticking & (rub > blow.friction * pushes)
        if slides.any():
            held.slide(slides)
            most = np.where(slides, blow.friction * pushes / np.maximum(rub, LEAST), 0.0)
            force = np.zeros_like(gained)
            force[:, blow.particles] = (most[:, None] * rubbing).T
            self._spread(gained, held, force)
        return gained, pushes

    def _left(self, blow):
        """Time that is left of the step after the impact, of every particle.

        What springs hold together is struck once, when the first of it is: all else is as far above the surface as it
        still had to go.
        """
        left = np.zeros(self._part.max() + 1)
        np.maximum.at(left, self._part[blow.particles], blow.left)
        return left[self._part]

    def _spread(self, field, held, force=0.0):
        """Bring a field that is held at struck particles to its least elsewhere, under a force, in place."""
        problem = self._problem
        rest = problem.product(field, self._product)
        rest -= force
        held.filter_increment(rest)
        norm = np.linalg.norm(rest)
        enough = ENOUGH * np.linalg.norm(field[:, held.particles] * problem.inertia[held.particles])
        if norm > enough:
            step, _ = self._gradients.direction(
                rest, problem.product, MOST, forcing=enough / norm, held=held.filter_increment
            )
            field += step

    def _share(self, u, gained, bounce):
        """Share of the changes of velocity that goes with an impact at velocities u, of every particle.

        The strain that they make within a step is lost motion to an implicit one: what is soft gets it back, so that of
        the energy that an impact may take, the square of the restitution is left, and no part has more.
        bounce: of every part, the changes over those that leave the least energy: 1 with no restitution, 2 with all.
        """
        problem = self._problem
        taken = -self._sums(problem.network.masses * np.einsum("ij,ji->i", u, gained))
        squares = np.einsum("ij,ij->j", gained, gained)
        strained = self._sums(np.einsum("ij,ij->j", gained, problem.product(gained, self._product)))
        back = strained / np.maximum(self._sums(problem.inertia * squares), LEAST)
        most = bounce * taken / np.maximum(self._sums(problem.network.masses * squares), LEAST)
        return np.maximum(np.minimum(most, back), 0.0)[self._part]

    def _sums(self, of_particles):
        return np.bincount(self._part, of_particles, self._part.max() + 1)

    def _means(self, part, weights, values):
        """Means of values by weights in every part, 0 where nothing has any."""
        count = self._part.max() + 1
        sums = np.bincount(part, weights * values, count)
        return sums / np.maximum(np.bincount(part, weights, count), LEAST)


class _Held:
    """Holds particles, or components of them, within conjugate gradients.

    pressing, sticking: masks, of those held along their normals, and in all directions.
    """

    def __init__(self, particles, n, sticking):
        self.particles, self._n = particles, n.T
        self.pressing, self.sticking = np.ones(len(particles), dtype=bool), sticking

    def let_go(self, which):
        """Hold some no more."""
        self.pressing, self.sticking = self.pressing & ~which, self.sticking & ~which

    def slide(self, which):
        """Hold some along their normals only."""
        self.sticking = self.sticking & ~which

    def filter_increment(self, increment):
        """Take out of an increment [m] what is held, in place."""
        moved = increment[:, self.particles]
        into = np.where(self.pressing, np.einsum("ij,ij->j", moved, self._n), 0.0)
        increment[:, self.particles] = np.where(self.sticking, 0.0, moved - into * self._n)
