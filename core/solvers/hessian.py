# SPDX-License-Identifier: GPL-3.0-or-later
"""The second derivative of an implicit step's objective as a matrix of three rows a vertex."""

from typing import Any

import numpy as np

from .. import forces
from ..assembly import BlockAssembly
from .enclosed_solve import EnclosedSolve
from .linear import factorise
from .lumping import straightened
from .tensions import stepping


class Hessian:
    """M/dt^2 + W + A^T diag(B_e) A for blocks B_e of springs, with the identity at hard pins.

    network: SpringNetwork; dt: of the formula [s]; springs: indices of those that blocks are of, all unless told.
    distinct: whether inertia makes a positive semidefinite sum definite, and does not drown in its rounding.
    """

    def __init__(self, network, dt, springs=None):
        self._assembly = BlockAssembly(network, springs)
        self._elements = stepping(network, dt)
        self._diagonal = network.masses / dt**2
        springs_of = network.springs
        pulls = (springs_of.stiffness + springs_of.damping / dt) * (springs_of.weights**2).max(axis=1)
        largest = pulls.max(initial=0.0)
        rounding = 4.0 * network.vertex_count * np.finfo(np.float64).eps * largest
        self.distinct = bool(self._diagonal.min() > rounding)
        self._diagonal[network.soft_pins] += forces.pin_weights(network)
        self._hard = np.zeros(network.vertex_count, dtype=bool)
        self._hard[network.hard_pins] = True

    def sum(self, blocks, x, enclosures=None):
        """The sum as SciPy BSR, with nothing said of pins; blocks: shape (spring_count, 3, 3); x: of volumes [m].

        enclosures: EnclosureOperators, of which all but what is of rank one is there; or None.
        """
        diagonal = self._diagonal if enclosures is None else self._diagonal + enclosures.diagonal()
        matrix = self._assembly.matrix(blocks, diagonal)
        return matrix if self._elements is None else matrix + self._elements.hessian(x)

    def without_pins(self, matrix):
        """A sum as SciPy COO, where rows and columns of hard pins are the identity, which eliminates them."""
        matrix, hard = matrix.tocoo(), np.repeat(self._hard, 3)
        pinned = hard[matrix.row] | hard[matrix.col]
        matrix.data[pinned] = (matrix.row == matrix.col)[pinned]
        return matrix


class RecentHessian:
    """Factor of a Hessian about some position: what quasi-Newton steps near it begin with.

    What compression takes of a spring's stiffness across itself is given to it instead: positive definite, and as stiff
    as what buckles will be. Springs that lead straight over a vertex are carried by the two on the way, which takes a
    third of the time and is nowhere below half.

    network: SpringNetwork; dt: of the formula [s]; backend: see `linear.factorise`; problem: ImplicitStep whose
    enclosures count as the gradient left them, or None.
    """

    def __init__(self, network, dt, backend="AUTO", problem=None):
        from scipy import sparse

        self._problem = problem

        self._network, self._dt, self._backend = network, dt, backend
        kept, moved = straightened(
            network.edges, network.stiffness, network.rest_lengths, network.vertex_count
        )
        stencils = np.arange(network.spring_count, len(network.springs))
        self._moved = sparse.block_diag([moved, sparse.identity(len(stencils))], format="csr")
        self._hessian = Hessian(network, dt, np.concatenate([kept, stencils]))
        self._factor: Any = None
        self._enclosed: EnclosedSolve | None = None

    @property
    def distinct(self):
        """Whether the matrix is positive definite at any position, see `Hessian`."""
        return self._hessian.distinct

    def factorise(self, x, added=None, particles=None):
        """Make the factor about x [m], shape (3, vertex_count).

        added: another second derivative that it has, as SciPy BSR of three rows a vertex [N/m], or None; particles: in
        ascending order, those that it is of alone, which nothing joins to others; None for all.

        Raises LinAlgError where rounding or x leaves it not positive definite.
        """
        network, at = self._network, np.ascontiguousarray(x.T)
        # Zero in place of the turned sign takes up to three times as many steps to unfold what is crumpled.
        of_springs = forces.spring_blocks(network, at, compressed=-1.0)
        if network.springs.damping.any():
            of_springs += forces.damping_blocks(network, at) / self._dt
        enclosures = None if self._problem is None else self._problem.enclosures
        of_springs = (self._moved @ of_springs.reshape(-1, 9)).reshape(-1, 3, 3)
        matrix = self._hessian.sum(of_springs, x, enclosures)
        if added is not None:
            matrix = matrix + added
        matrix = self._hessian.without_pins(matrix)
        if particles is not None:
            matrix = _among(matrix, particles, network.vertex_count)
        self._factor = factorise(matrix, self._backend, definite=self._hessian.distinct)
        self._enclosed = None
        if enclosures is not None:
            self._enclosed = EnclosedSolve(network, self._by_factor)
            self._enclosed.about(enclosures)

    def solve(self, g):
        """The inverse times g, shape (3, vertex_count)."""
        return self._by_factor(g) if self._enclosed is None else self._enclosed.solve(g)

    def _by_factor(self, g):
        flat = np.ascontiguousarray(g.T).reshape(-1, 1)
        return np.ascontiguousarray(self._factor.solve(flat).reshape(g.shape[::-1]).T)


def _among(matrix, particles, count):
    """Rows and columns of some of so many particles, which no others have entries with, of a SciPy COO."""
    from scipy import sparse

    numbers = np.full(count, -1)
    numbers[particles] = np.arange(len(particles))
    kept = numbers[matrix.row // 3] >= 0
    places = [3 * numbers[of[kept] // 3] + of[kept] % 3 for of in (matrix.row, matrix.col)]
    return sparse.coo_matrix((matrix.data[kept], places), (3 * len(particles),) * 2)
