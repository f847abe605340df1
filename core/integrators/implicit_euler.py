# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit Euler."""

from types import MappingProxyType

import numpy as np

from .. import forces
from ..assembly import BlockAssembly
from ..linear import factorise
from ..state import State
from .integrator import Integrator

# Armijo's constant, the share of the promised decrease that a step must deliver.
_SUFFICIENT = 1e-4

# Shares of compressed springs' negative stiffness that are tried, most first.
_SHARES = tuple(0.5**power for power in range(8))


class ImplicitEuler(Integrator):
    """Backward Euler with the true stiffness matrix, factorised at every iteration.

    newton_iterations = 1 is the linearised step (M - dt D - dt^2 H) dv = dt (f + dt H v), H = df/dx,
    D = df/dv; more iterate Newton's method with a line search until the gradient of the objective of
    projective dynamics is below `tolerance` times the forces in it. The part of H that belongs to a
    compressed spring's sideways motion is clamped to zero, which keeps the matrix positive definite.

    Order 1, implicit, unconditionally stable. Costs a factorisation of a 3n x 3n matrix an iteration.
    Baraff and Witkin 1998, eq. 16; Choi and Ko 2002 for the clamping.
    """

    label = "Implicit Euler"
    description = (
        "Implicit and stable at every step, with an exact solve instead of iterations on one matrix: much "
        "slower, the reference for stiff springs"
    )
    order = 1
    needs_scipy = True
    options = MappingProxyType({"newton_iterations": 1, "tolerance": 1e-10, "backend": "AUTO"})

    def prepare(self):
        """Find the sparsity pattern, and which of its entries belong to hard pins."""
        if int(self.newton_iterations) != self.newton_iterations or self.newton_iterations < 1:
            raise ValueError(
                f"newton_iterations is {self.newton_iterations}: give a whole number of at least 1"
            )
        if not 0.0 < self.tolerance < 1.0:
            raise ValueError(f"tolerance is {self.tolerance}: it must be between 0 and 1")
        network = self.system.network
        self._assembly = BlockAssembly(network)
        self._inertia = network.masses[:, None] / self.dt**2
        self._diagonal = network.masses / self.dt**2
        self._diagonal[network.soft_pins] += forces.pin_weights(network)
        hard = np.zeros(network.vertex_count, dtype=bool)
        hard[network.hard_pins] = True
        self._hard = np.repeat(hard, 3)
        self._residual = 0.0
        self._shares = _SHARES

    def step(self, state):
        """Newton's method from the start of the step; hard pins jump to their targets in the first one."""
        system, dt = self.system, self.dt
        network = system.network
        external = system.external_forces(state.x, state.v, state.t)
        y = state.x + dt * state.v + dt**2 * (external / network.masses[:, None])
        problem = _Problem(network, self._inertia, dt, y, state.x, system.soft_targets(state.t + dt))
        x = np.array(state.x)
        direction = np.zeros_like(x)
        direction[network.hard_pins] = system.hard_targets() - x[network.hard_pins]
        for _ in range(self.newton_iterations):
            gradient, _ = problem.gradient(x)
            moves_pins = direction.any()
            direction = self._solve(x, gradient, direction)
            if self.newton_iterations > 1 and not moves_pins:
                direction *= problem.step_length(x, direction, gradient)
            x = x + direction
            direction = np.zeros_like(x)
            gradient, scale = problem.gradient(x)
            self._residual = float(np.linalg.norm(gradient) / scale) if scale > 0.0 else 0.0
            if self._residual <= self.tolerance:
                break
        return State(x, (x - state.x) / dt, state.t + dt)

    def residual(self):
        """Norm of the gradient after the last step over the norms of its two parts, inertia and springs."""
        return self._residual

    def _solve(self, x, gradient, known):
        """Newton direction, with the hard pins' rows given in `known` and zeros in its other rows."""
        if self.newton_iterations == 1:
            return self._factor(x, 0.0)(gradient, known)
        # Exact near a minimum, where it converges quadratically; less of the negative part where that is
        # not positive definite; none always is.
        for share in (*self._shares, 0.0):
            try:
                solve = self._factor(x, share)
            except np.linalg.LinAlgError:
                continue
            self._shares = tuple(s for s in _SHARES if s <= 2 * max(share, _SHARES[-1]))
            return solve(gradient, known)
        raise np.linalg.LinAlgError("no positive definite matrix: masses or stiffness are out of proportion")

    def _factor(self, x, share):
        """Factor of the matrix at x with a share of compressed springs' negative stiffness, as a solve."""
        network = self.system.network
        blocks = forces.spring_blocks(network, x, compressed=share)
        if network.damping.any():
            blocks += forces.damping_blocks(network, x) / self.dt
        matrix = self._assembly.matrix(blocks, self._diagonal).tocoo()
        coupling = matrix.tocsr()
        # Rows and columns of hard pins become the identity, which eliminates them.
        pinned = self._hard[matrix.row] | self._hard[matrix.col]
        matrix.data[pinned] = (matrix.row == matrix.col)[pinned]
        # CHOLMOD prints a warning where a matrix is not positive definite; SuperLU tells quietly.
        backend = "SUPERLU" if share > 0.0 and self.backend == "AUTO" else self.backend
        factor = factorise(matrix, backend)

        def solve(gradient, known):
            right = -(gradient.ravel() + coupling @ known.ravel())
            right[self._hard] = known.ravel()[self._hard]
            return factor.solve(right[:, None]).reshape(-1, 3)

        return solve


class _Problem:
    """Objective and gradient of one backward Euler step, as in projective dynamics."""

    def __init__(self, network, inertia, dt, y, start, pin_targets):
        self.network, self.inertia, self.dt = network, inertia, dt
        self.y, self.start, self.pin_targets = y, start, pin_targets

    def gradient(self, x):
        """Gradient at x, zero at hard pins, and the norms of its inertia and force parts added."""
        inertia = self.inertia * (x - self.y)
        force = forces.spring_forces(self.network, x) + forces.pin_forces(self.network, x, self.pin_targets)
        if self.network.damping.any():
            force = force + forces.damping_forces(self.network, x, (x - self.start) / self.dt)
        inertia[self.network.hard_pins] = force[self.network.hard_pins] = 0.0
        return inertia - force, np.linalg.norm(inertia) + np.linalg.norm(force)

    def step_length(self, x, direction, gradient):
        """Longest of 1, 1/2, 1/4 … along a descent direction that lowers the objective enough (Armijo)."""
        n, _ = forces.spring_directions(self.network, x)
        slope = float(np.sum(gradient * direction))
        before, rounding = self._objective(x, n)
        length = 1.0
        while length > 1e-9:
            after, _ = self._objective(x + length * direction, n)
            if after <= before + _SUFFICIENT * length * slope + rounding:
                break
            length *= 0.5
        return length

    def _objective(self, x, n):
        """Objective at x with damping along the fixed directions n, and its rounding error."""
        u = self.network.incidence.differences(x - self.start)
        along = np.einsum("ij,ij->i", u, n)
        terms = (
            0.5 * float(np.sum(self.inertia * (x - self.y) ** 2)),
            forces.spring_energy(self.network, x),
            forces.pin_energy(self.network, x, self.pin_targets),
            0.5 / self.dt * float(np.sum(self.network.damping * along**2)),
        )
        return sum(terms), 8.0 * np.finfo(np.float64).eps * max(terms)
