# SPDX-License-Identifier: GPL-3.0-or-later
"""A preconditioner that knows how whole bodies move while contacts hold some of their particles."""

import numpy as np

from .neighbourhood import Neighbours

# Share of the stiffest below which a motion is rounding: a body that is held everywhere has none.
_SINGULAR = 1e-12

# Only to divide by.
_LEAST = 1e-300

# Affine motions: shifts along the axes, and what goes with a coordinate along them.
_COUNT = 12


class BodyMotions:
    """Corrects a preconditioner by the affine motions of bodies where contacts hold some of their particles.

    Few particles on a surface bear all of a stiff body. S answers its weight with a fall of the whole; without what the
    few are held against, it drives the rest into them, and no length of that is worth going; and a turn it takes for a
    strain. Let Z be the twelve affine motions of a body without what its particles are held against, A the inertia and
    the springs along themselves, of the body at rest, turned as it is, E = Z^T A Z, Q = Z E^-1 Z^T and P the
    preconditioner: the answer is Q r + (1 - Q A) P (1 - A Q) r, symmetric, and positive where P is.

    P is the inverse of the objective's second derivative at rest, turned alike, where that can be had in time.

    problem: ImplicitStep; bodies: the particles of each, without pins, which no springs join to others; hessian:
    TurnedHessian of them.

    Mandel 1993, "Balancing domain decomposition"; Tang, Nabben, Vuik and Erlangga 2009, "Comparison of two-level
    preconditioners derived from deflation, domain decomposition and multigrid methods", BNN of table 1.
    """

    def __init__(self, problem, bodies, hessian):
        network = problem.network
        neighbours = Neighbours(network)
        self._bodies = [_Body(problem, neighbours, particles) for particles in bodies]
        self._held: list[_Held] = []
        self._against = np.empty(0)
        self._hessian = hessian

    def begin(self):
        """Take up how the TurnedHessian has turned the bodies."""
        self._against = np.empty(0)
        for body, turn in zip(self._bodies, self._hessian.turns, strict=True):
            body.turn(turn)

    def hold(self, contacts, count):
        """Take up what Seats hold of so many particles now."""
        free = np.zeros((_COUNT, 3, count))
        for body in self._bodies:
            free[..., body.particles] = body.motions
        motions = free.copy()
        for motion in motions:
            contacts.filter_increment(motion)
        against = free - motions
        if np.array_equal(against, self._against):
            return
        self._against, held = against, np.any(against, axis=(0, 1))
        touched = [body for body in self._bodies if held[body.particles].any()]
        pulls = np.zeros_like(free)
        for body in touched:
            body.add_pulls(against, held, pulls)
        for pull in pulls:
            contacts.filter_increment(pull)
        self._held = [
            _Held(body.particles, motions[..., body.particles], pulls[..., body.particles])
            for body in touched
        ]

    def solve(self, r, others, contacts):
        """The answer [m] to r [N], shape (3, vertex_count), which Seats filtered, filtered as well.

        others: r -> what answers for all that is in no body, and for bodies too large for a factor of their own.
        """
        shares = [held.shares(r) for held in self._held]
        rest = r.copy()
        for held, share in zip(self._held, shares, strict=True):
            rest[:, held.particles] -= np.einsum("i,ijk->jk", share, held.pulls)
        solved = self._hessian.solve(rest, others) if self._hessian.known else others(rest)
        contacts.filter_increment(solved)
        for held, share in zip(self._held, shares, strict=True):
            share = share - held.shares_of_pulls(solved)
            solved[:, held.particles] += np.einsum("i,ijk->jk", share, held.motions)
        return solved


class _Body:
    """The affine motions of one body, shape (12, 3, particle_count), and A times them.

    turned: the rotation from where it is at rest.
    """

    def __init__(self, problem, neighbours, particles):
        network = problem.network
        self.particles, self._neighbours = particles, neighbours
        self._points, self._edges, self._inertia = network.points, network.edges, problem.inertia
        self._stiffness = np.where(network.broken, 0.0, network.stiffness + network.damping / problem.dt)
        at = network.points[particles].T
        at = at - at.mean(axis=1, keepdims=True)
        # Turns are then about as stiff as shifts.
        fields = np.vstack([np.ones((1, len(particles))), at / max(np.abs(at).max(), _LEAST)])
        self._rest = np.zeros((_COUNT, 3, len(particles)))
        for axis in range(3):
            self._rest[4 * axis : 4 * axis + 4, axis] = fields
        moved = np.zeros((_COUNT, 3, network.vertex_count))
        moved[..., particles] = self._rest
        self.turned = np.eye(3)
        strained = self._strained(moved, neighbours.springs_of(particles))
        self._rest_pulls = strained[..., particles] + self._inertia[particles] * self._rest
        self.motions, self._pulls = self._rest, self._rest_pulls

    def turn(self, turned):
        """Turn A by a rotation."""
        self.turned = turned
        self.motions = np.einsum("ij,mjk->mik", self.turned, self._rest)
        self._pulls = np.einsum("ij,mjk->mik", self.turned, self._rest_pulls)

    def add_pulls(self, against, held, pulls):
        """Add A times the motions without what they are held against, where particles are held, a mask."""
        pulls[..., self.particles] += self._pulls
        particles = self.particles[held[self.particles]]
        pulls[..., particles] -= self._inertia[particles] * against[..., particles]
        pulls -= self._strained(against, self._neighbours.springs_of(particles))

    def _strained(self, moved, springs):
        """What springs along themselves have against particles that moved, shape (12, 3, vertex_count) [N]."""
        i, j = self._edges[springs].T
        u = self.turned @ (self._points[i] - self._points[j]).T
        u /= np.maximum(np.sqrt(np.einsum("ij,ij->j", u, u)), _LEAST)
        along = self._stiffness[springs] * np.einsum("jk,ijk->ik", u, moved[..., i] - moved[..., j])
        ends, pulls = np.concatenate([i, j]), np.zeros_like(moved)
        for motion, of_motion in zip(pulls, along, strict=True):
            for row, direction in zip(motion, u, strict=True):
                pull = of_motion * direction
                row[:] = np.bincount(ends, np.concatenate([pull, -pull]), len(row))
        return pulls


class _Held:
    """What is left of a body's affine motions, and A times them, both of shape (12, 3, particle_count)."""

    def __init__(self, particles, motions, pulls):
        self.particles, self.motions, self.pulls = particles, motions, pulls
        stiffness = np.einsum("ijk,ljk->il", motions, pulls)
        self._inverse = np.linalg.pinv(0.5 * (stiffness + stiffness.T), rcond=_SINGULAR, hermitian=True)

    def shares(self, r):
        """E^-1 Z^T r."""
        return self._inverse @ np.einsum("ijk,jk->i", self.motions, r[:, self.particles])

    def shares_of_pulls(self, moved):
        """E^-1 Z^T A times what moved."""
        return self._inverse @ np.einsum("ijk,jk->i", self.pulls, moved[:, self.particles])
