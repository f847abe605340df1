# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's method on one implicit step."""

import numpy as np

from .. import forces
from ..directions import LEAST
from .enclosed_solve import EnclosedSolve
from .hessian import Hessian
from .implicit_step import dot
from .linear import SparseLU, factorise

# Least regularisation that is tried, in parts of every spring's stiffness; it grows by four where it is too little, so
# that from 2^-20 or 2^-6 on it would take a few factors more or less.
_LEAST_SHIFT = 2.0**-12


class Newton:
    """Newton's method with a line search, on the objective of projective dynamics.

    Where compressed springs make the exact matrix indefinite, every spring gets a multiple of its stiffness
    added in all directions, less and less as full steps succeed (Levenberg-Marquardt); clamping instead takes
    several times the iterations to unfold a crumpled net. Damping along springs
    has no potential: its part of the objective is the one of projective dynamics, anew at every iteration,
    and near the solution Newton's method on the equations themselves, whose matrix is not symmetric, takes
    over.

    network: SpringNetwork; dt: step [s], or that of the equations' formula; backend: linear solver, see
    `linear.factorise`; AUTO takes the one that factorises fastest.

    Marquardt 1963 for the regularisation.
    """

    def __init__(self, network, dt, backend="AUTO"):
        self.network, self.dt = network, dt
        # A factor that is used once is made in up to 1.4 times less time by SuperLU, which also tells quietly,
        # where CHOLMOD prints a warning, that a matrix is not positive definite.
        self.backend = "SUPERLU" if backend == "AUTO" else backend
        self._hessian = Hessian(network, dt)

    def minimise(self, problem, x, iterations, tolerance):
        """Solution of the equations from x, whose hard pins are on their targets, and its residual.

        problem: ImplicitStep; stops when its residual is at most the tolerance, or after the iterations. Positions
        are of shape (3, vertex_count), matrices have three rows a vertex.
        """
        shift, residual = 0.0, problem.residual(x)
        for _ in range(iterations):
            # The simulation is told of positions that are not finite; no iteration brings them back.
            if residual <= tolerance or not np.isfinite(x).all():
                break
            gradient = problem.g.copy()
            closer = self._closer(problem, x, gradient) if problem.damped and shift == 0.0 else None
            if closer is None:
                direction, shift = self._direction(x, gradient, shift, problem.enclosures)
                before, _ = problem.objective(x)
                length, _ = problem.search(x, direction, dot(gradient, direction), before)
                x = x + length * direction
                if length < 1.0 and shift > self._enough(x):
                    # So stiff a matrix is nowhere below the second derivative: what is left is rounding.
                    return x, problem.residual(x)
                shift = 0.5 * shift if length == 1.0 else max(2.0 * shift, _LEAST_SHIFT)
                # Without any, convergence becomes quadratic.
                shift = shift if shift >= _LEAST_SHIFT else 0.0
            else:
                x = closer
            residual = problem.residual(x)
        return x, residual

    def _closer(self, problem, x, gradient):
        """Point on the exact Newton direction where the gradient is clearly shorter, or None."""
        network, at = self.network, np.ascontiguousarray(x.T)
        blocks = forces.spring_blocks(network, at) + forces.damping_blocks(network, at) / self.dt
        blocks += forces.damping_turn_blocks(network, at, (at - problem.start.T) / self.dt)
        try:
            direction = self._solved(x, blocks, gradient, SparseLU, problem.enclosures)
        except np.linalg.LinAlgError:
            return None
        size = np.linalg.norm(gradient)
        # Shorter steps are taken with an objective to go down on: they may be on their way to a saddle.
        for length in (1.0, 0.5, 0.25, 0.125, 0.0625):
            candidate = x + length * direction
            if np.linalg.norm(problem.gradient(candidate)) <= (1.0 - 0.25 * length) * size:
                return candidate
        return None

    def _direction(self, x, gradient, shift, enclosures):
        """Newton direction with the least shift from `shift` on that makes the matrix positive definite."""
        network, at = self.network, np.ascontiguousarray(x.T)
        springs = network.springs
        isotropic = np.eye(3) * springs.stiffness[:, None, None]
        # The Hessian of the damping's part, as constant as in projective dynamics.
        damping = np.eye(3) * (springs.damping / self.dt)[:, None, None]
        exact = forces.spring_blocks(network, at) + damping
        enough = self._enough(x)
        while True:
            try:
                # Added to springs, not to vertices, so that every iteration conserves momentum.
                stiffer = exact + shift * isotropic
                return self._solved(x, stiffer, gradient, self.backend, enclosures), shift
            except np.linalg.LinAlgError:
                if shift > enough:
                    raise
                shift = max(4.0 * shift, _LEAST_SHIFT)

    def _enough(self, x):
        """Shift beyond which nothing has to be made up for: a spring of length l takes k (L/l - 1) across itself."""
        _, lengths = forces.spring_directions(self.network, np.ascontiguousarray(x.T))
        return 4.0 * (self.network.springs.rest_lengths / np.maximum(lengths, LEAST)).max(initial=1.0)

    def _solved(self, x, blocks, gradient, backend, enclosures):
        """Newton direction for a gradient, both of shape (3, vertex_count), that leaves the hard pins alone."""
        still = np.zeros(gradient.shape[::-1])
        found = self.solve(x, blocks, gradient.T, still, backend, enclosures=enclosures)
        return np.ascontiguousarray(found.T)

    def solve(self, x, blocks, gradient, known, backend, *, definite=False, enclosures=None):
        """Newton direction for a block a spring, with the hard pins' rows as in `known`, zero elsewhere.

        x [m]: where the blocks are about, shape (3, vertex_count).
        gradient, known: shape (vertex_count, 3), as the direction.
        backend: name of a linear solver for a symmetric positive definite matrix, or `SparseLU`.
        definite: whether the blocks are known to be positive semidefinite.
        enclosures: EnclosureOperators as the gradient left them, or None.
        """
        matrix, hard = self._hessian.sum(blocks, x, enclosures), self.network.hard_pins
        right = -(gradient + (matrix @ known.ravel()).reshape(-1, 3))
        if enclosures is not None:
            right -= enclosures.along(known.T).T
        right[hard] = known[hard]
        matrix = self._hessian.without_pins(matrix)
        definite &= self._hessian.distinct
        factor = backend(matrix) if backend is SparseLU else factorise(matrix, backend, definite=definite)

        def solved(g):
            return factor.solve(np.ascontiguousarray(g.T).reshape(-1, 1)).reshape(-1, 3).T

        if enclosures is None:
            return solved(right.T).T
        enclosed = EnclosedSolve(self.network, solved)
        enclosed.about(enclosures)
        return enclosed.solve(right.T).T
