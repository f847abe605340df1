# SPDX-License-Identifier: GPL-3.0-or-later
"""Projection of all springs at once onto their length limits."""

import numpy as np

# Relative excess of a spring's length that counts as none.
_EXACT = 1e-4
# Linearisations at most, and conjugate gradients within one. A sheet of 11 x 11 that falls in steps of 1/24 s, with two
# sweeps and a limit of 0.100, reaches 0.105, 0.104 and 0.111 with 40, 100 and 400, in 36, 70 and 190 ms a step.
_MOST, _SOLVES = 20, 60
# Share of the first residual at which conjugate gradients stop.
_SOLVED = 1e-3


class LengthLimits:
    """Moves particles by the least mass-weighted distance after which no spring is longer than its limit.

    Springs beyond their limit form the constraints c = (|u|^2 - limit^2) / 2 = 0 with gradients J. A linearisation
    moves particles by -M^-1 J^T l, where J M^-1 J^T l = c is solved by conjugate gradients; it is repeated until all
    limits hold. A linearisation that would raise the squared excess is shortened, so pins that are too far apart for
    the springs between them leave an excess and throw nothing.

    network: SpringNetwork; inverse_masses: [1/kg], shape (vertex_count,), 0 of hard pins; springs: indices of those
    that have limits; limits: their largest lengths [m].

    Goldenthal, Harmon, Fattal, Bercovier, Grinspun 2007, "Efficient Simulation of Inextensible Cloth", section 4.
    """

    def __init__(self, network, inverse_masses, springs, limits):
        self._i, self._j = network.edges[springs].T
        self._limits = limits
        self._inverse = inverse_masses[:, None]

    def project(self, x):
        """Move x [m], shape (vertex_count, 3), in place."""
        held = np.zeros(len(self._limits), dtype=bool)
        for _ in range(_MOST):
            u = x[self._i] - x[self._j]
            excess = np.einsum("ij,ij->i", u, u) - self._limits**2
            if (excess <= 2.0 * _EXACT * self._limits**2).all():
                return
            # Springs shortened before must not lengthen again while their neighbours shorten.
            held |= excess > 0.0
            long = np.flatnonzero(held)
            move = self._move(u[long], long, 0.5 * np.maximum(excess[long], 0.0), len(x))
            share, before = 1.0, self._squared(x)
            while self._squared(x - share * move) >= before:
                share *= 0.5
                if share < 1e-3:
                    return
            x -= share * move

    def _move(self, u, long, c, count):
        """M^-1 J^T l [m] of springs that are too long, shape (count, 3), with J M^-1 J^T l = c."""
        i, j = self._i[long], self._j[long]

        def spread(multipliers):
            pulls, moved = multipliers[:, None] * u, np.empty((count, 3))
            for axis in range(3):
                moved[:, axis] = np.bincount(i, pulls[:, axis], count) - np.bincount(j, pulls[:, axis], count)
            return self._inverse * moved

        multipliers, r = np.zeros(len(c)), c.copy()
        # The diagonal, which preconditions.
        weight = np.einsum("ij,ij->i", u, u) * (self._inverse[i, 0] + self._inverse[j, 0])
        z = r / weight
        p, rz = z.copy(), r @ z
        enough = _SOLVED**2 * rz
        for _ in range(min(_SOLVES, 2 * len(c))):
            moved = spread(p)
            product = np.einsum("ij,ij->i", u, moved[i] - moved[j])
            bent = p @ product
            # Springs that pins alone hold apart can move nothing.
            if bent <= 1e-12 * (p @ (weight * p)):
                break
            step = rz / bent
            multipliers += step * p
            r -= step * product
            z = r / weight
            rz, last = r @ z, rz
            if rz <= enough:
                break
            p = z + (rz / last) * p
        return spread(multipliers)

    def _squared(self, x):
        """Sum of the squared excesses of lengths [m^2]."""
        u = x[self._i] - x[self._j]
        excess = np.maximum(np.sqrt(np.einsum("ij,ij->i", u, u)) - self._limits, 0.0)
        return excess @ excess
