# SPDX-License-Identifier: GPL-3.0-or-later
"""One lump of a mesh filled: its lattice, its skin, and what rides."""

from typing import NamedTuple

import numpy as np

from ..stencils import Volumes
from .cells import Cells
from .lattice_springs import lattice_masses, lattice_springs
from .riding import Riding
from .skin import Skin, skin_of

# Stiffness of what holds the skin on the lattice, over that of a layer of the solid as thick as a cell: so many times
# as little gives way beside the layer.
_HELD = 10.0
# Thickness in cells of what the skin's particles weigh, and share of what the nodes about them weigh at most.
_THICK, _MOST = 0.125, 0.5


class Filling(NamedTuple):
    """The lattice that carries a lump of a mesh.

    cells; skin; nodes: of the lattice, by their numbers in its grid, shape (node_count,); carried: where the skin's
    particles ride, by their place among `nodes`; riders: vertices of the mesh that are no particles; riding: where
    they ride, as well.
    """

    cells: Cells
    skin: Skin
    nodes: np.ndarray
    carried: Riding
    riders: np.ndarray
    riding: Riding

    @classmethod
    def of(cls, points, triangles, outward, apart, kept, cells):
        """The filling of triangles by their Cells; others as for `cells_within` and `skin_of`."""
        skin = skin_of(points, triangles, cells.size, apart, kept)
        inward = _inward(points, triangles, outward)
        at, into = skin.spread(points), _units(skin.spread(inward))
        cells = cells.holding(at, into)
        filled = cells.filled
        shape = np.add(cells.share.shape, 1)
        nodes = np.unique(
            [np.ravel_multi_index(tuple((filled + offset).T), shape) for offset in np.ndindex(2, 2, 2)]
        )
        riders = np.setdiff1d(np.unique(triangles), skin.vertices)
        places = np.full(shape.prod(), -1)
        places[nodes] = np.arange(len(nodes))
        carried, riding = (
            Riding.of(cells, *of).renumbered(places) for of in ((at, into), (points[riders], inward[riders]))
        )
        return cls(cells, skin, nodes, carried, riders, riding)

    def node_points(self):
        """Positions of the lattice's nodes [m], shape (node_count, 3)."""
        shape = np.add(self.cells.share.shape, 1)
        return self.cells.points(np.column_stack(np.unravel_index(self.nodes, shape)).astype(np.float64))

    def springs(self, modulus):
        """Pairs of `nodes` by their places, shape (count, 2), and stiffness [N/m]."""
        pairs, k = lattice_springs(self.cells, modulus)
        return np.searchsorted(self.nodes, pairs), k

    def volumes(self, bulk, firm):
        """Volume energies of the cells, see `Volumes`, between `nodes` by their places."""
        filled = self.cells.filled
        corners = filled[:, None] + np.array(list(np.ndindex(2, 2, 2)))
        numbers = np.ravel_multi_index(
            tuple(np.moveaxis(corners, 2, 0)), tuple(np.add(self.cells.share.shape, 1))
        )
        box = np.full(len(filled), self.cells.spacing.prod())
        inside = box * self.cells.share[tuple(filled.T)]
        return Volumes(
            np.searchsorted(self.nodes, numbers),
            box,
            inside,
            np.full(len(box), bulk),
            np.full(len(box), firm),
        )

    def masses(self, x, density):
        """Masses of the skin's particles, at x [m], and of the nodes [kg]."""
        of_nodes = lattice_masses(self.cells, density)[self.nodes]
        wanted = density * _THICK * self.cells.size * self._areas(x)
        nodes, weights = self.carried.nodes, np.maximum(self.carried.weights, 0.0)
        taken = np.bincount(nodes.ravel(), (weights * wanted[:, None]).ravel(), len(of_nodes))
        share = np.minimum(_MOST * of_nodes / np.maximum(taken, 1e-300), 1.0)
        wanted = wanted * np.where(weights > 1e-3, share[nodes], 1.0).min(axis=1, initial=1.0)
        # The skin's mass is taken from the nodes under it: neither the total nor the centre changes.
        taken = np.bincount(nodes.ravel(), (self.carried.weights * wanted[:, None]).ravel(), len(of_nodes))
        return wanted, of_nodes - taken

    def held(self, x, modulus):
        """Stiffness of what holds the skin's particles, at x [m], where they ride [N/m]."""
        return _HELD * modulus * self._areas(x) / self.cells.size

    def _areas(self, x):
        """Share of every particle in the skin's area [m^2]."""
        a, b, c = (x[corner] for corner in self.skin.triangles.T)
        thirds = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 6.0
        areas = np.bincount(self.skin.triangles.ravel(), np.repeat(thirds, 3), len(x))
        return np.maximum(areas, 1e-3 * areas.mean())


def _inward(points, triangles, outward):
    """Unit vectors into the solid at the mesh's vertices, zero at others."""
    a, b, c = (points[corner] for corner in triangles.T)
    normals = -outward[:, None] * np.cross(b - a, c - a)
    corners = triangles.ravel()
    return _units(np.column_stack([np.bincount(corners, np.repeat(of, 3), len(points)) for of in normals.T]))


def _units(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1), 1e-300)[:, None]
