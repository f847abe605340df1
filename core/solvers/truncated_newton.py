# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's direction by a few conjugate gradients on a prefactored matrix."""

import numpy as np


class TruncatedNewton:
    """Approximates -H^-1 g, H known by its products alone, by conjugate gradients preconditioned with S^-1.

    Every iteration goes to the least of the quadratic model along a direction conjugate to the one before, so the
    model never rises, however few there are. The directions are made conjugate by their own products: they stay so
    where contacts have changed residual and solution.

    shape: of the arrays, (3, vertex_count).

    Nocedal and Wright 2006, algorithm 7.1; Dembo and Steihaug 1983, "Truncated-Newton algorithms".
    """

    def __init__(self, shape):
        self._residual, self._along, self._product, self._step, self._scaled = (
            np.empty(shape) for _ in range(5)
        )

    def direction(self, gradient, product, solve, iterations, *, forcing=0.0, contacts=None):
        """The direction, in a buffer, and the iterations it took.

        product: p, out -> H p into out; solve: r -> S^-1 r; forcing: share of the gradient's norm at which the
        residual is small enough; contacts: Seats that filter residuals and increments, or None.
        """
        r, p, hp, step = self._residual, self._along, self._product, self._step
        np.negative(gradient, out=r)
        step[:] = 0.0
        enough, curvature = forcing * np.linalg.norm(gradient), 0.0
        for number in range(iterations):
            z = solve(r)
            if contacts is not None:
                contacts.filter_increment(z)
            if curvature > 0.0:
                p *= -_dot(z, hp) / curvature
                p += z
            else:
                p[:] = z
            product(p, hp)
            curvature, slope = _dot(p, hp), _dot(p, r)
            # Nothing is left to gain, or positions are no longer finite, of which the simulation is told.
            if not (curvature > 0.0 and slope > 0.0):
                return step, number
            length = slope / curvature
            step += np.multiply(length, p, out=self._scaled)
            r -= np.multiply(length, hp, out=self._scaled)
            if contacts is not None:
                self._filter(r, contacts)
            if forcing and np.linalg.norm(r) <= enough:
                return step, number + 1
        return step, iterations

    def _filter(self, r, contacts):
        gradient = np.negative(r, out=self._scaled)
        contacts.filter_gradient(gradient)
        np.negative(gradient, out=r)


def _dot(a, b):
    return float(np.einsum("ij,ij->", a, b))
