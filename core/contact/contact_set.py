# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts linearised about a position, with their normal and friction potentials."""

from copy import copy
from typing import NamedTuple

import numpy as np

from ..kernels import Indices
from ..kernels.springs import add_at_points, point_differences
from .friction_potential import STICKING, friction
from .normal_potential import push

# Force [N] below which nothing presses: only to divide by.
_LEAST = 1e-300


class Rows(NamedTuple):
    """Stencils with their normals: the gap is n . (sum of w_i x_i) + offset [m], negative where it presses.

    corners, weights: of particles, the weight 0 in place of obstacles' vertices, shape (count, 4); normals: shape
    (3, count); offsets: what obstacles have in the gap, less the distance that is kept [m]; carried: ways of the
    obstacles' points in the substep, with their weights, shape (3, count) [m]; friction: coefficients;
    depths: from which on they stiffen [m]; firmness: by which they are stiffer.
    """

    corners: np.ndarray
    weights: np.ndarray
    normals: np.ndarray
    offsets: np.ndarray
    carried: np.ndarray
    friction: np.ndarray
    depths: np.ndarray
    firmness: np.ndarray


class ContactSet:
    """Contacts as a part of an incremental potential, about the position that they were linearised at.

    The normal potential is of the gap, see `normal_potential`. Friction is Coulomb's by a Huber potential of the way u
    along the surface in the formula's time, about the friction of the substep before, see `friction_potential`; what it
    may be at most is the coefficient times the normal force at the end of that substep.

    rows: Rows; stiffness: k of each [N/m]; start: positions that the step's formula counts velocities from, shape
    (3, n) [m]; loads: normal forces that friction goes by, shape (count,) [N]; sticking: friction before, shape
    (3, count) [N]; share: of the substep that the formula's time is.
    """

    def __init__(self, rows, stiffness, start, loads, sticking, share):
        self.share = share
        self.rows, self.stiffness, self._loads, self._sticking = rows, stiffness, loads, sticking
        self._firm, self._count = STICKING * stiffness, start.shape[1]
        self._vertices = Indices(rows.corners, self._count)
        self._u = np.empty(rows.normals.shape)
        self._begun = self.differences(start).copy()
        self._transposed = _transposed(rows, self._count)
        self._active = self._stick = np.zeros(len(rows.offsets))
        self._slope = np.zeros(rows.normals.shape)

    def __len__(self):
        return len(self.rows.offsets)

    def turned(self):
        """The same with normals the other way round: what pushes there pulls here."""
        turned = copy(self)
        turned.rows = self.rows._replace(normals=-self.rows.normals)
        return turned

    def differences(self, x):
        """Sum of w_i x_i of every contact, shape (3, count), in a buffer."""
        point_differences(x, self._vertices, self.rows.weights, self._u)
        return self._u

    def gaps(self, x):
        """Gaps at x [m]."""
        return np.einsum("ij,ij->j", self.rows.normals, self.differences(x)) + self.rows.offsets

    def value(self, x):
        """Energy at x [J]."""
        u = self.differences(x)
        gaps = np.einsum("ij,ij->j", self.rows.normals, u) + self.rows.offsets
        energy = push(gaps, self.stiffness, self.rows.depths)[1].sum()
        return float(energy + friction(self._slid(u), self._sticking, self._firm, self._limits)[1].sum())

    def forces(self, x):
        """Normal forces [N], shape (count,), and friction [N], shape (3, count), at x."""
        u = self.differences(x)
        gaps = np.einsum("ij,ij->j", self.rows.normals, u) + self.rows.offsets
        return push(gaps, self.stiffness, self.rows.depths)[0], friction(
            self._slid(u), self._sticking, self._firm, self._limits
        )[0]

    def add_gradient(self, x, out):
        """Add the gradient at x [N] to `out`, shape (3, n), and have `add_product` linearise about x."""
        u = self.differences(x)
        gaps = np.einsum("ij,ij->j", self.rows.normals, u) + self.rows.offsets
        normal, _, self._active = push(gaps, self.stiffness, self.rows.depths)
        along, _, self._stick, self._slope = friction(self._slid(u), self._sticking, self._firm, self._limits)
        self.scatter(-(normal * self.rows.normals + along), out)

    def add_product(self, p, out):
        """Add H p to `out` [N], H of the contacts where the gradient was asked for last."""
        u, n, t = self.differences(p), self.rows.normals, self._slope
        along = np.einsum("ij,ij->j", n, u)
        pulls = self._active * along * n
        pulls += self._stick * (u - along * n - np.einsum("ij,ij->j", t, u) * t)
        self.scatter(pulls, out)

    def add_blocks(self, blocks):
        """Add what H has at each particle itself: xx, yy, zz, xy, yz and zx, shape (6, n) [N/m]."""
        n, t, entries = self.rows.normals, self._slope, np.empty((6, len(self)))
        across = self._active - self._stick
        for row, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))):
            entries[row] = across * n[i] * n[j] - self._stick * t[i] * t[j]
        entries[:3] += self._stick
        starts, rows, weights = self._transposed
        add_at_points(starts, rows, weights**2, entries, blocks)

    def scatter(self, pulls, out):
        """Add to each particle its share of what contacts pull with, shape (3, count) [N]."""
        starts, rows, weights = self._transposed
        add_at_points(starts, rows, weights, np.ascontiguousarray(pulls), out)

    def fields(self, x):
        """Normal forces and friction at x on every particle, each of shape (3, n) [N]."""
        normal, along = self.forces(x)
        found = np.zeros((2, 3, self._count))
        self.scatter(normal * self.rows.normals, found[0])
        self.scatter(along, found[1])
        return found

    @property
    def _limits(self):
        return self.rows.friction * self._loads

    def _slid(self, u):
        """Velocities along the surface, times the formula's time [m]: where there is none it sticks, as BDF2 has it."""
        slid = u - self._begun + self.share * self.rows.carried
        n = self.rows.normals
        return slid - np.einsum("ij,ij->j", n, slid) * n


def remembered(rows, stiffness, gaps, fields):
    """Normal forces and friction that contacts had before, of what their particles had: `loads` and `sticking`.

    fields: of normal forces and of friction at the particles, each of shape (3, n) [N]. Each contact has of them the
    share that its normal force now has of all at the particle.
    """
    normal, _, _ = push(gaps, stiffness, rows.depths)
    weights = np.abs(rows.weights)
    shares = weights * normal[:, None]
    total = np.bincount(rows.corners.ravel(), shares.ravel(), fields.shape[2])
    shares /= np.maximum(total[rows.corners], _LEAST)
    # Both sides of what is between particles tell as much: each counts by half.
    signs = np.sign(rows.weights)
    sides = (signs > 0.0).any(axis=1).astype(float) + (signs < 0.0).any(axis=1)
    shares *= signs / np.maximum(sides, 1.0)[:, None]
    found = np.einsum("mk,famk->fam", shares, fields[:, :, rows.corners])
    n = rows.normals
    loads = np.maximum(np.einsum("am,am->m", n, found[0]), 0.0)
    return loads, found[1] - np.einsum("am,am->m", n, found[1]) * n


def _transposed(rows, count):
    """Rows of every particle: their starts, the contacts and the weights there."""
    from scipy import sparse

    starts = np.arange(0, rows.corners.size + 1, 4)
    columns = rows.corners.shape[0]
    matrix = sparse.csr_matrix((rows.weights.ravel(), rows.corners.ravel(), starts), (columns, count)).tocsc()
    return Indices(matrix.indptr, matrix.nnz + 1), Indices(matrix.indices, columns), np.array(matrix.data)
