# SPDX-License-Identifier: GPL-3.0-or-later
"""A preconditioner that knows how whole bodies move while contacts hold some of their particles."""

import numpy as np

from .neighbourhood import Neighbours

# Share of the stiffest below which a motion is rounding: a body that is held everywhere has none.
_SINGULAR = 1e-12

# Only to divide by.
_LEAST = 1e-300


class BodyMotions:
    """Corrects a preconditioner by the affine motions of bodies where contacts hold some of their particles.

    Few particles on a surface bear all of a stiff body. S answers its weight with a fall of the whole; without what the
    few are held against, it drives the rest into them, and no length of that is worth going; and a turn it takes for a
    strain. Let Z be the twelve affine motions of a body without what its particles are held against, A the inertia and
    the springs along themselves, of the body at rest, turned as it is, E = Z^T A Z, Q = Z E^-1 Z^T and P the
    preconditioner: the answer is Q r + (1 - Q A) P (1 - A Q) r, symmetric, and positive where P is.

    problem: ImplicitStep; bodies: the particles of each, without pins, which no springs join to others.

    Mandel 1993, "Balancing domain decomposition"; Tang, Nabben, Vuik and Erlangga 2009, "Comparison of two-level
    preconditioners derived from deflation, domain decomposition and multigrid methods", BNN of table 1.
    """

    def __init__(self, problem, bodies):
        self._bodies = [_Body(problem, particles) for particles in bodies]
        self._held: list[_Held] = []
        from .hessian import RecentHessian
        self._hessian = RecentHessian(problem.network, problem.dt)
        self._hessian.factorise(np.ascontiguousarray(problem.network.points.T))

    def shaped(self, shape, at):
        """Bodies of the shape they have at `shape`, moved rigidly to where they are at `at`."""
        x = at.copy()
        for body in self._bodies:
            p, q = shape[:, body.particles], at[:, body.particles]
            p, mean = p - p.mean(axis=1, keepdims=True), q.mean(axis=1, keepdims=True)
            u, _, v = np.linalg.svd((q - mean) @ p.T)
            x[:, body.particles] = u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ v))]) @ v @ p + mean
        return x

    def rest_solve(self, r):
        q = r.copy()
        for body in self._bodies: q[:, body.particles] = body._turned.T @ q[:, body.particles]
        q = self._hessian.solve(q)
        for body in self._bodies: q[:, body.particles] = body._turned @ q[:, body.particles]
        return q

    def begin(self, x):
        """Take up how the bodies are turned at x [m], shape (3, vertex_count)."""
        for body in self._bodies:
            body.turn(x)

    def hold(self, contacts, count):
        """Take up what Seats hold of so many particles now."""
        self._held = []
        free = np.zeros((_Body.count, 3, count))
        for body in self._bodies:
            free[..., body.particles] = body.motions
        motions = free.copy()
        for motion in motions:
            contacts.filter_increment(motion)
        against = free - motions
        held = against.any(axis=(0, 1))
        pulls = np.zeros_like(free)
        touched = [body for body in self._bodies if held[body.particles].any()]
        for body in touched:
            body.add_pulls(against, held, pulls)
        for pull in pulls:
            contacts.filter_increment(pull)
        for body in touched:
            self._held.append(_Held(body.particles, motions[..., body.particles], pulls[..., body.particles]))

    def solve(self, r, precondition):
        """The answer [m] to r [N], shape (3, vertex_count), filtered as `precondition` and its answer are."""
        shares = [held.shares(r) for held in self._held]
        rest = r.copy()
        for held, share in zip(self._held, shares, strict=True):
            rest[:, held.particles] -= np.einsum("i,ijk->jk", share, held.pulls)
        solved = precondition(rest)
        for held, share in zip(self._held, shares, strict=True):
            share = share - held.shares_of_pulls(solved)
            solved[:, held.particles] += np.einsum("i,ijk->jk", share, held.motions)
        return solved


class _Body:
    """The affine motions of one body, shape (12, 3, particle_count), and A times them."""

    count = 12

    def __init__(self, problem, particles):
        network = problem.network
        self.particles, self._edges = particles, network.edges
        self._stiffness = np.where(network.broken, 0.0, network.stiffness + network.damping / problem.dt)
        self._neighbours = Neighbours(network)
        self._inertia = problem.inertia
        self._points = network.points
        points = network.points[particles].T
        self._at = points - points.mean(axis=1, keepdims=True)
        fields = np.vstack([np.ones((1, len(particles))), self._at / max(np.abs(self._at).max(), _LEAST)])
        self._rest = np.zeros((self.count, 3, len(particles)))
        for axis in range(3):
            self._rest[4 * axis : 4 * axis + 4, axis] = fields
        everything = np.zeros((self.count, 3, network.vertex_count))
        everything[..., particles] = self._rest
        springs = self._neighbours.springs_of(particles)
        self._turned = np.eye(3)
        pulls = self._strained(everything, springs)
        self._rest_pulls = pulls[..., particles] + self._inertia[particles] * self._rest
        self.motions, self._pulls = self._rest, self._rest_pulls

    def turn(self, x):
        """Turn A as the body is at x, by the rotation nearest to it (Kabsch 1976)."""
        at = x[:, self.particles]
        u, _, v = np.linalg.svd(at @ self._at.T)
        self._turned = u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ v))]) @ v
        turned = (np.einsum("ij,mjk->mik", self._turned, of) for of in (self._rest, self._rest_pulls))
        self.motions, self._pulls = turned

    def add_pulls(self, against, held, pulls):
        """Add A times the motions without what they are held against."""
        pulls[..., self.particles] += self._pulls
        among = np.zeros_like(held)
        among[self.particles] = held[self.particles]
        particles = np.flatnonzero(among)
        pulls[..., particles] -= self._inertia[particles] * against[..., particles]
        pulls -= self._strained(against, self._neighbours.springs_of(particles))

    def _strained(self, moved, springs):
        """What springs along themselves have against particles that moved, shape (12, 3, vertex_count) [N]."""
        i, j = self._edges[springs].T
        u = self._turned @ (self._points[i] - self._points[j]).T
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
