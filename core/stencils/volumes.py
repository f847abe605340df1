# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells that resist a change of their volume."""

from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .element_rows import ElementRows

# Share of its volume below which a cell is pressed open again.
_FLAT = 0.5
# Sides of a box, by corners numbered as `numpy.ndindex(2, 2, 2)` has them, along each of its axes.
_SIGNS = 0.25 * (2.0 * np.array(list(np.ndindex(2, 2, 2))).T - 1.0)


@dataclass(frozen=True, eq=False)
class Volumes(ElementRows):
    """Boxes of eight vertices with the energy V (b/2 (J - 1)^2 + f/2 max(0, 1/2 - J)^2), J the share of their volume.

    J is that of the means of their sides along each axis. Springs alone make a solid of Poisson's ratio 1/4, and are at
    rest inside out as well; b is what Lame's lambda is above mu, and f presses flat cells open.

    vertices: as `numpy.ndindex(2, 2, 2)` numbers corners, shape (count, 8); box: volume of each at rest [m^3]; filled:
    of what is in it, V [m^3]; bulk: b >= 0 [Pa]; firm: f >= 0 [Pa]; shape (count,) each.
    """

    vertices: np.ndarray
    box: np.ndarray
    filled: np.ndarray
    bulk: np.ndarray
    firm: np.ndarray

    @classmethod
    def none(cls):
        """No boxes."""
        return cls(np.empty((0, 8), dtype=np.intp), *(np.empty(0) for _ in range(4)))


class VolumeOperators:
    """Energy, gradient and second derivative of Volumes in a network of so many vertices; needs SciPy.

    Positions and gradients have shape (3, vertex_count). Of the second derivative, what is positive semidefinite is
    kept: V W'' dJ dJ.
    """

    def __init__(self, volumes, vertex_count):
        self._volumes, self._vertex_count = volumes, vertex_count
        self._across, self._second = np.zeros((3, 3, 0)), np.zeros(0)

    def stepping(self, _dt):
        """The same of an implicit step, in which nothing damps them."""
        return copy(self)

    def start_from(self, x):
        """Set the positions at the start of a step, which do not count."""

    @cached_property
    def _sides(self):
        """Means of the sides along the axes, one axis' boxes after the other's, SciPy CSR."""
        from scipy import sparse

        vertices, count = self._volumes.vertices, len(self._volumes)
        rows = np.repeat(np.arange(3 * count), 8)
        places = rows, np.tile(vertices.ravel(), 3)
        values = np.concatenate([np.tile(signs, count) for signs in _SIGNS])
        return sparse.csr_matrix((values, places), shape=(3 * count, self._vertex_count))

    @cached_property
    def _sums(self):
        return self._sides.T.tocsr()

    @property
    def firsts(self):
        """A corner of every box."""
        return self._volumes.vertices[:, 0]

    def energy(self, x):
        """Energy at x [J]."""
        return float(self.energies(x).sum())

    def energies(self, x):
        """Energy of every box at x [J], shape (count,)."""
        return self._values(self._faces(x)[0])[0]

    def add_gradient(self, x, out, *, linearise=False):
        """Add the gradient at x [N] to `out`; returns the energy [J]; linearise: see `add_product`."""
        share, faces = self._faces(x)
        energy, first, second = self._values(share)
        if linearise:
            self._across, self._second = faces, second
        self._add(first * faces, out)
        return float(energy.sum())

    def add_product(self, p, out):
        """Add H p to `out`, H about where it was linearised last."""
        along = (self._sides @ p.T).reshape(3, -1, 3)
        change = self._second * np.einsum("aic,aci->c", self._across, along)
        self._add(change * self._across, out)

    def add_blocks(self, out):
        """Add to `out` what H has at each vertex itself: xx, yy, zz, xy, yz and zx, shape (6, vertex_count)."""
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
        for corner, vertices in enumerate(self._volumes.vertices.T):
            g = np.tensordot(_SIGNS[:, corner], self._across, 1)
            for row, (one, other) in zip(out, pairs, strict=True):
                row += np.bincount(vertices, self._second * g[one] * g[other], self._vertex_count)

    def hessian(self, x):
        """H about x, as SciPy BSR of three rows a vertex."""
        from scipy import sparse

        share, faces = self._faces(x)
        second = self._values(share)[2]
        g = np.einsum("ak,aic->cki", _SIGNS, faces).reshape(len(second), -1)
        vertices = self._volumes.vertices
        columns = (3 * vertices[:, :, None] + np.arange(3)).ravel()
        rows = np.repeat(np.arange(len(second)), 24)
        shape = len(second), 3 * self._vertex_count
        gradients = sparse.csr_matrix((g.ravel(), (rows, columns)), shape=shape)
        return (gradients.T @ sparse.diags(second) @ gradients).tobsr(blocksize=(3, 3))

    def bound(self):
        """A matrix the same for x, y and z that is about what H is along them at rest [N/m], SciPy CSR."""
        from scipy import sparse

        volumes = self._volumes
        weights = np.tile(volumes.filled * volumes.bulk / volumes.box ** (2.0 / 3.0), 3)
        return self._sums @ sparse.diags(weights) @ self._sides

    def _faces(self, x):
        """J, shape (count,), and its derivatives by the three sides, shape (3, 3, count)."""
        a, b, c = (self._sides @ x.T).reshape(3, -1, 3).transpose(0, 2, 1)
        faces = np.stack([_cross(b, c), _cross(c, a), _cross(a, b)]) / self._volumes.box
        return np.einsum("ic,ic->c", a, faces[0]), faces

    def _values(self, share):
        """Energy [J], and V W' and V W'' of every box."""
        volumes = self._volumes
        flat = np.maximum(_FLAT - share, 0.0)
        more = share - 1.0
        energy = 0.5 * volumes.filled * (volumes.bulk * more**2 + volumes.firm * flat**2)
        first = volumes.filled * (volumes.bulk * more - volumes.firm * flat)
        return energy, first, volumes.filled * (volumes.bulk + volumes.firm * (flat > 0.0))

    def _add(self, along, out):
        """Add sums at vertices of what acts along sides, shape (3 sides, 3, count)."""
        out += (self._sums @ along.transpose(0, 2, 1).reshape(-1, 3)).T


def _cross(u, v):
    return np.stack([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])
