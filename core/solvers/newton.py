# SPDX-License-Identifier: GPL-3.0-or-later
"""Newton's method on one implicit step, and the equations of that step."""

import numpy as np

from .. import forces
from .assembly import BlockAssembly
from .linear import SparseLU, factorise

# Armijo's constant, the share of the promised decrease that a step must deliver.
SUFFICIENT = 1e-4

# Least and largest regularisation that is tried, in parts of every spring's stiffness.
_LEAST_SHIFT, _LARGEST_SHIFT = 2.0**-12, 2.0**10


class Newton:
    """Newton's method with a line search, on the objective of projective dynamics.

    Where compressed springs make the exact matrix indefinite, every spring gets a multiple of its stiffness
    added in all directions, less and less as full steps succeed (Levenberg-Marquardt); clamping instead is
    the last resort, as it takes several times the iterations to unfold a crumpled net. Damping along springs
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
        self._assembly = BlockAssembly(network)
        self._diagonal = network.masses / dt**2
        self._diagonal[network.soft_pins] += forces.pin_weights(network)
        # Inertia makes semidefinite blocks definite, unless it drowns in the rounding of the springs' part.
        largest = (network.stiffness + network.damping / dt).max(initial=0.0)
        rounding = 4.0 * network.vertex_count * np.finfo(np.float64).eps * largest
        self._distinct = bool((network.masses / dt**2).min() > rounding)
        hard = np.zeros(network.vertex_count, dtype=bool)
        hard[network.hard_pins] = True
        self._hard = np.repeat(hard, 3)

    def minimise(self, problem, x, iterations, tolerance):
        """Solution of the equations from x, whose hard pins are on their targets, and its residual.

        problem: ImplicitStep; stops when its residual is at most the tolerance, or after the iterations.
        """
        shift, residual = 0.0, problem.residual(x)
        for _ in range(iterations):
            # The simulation is told of positions that are not finite; no iteration brings them back.
            if residual <= tolerance or not np.isfinite(x).all():
                break
            gradient, _ = problem.gradient(x)
            closer = self._closer(problem, x, gradient) if problem.damped and shift == 0.0 else None
            if closer is None:
                direction, shift = self._direction(x, gradient, shift)
                length = problem.step_length(x, direction, gradient)
                x = x + length * direction
                shift = 0.5 * shift if length == 1.0 else max(2.0 * shift, _LEAST_SHIFT)
                # Without any, convergence becomes quadratic.
                shift = shift if shift >= _LEAST_SHIFT else 0.0
            else:
                x = closer
            residual = problem.residual(x)
        return x, residual

    def _closer(self, problem, x, gradient):
        """Point on the exact Newton direction where the gradient is clearly shorter, or None."""
        network = self.network
        blocks = forces.spring_blocks(network, x) + forces.damping_blocks(network, x) / self.dt
        blocks += forces.damping_turn_blocks(network, x, (x - problem.start) / self.dt)
        try:
            direction = self.solve(blocks, gradient, np.zeros_like(x), SparseLU)
        except np.linalg.LinAlgError:
            return None
        size = np.linalg.norm(gradient)
        # Shorter steps are taken with an objective to go down on: they may be on their way to a saddle.
        for length in (1.0, 0.5, 0.25, 0.125, 0.0625):
            candidate = x + length * direction
            if np.linalg.norm(problem.gradient(candidate)[0]) <= (1.0 - 0.25 * length) * size:
                return candidate
        return None

    def _direction(self, x, gradient, shift):
        """Newton direction with the least shift from `shift` on that makes the matrix positive definite."""
        network, still = self.network, np.zeros_like(x)
        isotropic = np.eye(3) * network.stiffness[:, None, None]
        # The Hessian of the damping's part, as constant as in projective dynamics.
        damping = np.eye(3) * (network.damping / self.dt)[:, None, None]
        exact = forces.spring_blocks(network, x) + damping
        while shift <= _LARGEST_SHIFT:
            try:
                # Added to springs, not to vertices, so that every iteration conserves momentum.
                return self.solve(exact + shift * isotropic, gradient, still, self.backend), shift
            except np.linalg.LinAlgError:
                shift = max(4.0 * shift, _LEAST_SHIFT)
        clamped = forces.spring_blocks(network, x, compressed=0.0) + damping
        return self.solve(clamped, gradient, still, self.backend, definite=True), _LARGEST_SHIFT

    def solve(self, blocks, gradient, known, backend, *, definite=False):
        """Newton direction for a block a spring, with the hard pins' rows as in `known`, zero elsewhere.

        backend: name of a linear solver for a symmetric positive definite matrix, or `SparseLU`.
        definite: whether the blocks are known to be positive semidefinite.
        """
        matrix = self._assembly.matrix(blocks, self._diagonal).tocoo()
        right = -(gradient.ravel() + matrix @ known.ravel())
        right[self._hard] = known.ravel()[self._hard]
        # Rows and columns of hard pins become the identity, which eliminates them.
        pinned = self._hard[matrix.row] | self._hard[matrix.col]
        matrix.data[pinned] = (matrix.row == matrix.col)[pinned]
        definite &= self._distinct
        factor = backend(matrix) if backend is SparseLU else factorise(matrix, backend, definite=definite)
        return factor.solve(right[:, None]).reshape(-1, 3)


class ImplicitStep:
    """Objective and gradient of one implicit step: m (x - y)/dt^2 = f(x, (x - start)/dt).

    network: SpringNetwork; dt [s]; y, start: positions [m], shape (vertex_count, 3). Backward Euler has
    y = x_t + dt v_t + dt^2 f_ext/m and start = x_t; other formulas come in its shape, see
    `ProjectiveDynamics`. pin_targets: of the soft pins at the end of the step [m].
    """

    def __init__(self, network, dt, y, start, pin_targets):
        self.network, self.dt = network, dt
        self.inertia = network.masses[:, None] / dt**2
        self.y, self.start, self.pin_targets = y, start, pin_targets
        self.damped = bool(network.damping.any())

    def gradient(self, x):
        """Gradient at x, zero at hard pins, and the norms of its inertia and force parts added."""
        inertia = self.inertia * (x - self.y)
        force = forces.spring_forces(self.network, x) + forces.pin_forces(self.network, x, self.pin_targets)
        if self.damped:
            force = force + forces.damping_forces(self.network, x, (x - self.start) / self.dt)
        inertia[self.network.hard_pins] = force[self.network.hard_pins] = 0.0
        return inertia - force, np.linalg.norm(inertia) + np.linalg.norm(force)

    def residual(self, x):
        """Norm of the gradient at x over the norms of its two parts added."""
        gradient, scale = self.gradient(x)
        return float(np.linalg.norm(gradient) / scale) if scale > 0.0 else 0.0

    def objective(self, x):
        """1/2 (x - y) M/dt^2 (x - y) + V(x) [J], without damping."""
        return self._objective(x, self.network.incidence.differences(x - self.start))[0]

    def step_length(self, x, direction, gradient):
        """Longest of 1, 1/2, 1/4 … along a descent direction that lowers the objective enough (Armijo)."""
        across = self._moves_across(x)
        slope = float(np.sum(gradient * direction))
        before, rounding = self._objective(x, across)
        length = 1.0
        while length > 1e-9:
            after, _ = self._objective(x + length * direction, across)
            if after <= before + SUFFICIENT * length * slope + rounding:
                break
            length *= 0.5
        return length

    def _moves_across(self, x):
        """Part of every spring's change since the start that is perpendicular to it at x."""
        n, _ = forces.spring_directions(self.network, x)
        change = self.network.incidence.differences(x - self.start)
        return change - np.einsum("ij,ij->i", change, n)[:, None] * n

    def _objective(self, x, across):
        """Objective at x with damping of the changes less `across`, and its rounding error."""
        damped = self.network.incidence.differences(x - self.start) - across
        terms = (
            0.5 * float(np.sum(self.inertia * (x - self.y) ** 2)),
            forces.spring_energy(self.network, x),
            forces.pin_energy(self.network, x, self.pin_targets),
            0.5 / self.dt * float(np.sum(self.network.damping * np.einsum("ij,ij->i", damped, damped))),
        )
        return sum(terms), 8.0 * np.finfo(np.float64).eps * max(terms)
