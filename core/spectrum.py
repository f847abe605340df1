# SPDX-License-Identifier: GPL-3.0-or-later
"""The highest frequency and damping rate of a network, which limit the step of explicit methods."""

from typing import NamedTuple

import numpy as np

from . import forces
from .assembly import BlockAssembly

# Relative error at which the search for an eigenvalue stops; that of a frequency is half of it.
_TOLERANCE = 5e-3

# Matrices up to this many rows are solved densely: exact, and quicker than iterations.
_DENSE = 240


class Spectrum(NamedTuple):
    """Highest angular frequency [rad/s] and highest damping rate [1/s]."""

    frequency: float
    rate: float


def spectrum(network):
    """Of small vibrations about the network's points, as the largest eigenvalues of M^-1/2 K M^-1/2.

    K = -dF/dx for the frequency and -dF/dv for the rate, without the hard pins; a spring that is shorter than half its
    length at rest, as one that is to bend what is flat, acts in all directions: its own is still to come. Lanczos'
    method, whose residual is added to what it finds: never below the exact value but for rounding, and without such
    springs at most 0.5 % above; the same at every call. Needs SciPy.
    """
    own = network.springs
    lengths = own.lengths(network.points)
    # Pushing aside with more than it answers along itself: of 1e15 times that no iteration finds the highest.
    meet = (lengths == 0.0) | (lengths < 0.5 * own.rest_lengths)
    assembly = BlockAssembly(network)

    def largest(blocks, per_spring, per_vertex, volumes=None):
        blocks[meet] = per_spring[meet, None, None] * np.eye(3)
        matrix = assembly.matrix(blocks, per_vertex)
        return _largest_eigenvalue(network, matrix if volumes is None else matrix + volumes, 3)

    springs, pins = forces.spring_blocks(network, network.points), _pin_stiffness(network)
    rate = 0.0
    if own.damping.any():
        rate = largest(forces.damping_blocks(network, network.points), own.damping, 0.0 * pins)
    volumes = network.element_operators
    if volumes is not None:
        volumes = volumes.hessian(np.ascontiguousarray(network.points.T))
    square = largest(springs, own.stiffness, pins, volumes) + _of_enclosures(network)
    return Spectrum(float(np.sqrt(square)), rate)


def spectrum_bound(network):
    """Upper bounds however the springs turn and stretch, from A^T diag(k) A in place of K; needs SciPy."""
    from scipy.sparse import diags

    incidence = network.incidence.matrix()

    def largest(per_spring, per_vertex, volumes=None):
        matrix = incidence.T @ diags(per_spring) @ incidence + diags(per_vertex)
        return _largest_eigenvalue(network, matrix if volumes is None else matrix + volumes, 1)

    pins = _pin_stiffness(network)
    springs = network.springs
    rate = largest(springs.damping, 0.0 * pins) if springs.damping.any() else 0.0
    # Three sides share what a volume resists.
    volumes = None if network.element_operators is None else 3.0 * network.element_operators.bound()
    return Spectrum(float(np.sqrt(largest(springs.stiffness, pins, volumes) + _of_enclosures(network))), rate)


def gershgorin_bound(network):
    """Upper bounds of those bounds, at most twice the eigenvalues, by Gershgorin's theorem on M^-1 A^T diag(k) A.

    w_max^2 <= 2 max_i sum_j k_ij / m_i: row i sums to at most twice its diagonal, for unequal masses too. Hard
    pins have no row; soft pins add w_i / m_i.
    """
    springs = network.springs
    square = _gershgorin(network, springs.stiffness, _pin_stiffness(network)) + _of_enclosures(network)
    return Spectrum(float(np.sqrt(square)), float(_gershgorin(network, springs.damping, 0.0)))


def _of_enclosures(network):
    """Upper bound of the enclosures' part of the largest eigenvalue [1/s^2]."""
    if network.enclosure_operators is None:
        return 0.0
    masses = network.masses.copy()
    masses[network.hard_pins] = np.inf
    return network.enclosure_operators.highest_square(np.ascontiguousarray(network.points.T), masses)


def _pin_stiffness(network):
    """Penalty stiffness of every vertex [N/m], 0 where it is no soft pin."""
    pins = np.zeros(network.vertex_count)
    pins[network.soft_pins] = forces.pin_weights(network)
    return pins


def _gershgorin(network, per_spring, per_vertex):
    size = np.abs(network.springs.weights)
    sums = per_spring[:, None] * size * size.sum(axis=1, keepdims=True)
    around = np.bincount(network.springs.vertices.ravel(), sums.ravel(), network.vertex_count)
    bound = (around + per_vertex) / network.masses
    bound[network.hard_pins] = 0.0
    return bound.max()


def _largest_eigenvalue(network, matrix, rows):
    """Of M^-1/2 matrix M^-1/2 without the hard pins, with so many rows a vertex; at least 0."""
    from scipy.sparse import diags
    from scipy.sparse.linalg import eigsh

    free = np.zeros(network.vertex_count)
    free[network.free] = 1.0
    scale = diags(np.repeat(free / np.sqrt(network.masses), rows))
    matrix = scale @ matrix @ scale
    if matrix.nnz == 0 or not matrix.data.any():
        # Of particles without springs, which ARPACK takes for a bad start.
        return 0.0
    if matrix.shape[0] <= _DENSE:
        return max(0.0, float(np.linalg.eigvalsh(matrix.toarray())[-1]))
    # A fixed start, without which ARPACK takes a random one: the same network has the same step.
    start = np.random.default_rng(0).normal(size=matrix.shape[0])
    values, vectors = eigsh(matrix, 1, which="LA", v0=start, tol=_TOLERANCE)
    residual = np.linalg.norm(matrix @ vectors[:, 0] - values[0] * vectors[:, 0])
    return max(0.0, float(values[0] + residual))
