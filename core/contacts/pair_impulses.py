# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses between particles that keep them apart and rub: equal and opposite, so that momentum is conserved."""

import numpy as np

from .impact import along

_LEAST = 1e-300


class PairImpulses:
    """Rows of a system J: each says how fast its particles part along a normal, sum of w_k n . v_k.

    particles: four a row, shape (count, 4); weights: of the four, of sum 0 where both sides are particles;
    normals: shape (count, 3); inverse_masses [1/kg], shape (particle_count,), 0 for what does not move.

    Impulses lam n w_k at the particles are the least, in the metric of the masses, that part them enough: lam >= 0
    solves a linear complementarity problem by accelerated projected gradients, with a diagonal above J M^-1 J^T as
    the metric, so that no iteration gains energy over lam = 0 once it has converged.

    Mazhar, Heyn, Negrut, Tasora 2015, "Using Nesterov's method to accelerate multibody dynamics with friction and
    contact".
    """

    def __init__(self, particles, weights, normals, inverse_masses):
        from scipy import sparse

        count, shape = len(particles), (len(particles), len(inverse_masses))
        self.particles, self.weights, self.normals = particles, weights, normals
        self._inverse_masses = inverse_masses
        starts = np.arange(0, 4 * count + 1, 4)
        self._matrix = sparse.csr_matrix((weights.ravel(), particles.ravel(), starts), shape)
        sizes = sparse.csr_matrix((np.abs(weights).ravel(), particles.ravel(), starts), shape)
        self._diagonal = np.maximum(sizes @ (inverse_masses * (sizes.T @ np.ones(count))), _LEAST)

    def __len__(self):
        return len(self.particles)

    def chosen(self, which):
        """Those rows of an index array alone."""
        return PairImpulses(
            self.particles[which], self.weights[which], self.normals[which], self._inverse_masses
        )

    def parting(self, v):
        """J v, of velocities or positions of shape (particle_count, 3)."""
        return along(self.normals, self._matrix @ v)

    def moved(self, impulses):
        """M^-1 J^T lam: what impulses along the normals do, shape (particle_count, 3)."""
        return self._spread(impulses[:, None] * self.normals)

    def pushes(self, v, least, iterations):
        """lam >= 0 with which J (v + M^-1 J^T lam) is at least `least`, as far as the iterations come."""
        lacking = self.parting(v) - least
        pushes = ahead = np.zeros(len(self))
        product, momentum = np.zeros(len(self)), 1.0
        for _ in range(iterations):
            following = np.maximum(ahead - (product + lacking) / self._diagonal, 0.0)
            step = following - pushes
            if np.dot(step, (ahead - following) * self._diagonal) > 0.0:
                ahead, momentum = following, 1.0
            else:
                faster = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
                ahead = following + ((momentum - 1.0) / faster) * step
                momentum = faster
            pushes = following
            product = self.parting(self.moved(ahead))
        return pushes

    def rubbed(self, v, most, iterations):
        """What friction does to velocities or ways, whose impulses across the normals are at most `most`."""
        impulses, change = np.zeros((len(self), 3)), np.zeros_like(v)
        for _ in range(iterations):
            slip = self._matrix @ (v + change)
            slip -= along(slip, self.normals)[:, None] * self.normals
            impulses -= slip / self._diagonal[:, None]
            size = np.sqrt(along(impulses, impulses))
            impulses *= np.minimum(1.0, most / np.maximum(size, _LEAST))[:, None]
            change = self._spread(impulses)
        return change

    def _spread(self, impulses):
        return self._inverse_masses[:, None] * (self._matrix.T @ impulses)
