# SPDX-License-Identifier: GPL-3.0-or-later
"""A preconditioner that knows how whole bodies move while contacts hold some of their particles."""

import numpy as np

# Share of the stiffest below which an affine motion is rounding: a body that is held everywhere has none.
_SINGULAR = 1e-10


class BodyMotions:
    """Corrects a preconditioner by the affine motions of bodies, along which S is solved exactly.

    Few particles on a surface bear all of a stiff body. S answers its weight with a fall of the whole; without what the
    few are held against, it drives the rest into them, and no length of that is worth going. Let Z be the 12 affine
    motions of a body without what its particles are held against, E = Z^T S Z, Q = Z E^-1 Z^T and P the preconditioner:
    the answer is Q r + (1 - Q S) P (1 - S Q) r, symmetric, and positive where P is.

    points: of the network [m], shape (vertex_count, 3); matrix: S, SciPy CSC and symmetric, which joins no two bodies;
    bodies: the particles of each.

    Mandel 1993, "Balancing domain decomposition"; Tang, Nabben, Vuik and Erlangga 2009, "Comparison of two-level
    preconditioners derived from deflation, domain decomposition and multigrid methods", BNN of table 1.
    """

    def __init__(self, points, matrix, bodies):
        self._matrix = matrix
        self._bodies = bodies
        fields = np.zeros((4, len(points)))
        for body in bodies:
            at = (points[body] - points[body].mean(axis=0)).T
            # Turns are then about as stiff as shifts.
            fields[:, body] = np.vstack([np.ones((1, len(body))), at / max(np.abs(at).max(), 1e-300)])
        answered = (matrix @ fields.T).T
        self._free, self._pulls = (np.zeros((12, 3, len(points))) for _ in range(2))
        for axis in range(3):
            rows = slice(4 * axis, 4 * axis + 4)
            self._free[rows, axis], self._pulls[rows, axis] = fields, answered
        self._held: list[_Held] = []

    def hold(self, contacts):
        """Take up what Seats hold their particles against now."""
        motions = self._free.copy()
        for motion in motions:
            contacts.filter_increment(motion)
        against = self._free - motions
        held = np.flatnonzero(against.any(axis=(0, 1)))
        pulls = self._pulls.reshape(36, -1) - (self._matrix[:, held] @ against[..., held].reshape(36, -1).T).T
        pulls = pulls.reshape(motions.shape)
        for pull in pulls:
            contacts.filter_increment(pull)
        touched = np.zeros(motions.shape[-1], dtype=bool)
        touched[held] = True
        self._held = [
            _Held(body, motions[..., body], pulls[..., body]) for body in self._bodies if touched[body].any()
        ]

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


class _Held:
    """What is left of a body's affine motions, and S times them, both of shape (12, 3, particle_count)."""

    def __init__(self, particles, motions, pulls):
        self.particles, self.motions, self.pulls = particles, motions, pulls
        stiffness = np.einsum("ijk,ljk->il", motions, pulls)
        self._inverse = np.linalg.pinv(0.5 * (stiffness + stiffness.T), rcond=_SINGULAR, hermitian=True)

    def shares(self, r):
        """E^-1 Z^T r."""
        return self._inverse @ np.einsum("ijk,jk->i", self.motions, r[:, self.particles])

    def shares_of_pulls(self, moved):
        """E^-1 Z^T S times what moved."""
        return self._inverse @ np.einsum("ijk,jk->i", self.pulls, moved[:, self.particles])
