# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids."""

from typing import Any

import numpy as np

from ..jiggle import Jiggle
from ..network import SpringNetwork
from ..plasticity import Plasticity, yielding
from ..quantities import check_kind, quantity
from .body import Body
from .cloth import Cloth
from .solid_network import Matter, Outer, SolidMesh, solid_network

# Particles of the skin that what rides between them follows.
_FOLLOWED = 3
# Particles of the skin that a node's place is told by, which reach around it: bodies are five cells across.
_TOLD_BY = 64
# What blunts their weights, in parts of the farthest one's distance; how flat they may lie, in parts of how wide.
_BLUNT, _FLAT = 0.1, 1e-3


class Solid(Body):
    """A lattice of springs of its own spacing in every closed part of a mesh, and the surface riding on it.

    The first particles are those that surroundings touch: vertices of the mesh, and points between vertices that are
    far apart. The nodes of the lattice follow. Stencils hold the touched particles at their places in the lattice. On
    a mesh much finer than the lattice only some vertices are particles, and the others ride. An open piece is cloth.

    network: SpringNetwork; outside: Cloth of the particles that surroundings touch, the first of all;
    fillings: Filling of every closed part.
    """

    label = "Solid"
    description = "A lattice of springs fills closed surfaces, which ride on it: jelly, rubber, sponge"

    def __init__(self, mesh, fillings, network):
        super().__init__(network, len(mesh.points))
        self.fillings = fillings
        of_goals = self.network.goal_stiffness.any()
        self.pinned_vertices = np.arange(len(mesh.points)) if of_goals else np.flatnonzero(mesh.pins)
        self._outer = Outer(mesh, fillings)
        count = self._outer.count
        if fillings:
            self.outside = Cloth(
                SpringNetwork(
                    network.points[:count],
                    network.surface.edges,
                    masses=network.masses[:count],
                    pins=network.pins[:count],
                    surface=network.surface,
                )
            )
        self._riders = np.concatenate([of.riders for of in fillings]) if fillings else np.empty(0, np.intp)
        self._riding: Any = None
        self._away: Any = None
        self._told: Any = None
        self._ride()

    @classmethod
    def from_mesh(
        cls: Any,
        points,
        edges=None,
        faces=None,
        *,
        modulus=1e5,
        poisson=0.25,
        density=1000.0,
        damping_ratio=0.0,
        loss_factor=0.0,
        cells=1500,
        pins=None,
        pin_stiffness=1e3,
        plasticity=None,
        jiggle=None,
        **quantities,
    ):
        """The solid within a mesh.

        modulus: Young's modulus [Pa]; poisson: Poisson's ratio, from 0.25, of springs alone, to 0.49; density [kg/m^3];
        damping_ratio: of every spring of the lattice with the masses at its ends, 1 is critical; cells: of a lattice
        at most, about.
        loss_factor: share of its energy that the slowest vibration loses per radian, see `loss_damping`.
        pins: weights or indices of the mesh's vertices, as in SpringNetwork.
        plasticity: Plasticity; its stretch acts on the lattice; None for none.
        jiggle: Jiggle, of all particles, those inside as well; None for none.
        quantities: of open pieces, see `SpringNetwork.from_mesh`.

        Raises ValueError as `SpringNetwork.from_mesh` does. Needs SciPy.
        """
        modulus = quantity("Young's modulus", modulus, "solid", 1, "Pa", above=0.0)[0]
        poisson = quantity("Poisson's ratio", poisson, "solid", 1, most=0.49)[0]
        density = quantity("density", density, "solid", 1, "kg/m^3", above=0.0)[0]
        ratio = quantity("damping ratio", damping_ratio, "solid", 1)[0]
        loss = quantity("loss factor", loss_factor, "solid", 1)[0]
        most = quantity("number of cells", cells, "solid", 1, above=0.0)[0]
        check_kind("plasticity", plasticity, Plasticity)
        check_kind("jiggle", jiggle, Jiggle)
        mesh = SolidMesh(points, edges, faces, pins)
        fillings = mesh.fillings(most)
        cloth = mesh.cloth(pin_stiffness, quantities)
        network = cloth
        if fillings:
            network = solid_network(mesh, fillings, cloth, Matter(modulus, poisson, density, ratio, loss))
        if plasticity is not None:
            network = yielding(network, plasticity, 0)
        if jiggle is not None:
            network = network.changed(**jiggle.goals(network.masses))
        return cls(mesh, fillings, network)

    def embed(self, x):
        """Vertices that are particles, and the others where they ride."""
        vertices = self._outer.vertices
        if len(vertices) == self.vertex_count:
            return x[: self.vertex_count]
        out = np.empty((self.vertex_count, 3))
        out[vertices] = x[: len(vertices)]
        # How far the skin is from where it would ride, what rides between its particles is as well.
        out[self._riders] = self._riding @ np.concatenate([x, self._away @ x])
        return out

    def of_particles(self, values):
        """Values of the particles that surroundings touch by those of the mesh's vertices, with one row each."""
        return self._outer.spread(values)

    def particle_targets(self, vertices):
        """The skin's by the vertices that they are or lie between, and the lattice's by the skin about them."""
        outer, points = self.of_particles(vertices), self.network.points
        if self._told is None:
            return outer
        moved = outer - points[: len(outer)]
        return np.concatenate([outer, points[len(outer) :] + self._told @ moved])

    def _ride(self):
        """Find the particles that other vertices ride on, and the skin vertices that place the nodes."""
        from scipy import sparse
        from scipy.spatial import cKDTree

        rows: list[Any] = []
        told: list[Any] = []
        count, outer, points = self.network.vertex_count, self._outer.count, self.network.points
        away = sparse.csr_matrix((outer, count))
        for filling, skin, node in zip(self.fillings, self._outer.skins, self._outer.nodes, strict=True):
            tree = cKDTree(points[skin])
            told.append(_telling(points, skin, tree, points[node : node + len(filling.nodes)], outer))
            if not len(filling.riders):
                continue
            places = skin, np.arange(len(skin))
            of_skin = sparse.csr_matrix((np.ones(len(skin)), places), (outer, len(skin)))
            own = sparse.csr_matrix((np.ones(len(skin)), places[::-1]), (len(skin), count))
            away = away + of_skin @ (own - _matrix(filling.carried, node, count))
            few = min(_FOLLOWED, len(skin))
            apart, near = tree.query(self._outer.points[filling.riders], [*range(1, few + 1)])
            shares = 1.0 / np.maximum(apart, 1e-6 * filling.cells.size)
            shares /= shares.sum(axis=1, keepdims=True)
            places = np.repeat(np.arange(len(near)), few), skin[near.ravel()]
            following = sparse.csr_matrix((shares.ravel(), places), (len(near), outer))
            rows.append(sparse.hstack([_matrix(filling.riding, node, count), following]))
        self._told = sparse.vstack(told, format="csr") if told else None
        if rows:
            self._riding, self._away = sparse.vstack(rows, format="csr"), away


