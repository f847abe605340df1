# SPDX-License-Identifier: GPL-3.0-or-later
"""A preconditioner that knows how parts of a surface move without being strained."""

from typing import NamedTuple

import numpy as np

from ..axes import cross, dot
from ..bisection import halved
from ..forces import pin_weights
from ..topology import network_parts
from .linear import SuperLUFactor

# Particles of a patch at most.
_SIZE = 64

# What a patch has against turning besides, as a share of its inertia: of particles in a line it has none.
_LEAST_TURN = 1e-6

_LEAST = 1e-300

# Shifts along the axes and turns about them.
_COUNT, _SHIFTS = 6, np.arange(3)


class RigidPatches:
    """Answers with shifts and turns of the patches of a network, as they lie: the coarse level of two.

    Cloth that folds turns far and is hardly strained. S takes every turn for strain, and particles that answer alone
    pass on what pulls at them by one spring an iteration. Let Z be the shifts and turns of the patches, and A the
    inertia, the springs along themselves, what presses particles on each other, and what contacts hold, as stiff as S
    has the particles: the answer is Z E^-1 Z^T r with E = Z^T A Z. Springs within a patch have no part in it. It is to
    be added to what answers strain, and keeps momentum where nothing is held.

    problem: ImplicitStep; stiffness: of the particles in S [N/m], shape (vertex_count,).
    patch: number of the patch of every particle.

    Vaněk, Mandel and Brezina 1996, "Algebraic multigrid by smoothed aggregation for second and fourth order elliptic
    problems", for rigid motions as what a coarse level is to know; Nicolaides 1987, "Deflation of conjugate gradients
    with applications to boundary value problems".
    """

    def __init__(self, problem, stiffness):
        network = problem.network
        self._stiffness, self._masses, self._inertia = stiffness, network.masses, problem.inertia.copy()
        self._inertia[network.soft_pins] += pin_weights(network)
        self._free = np.ones(network.vertex_count)
        self._free[network.hard_pins] = 0.0
        self.patch = _patches(network)
        self._count = int(self.patch.max(initial=-1)) + 1
        i, j = network.edges.T
        between = (self.patch[i] != self.patch[j]) | (self._free[i] != self._free[j])
        springs = np.flatnonzero(between & ~network.broken)
        self._ends = network.edges[springs].T
        self._along = (network.stiffness + network.damping / problem.dt)[springs]
        self._of_patches = self._sums(self._masses)
        # Columns of what moves particles along each axis: its shift, and two turns.
        moves = np.array([[0, 4, 5], [1, 3, 5], [2, 3, 4]])
        columns = _COUNT * self.patch[:, None] + moves[:, None]
        self._places = columns.ravel().astype(np.int32), np.arange(0, columns.size + 1, 3, dtype=np.int32)

    def at(self, x, contacts):
        """r -> the answer [m] to r [N], both of shape (3, vertex_count), where the patches are at x [m].

        contacts: Seats that looked at x last.
        """
        middles = self._sums(self._masses * x) / self._of_patches
        arms = x - middles[:, self.patch]
        # In units of its radius a patch turns about as stiffly as it shifts.
        radii = np.sqrt(self._sums(self._masses * dot(arms, arms)) / self._of_patches)
        arms /= np.maximum(radii, _LEAST)[self.patch]
        lie = _Lie(x, arms, middles, radii)
        factor = SuperLUFactor(self._matrix(lie, contacts), definite=True)

        motions = self._of_particles(arms)
        transposed = motions.T

        def answer(r):
            moved = factor.solve((transposed @ r.ravel())[:, None])
            return (motions @ moved[:, 0]).reshape(r.shape)

        return answer

    def _of_particles(self, arms):
        """Z, SciPy CSR of shape (3 vertex_count, 6 patch_count)."""
        from scipy import sparse

        a, b, c = self._free * arms
        shift = self._free
        data = np.stack([[shift, c, -b], [shift, -c, a], [shift, b, -a]]).transpose(0, 2, 1)
        return sparse.csr_matrix((data.ravel(), *self._places), (data.size // 3, _COUNT * self._count))

    def _sums(self, values):
        """Sums over the particles of each patch, of all rows of values."""
        if values.ndim == 1:
            return np.bincount(self.patch, values, self._count)
        return np.stack([self._sums(row) for row in values])

    def _matrix(self, lie, contacts):
        """E, SciPy CSC."""
        between = [self._springs(lie), *(self._pressed(lie, *struts) for struts in contacts.struts())]
        p, q, one, other = (np.concatenate(of, axis=-1) for of in zip(*between, strict=True))
        within = p == q
        # Both ends in one patch are one.
        one[:, within] -= other[:, within]
        other[:, within] = 0.0
        alone = [self._held(lie, contacts), (p, one), (q, other)]
        own = self._inert(lie)
        _add_squares(own, *(np.concatenate(of, axis=-1) for of in zip(*alone, strict=True)))
        return _assembled(own, p[~within], q[~within], one[:, ~within], other[:, ~within])

    def _springs(self, lie):
        """What springs between patches have against the motions of both: patches and motions, see `_motions`."""
        i, j = self._ends
        n = lie.x[:, i] - lie.x[:, j]
        n *= np.sqrt(self._along) / np.maximum(np.sqrt(dot(n, n)), _LEAST)
        one, other = (_motions(self._free[end] * n, lie.arms[:, end]) for end in (i, j))
        return self.patch[i], self.patch[j], one, other

    def _pressed(self, lie, particles, weights, directions, stiffness):
        """The same of what presses particles on each other: either side goes with the patch of its heaviest corner."""
        n, sides = np.sqrt(stiffness) * directions, []
        for shares in (np.maximum(weights, 0.0), np.maximum(-weights, 0.0)):
            heaviest = np.take_along_axis(particles, shares.argmax(axis=0)[None], axis=0)[0]
            patch = self.patch[heaviest]
            at = sum(share * lie.x[:, corner] for share, corner in zip(shares, particles, strict=True))
            arms = (at - lie.middles[:, patch]) / np.maximum(lie.radii, _LEAST)[patch]
            sides.append((patch, _motions(self._free[heaviest] * n, arms)))
        (p, one), (q, other) = sides
        return p, q, one, other

    def _inert(self, lie):
        """What inertia and soft pins have against motions of every patch: shape (patch_count, 6, 6)."""
        inertia = self._free * self._inertia
        first = self._sums(inertia * lie.arms)
        second = np.stack([self._sums(inertia * arm * lie.arms) for arm in lie.arms]).transpose(2, 0, 1)
        own = np.zeros((self._count, _COUNT, _COUNT))
        own[:, _SHIFTS, _SHIFTS] = self._sums(inertia)[:, None]
        for axis, direction in enumerate(np.eye(3)):
            own[:, axis, 3:] = own[:, 3:, axis] = cross(first, direction[:, None]).T
        own[:, 3:, 3:] = np.trace(second, axis1=1, axis2=2)[:, None, None] * np.eye(3) - second
        return own

    def _held(self, lie, contacts):
        """What contacts hold, where particles are as stiff as in S: patches and motions."""
        directions = np.repeat(np.eye(3)[:, :, None], len(self.patch), axis=2)
        for direction in directions:
            free = direction.copy()
            contacts.filter_increment(free)
            direction -= free
        particles = np.flatnonzero(self._free * directions.any(axis=(0, 1)))
        directions = directions[..., particles] * np.sqrt(self._stiffness[particles])
        motions = [_motions(direction, lie.arms[:, particles]) for direction in directions]
        return np.tile(self.patch[particles], 3), np.concatenate(motions, axis=1)


class _Lie(NamedTuple):
    """Where particles are [m], their ways from the middles of their patches in radii, the middles, and the radii."""

    x: np.ndarray
    arms: np.ndarray
    middles: np.ndarray
    radii: np.ndarray


def _patches(network):
    """Number of the patch of every particle: what hangs together, and lies together at rest."""
    part, of = network_parts(network), np.zeros(network.vertex_count, dtype=np.intp)
    order = np.argsort(part, kind="stable")
    bounds = np.flatnonzero(np.diff(part[order])) + 1
    groups = [few for chosen in np.split(order, bounds) for few in halved(network.points, chosen, _SIZE)]
    for number, few in enumerate(groups):
        of[few] = number
    return of


def _motions(directions, arms):
    """How far shifts and turns of a patch move what is at its arms along directions: shape (6, count)."""
    return np.concatenate([directions, cross(arms, directions)])


def _add_squares(own, patches, motions):
    """Add to what every patch has alone, shape (patch_count, 6, 6), the sum of m m^T of motions m of patches."""
    for a in range(_COUNT):
        for b in range(a + 1):
            own[:, a, b] += np.bincount(patches, motions[a] * motions[b], len(own))
            own[:, b, a] = own[:, a, b]


def _assembled(own, p, q, one, other):
    """SciPy CSC of what patches have alone, and less of one other^T of motions of patches p and q, summed."""
    from scipy import sparse

    count = len(own)
    own[:, 3 + _SHIFTS, 3 + _SHIFTS] += _LEAST_TURN * own[:, :1, 0]
    # A patch of pins alone does not move.
    own[own[:, 0, 0] == 0.0] = np.eye(_COUNT)
    swapped = p > q
    one, other = np.where(swapped, other, one), np.where(swapped, one, other)
    keys, pair = np.unique(np.minimum(p, q) * count + np.maximum(p, q), return_inverse=True)
    between = np.empty((len(keys), _COUNT, _COUNT))
    for a in range(_COUNT):
        for b in range(_COUNT):
            between[:, a, b] = np.bincount(pair, -one[a] * other[b], len(keys))
    first, second = np.divmod(keys, count)
    every = np.arange(count)
    rows, columns = np.concatenate([every, first, second]), np.concatenate([every, second, first])
    blocks = np.concatenate([own, between, between.transpose(0, 2, 1)])
    order = np.lexsort((columns, rows))
    starts = np.searchsorted(rows[order], np.arange(count + 1))
    size = _COUNT * count
    rows = sparse.bsr_matrix((blocks[order], columns[order], starts), (size, size)).tocsr()
    # Symmetric to the bit, rows are columns.
    return sparse.csc_matrix((rows.data, rows.indices, rows.indptr), (size, size))
