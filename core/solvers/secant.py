# SPDX-License-Identifier: GPL-3.0-or-later
"""A quasi-Newton update of a prefactored matrix from where the springs were evaluated in the step before."""

import numpy as np

from ..topology import network_parts
from .drift import Drift

# Longest step along the pair, as a share of it. Where a substep follows another smoothly it is mostly below 0.1;
# with steps as long as the pair, stiff networks gained energy and pins torn about stretched sheets sixfold.
TRUST = 0.125


class Secant:
    """Directions -H g, H the BFGS update of S^-1 by one pair (s, y) whose positions lie one step apart.

    At the first iterate of every step the springs are evaluated anyway: s is how far it moved since the last
    step's, y = M s/dt^2 plus the change of the springs' gradient. Time steps change nothing else in the
    objective's Hessian, so the pair is as good as one within the step, and free. S resists all motion as if it
    stretched every spring; along s, which is about dt v, H has the true inertia and curvature, so what internal
    forces do along the motion of the whole is right after one iteration.

    Vertices that no springs join know nothing of each other: each connected part has its own update, and parts
    without a pin leave out of s the drift of their centre of mass, so their momentum stays exact. A part takes
    the plain direction -S^-1 g where the springs' curvature along s is negative or Newton's step along s is
    longer than TRUST, which bounds the update's own step along s as well: far from the pair's positions the
    springs point elsewhere.

    network: SpringNetwork. Positions, gradients and directions have shape (3, vertex_count).

    Nocedal and Wright 2006, eq. 6.17; Liu, Bouaziz, Kavan 2017, section 4, for S as the start.
    """

    def __init__(self, network):
        self._parts, self._drift = network_parts(network), Drift.of_parts(network)
        self._count, self._hard_pins = int(self._parts.max(initial=-1)) + 1, network.hard_pins
        self._last = None

    @property
    def history(self):
        """Where the springs were evaluated last [m] and their gradient there [N], shape (vertex_count, 3)."""
        return () if self._last is None else tuple(array.T for array in self._last)

    def restore_history(self, arrays):
        """Continue from a `history`; from () as at the very start."""
        self._last = tuple(np.ascontiguousarray(array.T) for array in arrays) if len(arrays) else None

    def direction(self, x, gradient, springs, inertia, solve):
        """-H gradient at the first iterate x of a step, which is remembered for the next one.

        springs: their part of the gradient [N]; inertia: p, out -> M/dt^2 p in `out` [N]; solve: g -> S^-1 g.
        """
        before = self._last
        self.note(x, springs)
        if before is None:
            return -solve(gradient)
        s, y = x - before[0], springs - before[1]
        s[:, self._hard_pins] = y[:, self._hard_pins] = 0.0
        self._drift.remove(s)
        convex = self._dot(s, y) >= 0.0
        y += inertia(s, np.empty_like(s))
        curvature = self._dot(s, y)
        # Where nothing moved there is no curvature, and where it is too small its inverse overflows.
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            inverse = 1.0 / curvature
            along = self._dot(s, gradient) * inverse
            use = convex & (np.abs(along) <= TRUST)
        inverse, along = np.where(use, inverse, 0.0), np.where(use, along, 0.0)
        solved = solve(gradient - self._of_parts(along) * y)
        back = self._dot(y, solved) * inverse
        s *= self._of_parts(np.clip(back - along, -TRUST, TRUST))
        s -= solved
        return s

    def note(self, x, springs):
        """Remember where the springs were evaluated, and their part of the gradient, for the step that follows."""
        self._last = (x.copy(), springs)

    def _dot(self, a, b):
        """Products of two fields over each part, shape (part count,)."""
        if self._count == 1:
            return np.einsum("ij,ij->", a, b).reshape(1)
        return np.bincount(self._parts, np.einsum("ij,ij->j", a, b), self._count)

    def _of_parts(self, values):
        return values[0] if self._count == 1 else values[self._parts]
