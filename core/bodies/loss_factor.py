# SPDX-License-Identifier: GPL-3.0-or-later
"""Damping of solids by the loss factor of their material."""

import numpy as np

from ..assembly import BlockAssembly
from ..forces import spring_blocks

# Vibrations that are looked for: six motions of a rigid body, and one that strains it.
_VIBRATIONS = 7
# Share of the highest square of a frequency among them up to which a motion is that of a rigid body.
_RIGID = 1e-6
# Shift of the eigenvalues, in parts of the mean square of all frequencies, so that rigid motions have a factor.
_SHIFT = 1e-4


def loss_damping(network, particles, loss_factor):
    """Damping of the springs between some particles [N s/m], shape (spring_count,), 0 of all others.

    It is proportional to stiffness. The slowest vibration, of w [rad/s], loses the loss factor's share of its energy
    per radian: its amplitude falls as exp(-loss_factor w t/2). Faster vibrations lose more, in proportion to w. Hard
    pins hold. Volumes, and the stencils of the skin, store energy and lose none.

    network: SpringNetwork; particles: mask of those of one solid. Needs SciPy.

    Lakes 2009, "Viscoelastic Materials", section 1.3 for the loss factor; Clough and Penzien 2003, "Dynamics of
    Structures", section 12-4 for damping in proportion to stiffness.
    """
    springs = particles[network.edges].all(axis=1) & ~network.broken
    free = particles.copy()
    free[network.hard_pins] = False
    found = np.zeros(network.spring_count)
    vibration = _slowest(network, free)
    if vibration is None:
        return found
    frequency, shape = vibration
    i, j = network.edges.T
    u = network.points[i] - network.points[j]
    size = np.linalg.norm(u, axis=1)
    springs &= size > 0.0
    along = np.einsum("ij,ij->i", u[springs], (shape[i] - shape[j])[springs]) / size[springs]
    stored = float(network.stiffness[springs] @ along**2)
    if stored > 0.0:
        found[springs] = loss_factor * frequency / stored * network.stiffness[springs]
    return found


def _slowest(network, free):
    """Angular frequency [1/s] of the slowest vibration of free particles, a mask, and its shape, (vertex_count, 3).

    The shape has a mass of 1 kg. None if nothing vibrates.
    """
    from scipy import sparse
    from scipy.sparse.linalg import eigsh

    x, rows = network.points, np.repeat(free, 3)
    count = int(rows.sum())
    if count <= _VIBRATIONS:
        return None
    stiff = BlockAssembly(network).matrix(spring_blocks(network, x), np.zeros(network.vertex_count))
    if network.element_operators is not None:
        stiff = stiff + network.element_operators.hessian(np.ascontiguousarray(x.T))
    stiff = sparse.csr_matrix(stiff)[rows][:, rows].tocsc()
    masses = sparse.diags(np.repeat(network.masses, 3)[rows]).tocsc()
    shift = _SHIFT * float(stiff.diagonal().sum() / masses.diagonal().sum())
    # The same at every call.
    first = np.cos(np.arange(count))
    squares, shapes = eigsh(stiff, k=_VIBRATIONS, M=masses, sigma=-shift, v0=first)
    strained = np.flatnonzero(squares > _RIGID * squares.max())
    if len(strained) == 0:
        return None
    slowest, shape = strained[np.argmin(squares[strained])], np.zeros((network.vertex_count, 3))
    shape[free] = shapes[:, slowest].reshape(-1, 3)
    return float(np.sqrt(squares[slowest])), shape