def _matrix(riding, node, count):
    """Weights of a Riding on particles, SciPy CSR; the first node is the particle of a number."""
    from scipy import sparse

    rows = np.repeat(np.arange(len(riding.nodes)), riding.nodes.shape[1])
    places = rows, node + riding.nodes.ravel()
    return sparse.csr_matrix((riding.weights.ravel(), places), (len(riding.nodes), count))


def _telling(points, skin, tree, nodes, count):
    """Weights of particles of a skin that place the nodes [m], SciPy CSR with so many columns.

    Moving least squares of first order: nodes follow every affine motion of the skin around them, and so turn with it.
    Across a flat skin they follow the mean. tree: of the skin's points.

    Levin 1998, "The approximation power of moving least-squares".
    """
    from scipy import sparse

    few = min(_TOLD_BY, len(skin))
    apart, near = tree.query(nodes, [*range(1, few + 1)])
    near = skin[near]
    away, reach = points[near] - nodes[:, None], np.maximum(apart[:, -1:, None], np.finfo(float).tiny)
    basis = np.concatenate([np.ones_like(away[..., :1]), away / reach], axis=2)
    shares = 1.0 / ((apart / reach[..., 0]) ** 2 + _BLUNT**2)
    moments = np.einsum("nk,nki,nkj->nij", shares, basis, basis)
    inverse = np.linalg.pinv(moments, rcond=_FLAT, hermitian=True)[:, 0]
    weights = shares * np.einsum("nki,ni->nk", basis, inverse)
    weights /= weights.sum(axis=1, keepdims=True)
    places = np.repeat(np.arange(len(nodes)), few), near.ravel()
    return sparse.csr_matrix((weights.ravel(), places), (len(nodes), count))
