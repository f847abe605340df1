# SPDX-License-Identifier: GPL-3.0-or-later
"""Projective dynamics."""

from types import MappingProxyType

import numpy as np

from ..forces import pin_weights
from ..linear import factorise
from ..state import State
from .integrator import Integrator


class ProjectiveDynamics(Integrator):
    """Backward Euler as a minimisation, by local/global steps on one prefactored matrix.

    Minimises  1/(2 dt^2) |M^(1/2) (x - y)|^2 + V(x),  y = x_t + dt v_t + dt^2 f_ext / m. Damping adds
    mu/(2 dt) |A(x - x_t) - p|^2 a spring, p the part perpendicular to it at the current iterate; with it the
    iterations converge to backward Euler's equations, which then are no objective's gradient.
    Local step: the spring direction n at the current x. Global step: x -= S^-1 gradient(x) with the
    constant S = M/dt^2 + A^T (K + diag(mu)/dt) A + W, W the soft pins' weights. This is the classical
    solve of S x = M y/dt^2 + A^T K d + ... written as an increment, so that rounding is relative to the
    increment, hard pins need no column on the right side, and the residual costs nothing.

    Order 1, implicit, unconditionally stable; a moved pin changes only the right side.
    iterations: local/global steps in one step; many converge to backward Euler.
    backend: linear solver, see `linear.factorise`.

    Liu, Bargteil, O'Brien, Kavan 2013, "Fast Simulation of Mass-Spring Systems", eq. 9-14;
    Bouaziz, Martin, Liu, Kavan, Pauly 2014, "Projective Dynamics", eq. 3-10.
    """

    label = "Projective Dynamics"
    description = "Implicit and fast: stiffness costs nothing extra, and no step is too large to be stable"
    order = 1
    needs_scipy = True
    options = MappingProxyType({"iterations": 10, "backend": "AUTO"})
    iterations: int
    backend: str

    def prepare(self):
        """Build and factorise S, with the hard pins' rows and columns replaced by the identity."""
        from scipy import sparse

        if not (1 <= self.iterations < np.inf and int(self.iterations) == self.iterations):
            raise ValueError(f"iterations is {self.iterations}: give a whole number of at least 1")
        network, dt = self.system.network, self.dt
        diagonal = network.masses / dt**2
        diagonal[network.soft_pins] += pin_weights(network)
        incidence = network.incidence.matrix()
        weights = sparse.diags(network.stiffness + network.damping / dt)
        # Eliminating the pinned unknowns this way keeps vertex indices as they are.
        free = np.ones(network.vertex_count)
        free[network.hard_pins] = 0.0
        keep = sparse.diags(free)
        matrix = keep @ (sparse.diags(diagonal) + incidence.T @ weights @ incidence) @ keep
        self._factor = factorise(matrix + sparse.diags(1.0 - free), self.backend)
        self._inertia = network.masses / dt**2
        self._damping = network.damping / dt if network.damping.any() else None
        # Structure of arrays with preallocated buffers: the local step is bound by memory traffic.
        self._u, self._u_start, self._w = (np.empty((3, network.spring_count)) for _ in range(3))
        self._length, self._scale, self._product = (np.empty(network.spring_count) for _ in range(3))
        self._gradient = np.empty((3, network.vertex_count))
        self._offset = np.empty((3, network.vertex_count))
        self._last = None

    def step(self, state):
        """Iterate local and global steps from y, the position without internal forces."""
        system, dt = self.system, self.dt
        network = system.network
        external = system.external_forces(state.x, state.v, state.t)
        y = state.x + dt * state.v + dt**2 * (external / network.masses[:, None])
        y = np.ascontiguousarray(y.T)
        y[:, network.hard_pins] = system.hard_targets().T
        soft_targets = system.soft_targets(state.t + dt).T
        if self._damping is not None:
            self._differences(np.ascontiguousarray(state.x.T), self._u_start)
        x = y.copy()
        for _ in range(int(self.iterations)):
            x -= self._factor.solve(self._gradient_at(x, y, soft_targets).T).T
        self._last = x, y, soft_targets
        x = np.ascontiguousarray(x.T)
        return State(x, (x - state.x) / dt, state.t + dt)

    def residual(self):
        """Norm of the gradient after the last step over the norms of its two parts, inertia and springs."""
        if self._last is None:
            return 0.0
        x, y, soft_targets = self._last
        gradient = self._gradient_at(x, y, soft_targets)
        inertia = self._inertia * (x - y)
        scale = np.linalg.norm(inertia) + np.linalg.norm(gradient - inertia)
        return float(np.linalg.norm(gradient) / scale) if scale > 0.0 else 0.0

    @property
    def backend_name(self):
        """Name of the linear solver in use."""
        return self._factor.name

    def _gradient_at(self, x, y, soft_targets):
        """Gradient of the objective, (3, vertex_count), zero at hard pins."""
        network = self.system.network
        g, offset = self._gradient, self._offset
        self._differences(x, self._u)
        self._tensions()
        network.incidence.sums_by_axis(self._w, g)
        np.subtract(x, y, out=offset)
        offset *= self._inertia
        g += offset
        if len(network.soft_pins):
            soft = network.soft_pins
            g[:, soft] += pin_weights(network) * (x[:, soft] - soft_targets)
        g[:, network.hard_pins] = 0.0
        return g

    def _differences(self, x, out):
        incidence = self.system.network.incidence
        for row, tail, result in zip(x, self._w, out, strict=True):
            # Without mode="clip" NumPy buffers the output; the network has checked the indices.
            np.take(row, incidence.heads, out=result, mode="clip")
            np.take(row, incidence.tails, out=tail, mode="clip")
            np.subtract(result, tail, out=result)

    def _tensions(self):
        """Spring force vectors (k (|u| - L) + mu/dt n.(u - u_t)) n into the buffer w, 0 where u = 0."""
        network, u, w = self.system.network, self._u, self._w
        length, scale, product = self._length, self._scale, self._product
        _dot(u, u, length, product)
        np.sqrt(length, out=length)
        np.subtract(length, network.rest_lengths, out=scale)
        scale *= network.stiffness
        # Where the ends meet u is zero: any divisor gives zero force, as long as the quotient stays finite.
        np.maximum(length, 1e-150, out=length)
        if self._damping is not None:
            _dot(u, self._u_start, w[0], product)
            w[0] /= length
            np.subtract(length, w[0], out=w[0])
            w[0] *= self._damping
            scale += w[0]
        scale /= length
        np.multiply(u, scale, out=w)


def _dot(a, b, out, product):
    """Row-wise dot products of (3, m) arrays without temporaries."""
    np.multiply(a[0], b[0], out=out)
    for row_a, row_b in zip(a[1:], b[1:], strict=True):
        np.multiply(row_a, row_b, out=product)
        out += product
