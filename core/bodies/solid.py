# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids."""

from typing import Any, NamedTuple

import numpy as np

from ..network import SpringNetwork
from ..quantities import check_indices, edge_array, frozen, pin_weight_array, point_array, quantity
from ..solids import Filling, lumps
from ..stencils import Stencils, Volumes
from ..surface import Surface
from ..topology import Polygons
from .body import Body
from .cloth import Cloth

# Particles of the skin that what rides between them follows.
_FOLLOWED = 3
# Poisson's ratio of springs alone (Cauchy's).
_SPRINGS = 0.25
# What presses flat cells open, over Young's modulus.
_FIRM = float(__import__("os").environ.get("FIRM","4"))


class Solid(Body):
    """A lattice of springs of its own spacing in every closed part of a mesh, and the surface riding on it.

    Particles are first those that surroundings touch, which are vertices of the mesh and some between those that are
    far apart, and then the nodes of the lattice. What is touched is held where it rides by stencils; of a mesh that is
    much finer than the lattice only some vertices are particles, and the others ride. What encloses nothing is cloth.

    network: SpringNetwork; outside: Cloth of the particles that surroundings touch, the first of all;
    fillings: Filling of every closed part.
    """

    label = "Solid"
    description = "A lattice of springs fills closed surfaces, which ride on it: jelly, rubber, sponge"

    def __init__(self, mesh, fillings, network):
        super().__init__(network, len(mesh.points))
        self.fillings = fillings
        self.pinned_vertices = np.flatnonzero(mesh.pins)
        self._outer = _Outer(mesh, fillings)
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
        self._nearest = np.empty(0, dtype=np.intp)
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
        cells=1500,
        pins=None,
        pin_stiffness=1e3,
        **quantities,
    ):
        """The solid within a mesh.

        modulus: Young's modulus [Pa]; poisson: Poisson's ratio, from 0.25, of springs alone, to 0.49; density [kg/m^3];
        damping_ratio: of every spring of the lattice with the masses at its ends, 1 is critical; cells: of a lattice
        at most, about.
        pins: weights or indices of the mesh's vertices, as in SpringNetwork.
        quantities: of what encloses nothing, see `SpringNetwork.from_mesh`.

        Raises ValueError as `SpringNetwork.from_mesh` does. Needs SciPy.
        """
        modulus = quantity("Young's modulus", modulus, "solid", 1, "Pa", above=0.0)[0]
        poisson = quantity("Poisson's ratio", poisson, "solid", 1, most=0.49)[0]
        density = quantity("density", density, "solid", 1, "kg/m^3", above=0.0)[0]
        ratio = quantity("damping ratio", damping_ratio, "solid", 1)[0]
        most = quantity("number of cells", cells, "solid", 1, above=0.0)[0]
        mesh = _Mesh(points, edges, faces, pins)
        fillings = mesh.fillings(most)
        cloth = mesh.cloth(pin_stiffness, quantities)
        if not fillings:
            return cls(mesh, fillings, cloth)
        return cls(mesh, fillings, _network(mesh, fillings, cloth, _Matter(modulus, poisson, density, ratio)))

    def embed(self, x):
        """Vertices that are particles, and the others where they ride."""
        vertices = self._outer.vertices
        if len(vertices) == self.vertex_count:
            return x[: self.vertex_count]
        out = np.empty((self.vertex_count, 3))
        out[vertices] = x[: len(vertices)]
        out[self._riders] = self._riding @ x
        return out

    def of_particles(self, values):
        """Values of the particles that surroundings touch by those of the mesh's vertices, with one row each."""
        return self._outer.spread(values)

    def particle_targets(self, vertices):
        """The skin's by the vertices that they are or lie between, and the lattice's by the nearest of these."""
        outer, points = self.of_particles(vertices), self.network.points
        moved = outer - points[: len(outer)]
        return np.concatenate([outer, points[len(outer) :] + moved[self._nearest]])

    def _ride(self):
        """Find which particles the vertices that are none follow, and which of the skin the nodes do."""
        from scipy import sparse
        from scipy.spatial import cKDTree

        rows: list[Any] = []
        nearest = []
        count, points = self.network.vertex_count, self.network.points
        for filling, skin, node in zip(self.fillings, self._outer.skins, self._outer.nodes, strict=True):
            tree = cKDTree(points[skin])
            nearest.append(skin[tree.query(points[node : node + len(filling.nodes)])[1]])
            if not len(filling.riders):
                continue
            on_lattice = _matrix(filling.riding, node, count)
            # How far the skin is from where it would ride, what rides between its particles is as well.
            away = sparse.csr_matrix((np.ones(len(skin)), (np.arange(len(skin)), skin)), (len(skin), count))
            away = away - _matrix(filling.carried, node, count)
            few = min(_FOLLOWED, len(skin))
            apart, near = tree.query(self._outer.points[filling.riders], [*range(1, few + 1)])
            shares = 1.0 / np.maximum(apart, 1e-6 * filling.cells.size)
            shares /= shares.sum(axis=1, keepdims=True)
            places = np.repeat(np.arange(len(near)), few), near.ravel()
            following = sparse.csr_matrix((shares.ravel(), places), (len(near), len(skin)))
            rows.append(on_lattice + following @ away)
        self._nearest = np.concatenate(nearest) if nearest else self._nearest
        if rows:
            self._riding = sparse.vstack(rows, format="csr")


class _Mesh:
    """A mesh, its pins, and what of it encloses something."""

    def __init__(self, points, edges, faces, pins):
        self.points, self.polygons = point_array(points), Polygons.from_faces(faces)
        check_indices("face corner", self.polygons.corners, len(self.points))
        self.edges = self.polygons.edges() if edges is None else edge_array(edges, len(self.points))
        self.pins = pin_weight_array(pins, len(self.points))
        self.solid = np.zeros(len(self.polygons.sizes), dtype=bool)

    def fillings(self, most):
        """A Filling of each lump that encloses something; their faces are `solid` from then on."""
        triangles = self.polygons.triangles()
        face = np.repeat(np.arange(len(self.polygons.sizes)), np.maximum(self.polygons.sizes - 2, 0))
        lump, outward = lumps(self.points, triangles)
        apart = np.unique(self.pins, return_inverse=True)[1].ravel()
        kept = np.zeros(len(self.points), dtype=bool)
        kept[Surface(self.edges, self.polygons).strands] = True
        found = []
        for number in range(lump.max(initial=-1) + 1):
            own = lump == number
            filling = Filling.of(self.points, triangles[own], outward[own], apart, kept, most)
            if filling is not None:
                self.solid[face[own]] = True
                found.append(filling)
        return found

    def cloth(self, pin_stiffness, quantities):
        """SpringNetwork of all vertices with the springs of what encloses nothing."""
        polygons = self._chosen(~self.solid)
        strands = Surface(self.edges, self.polygons).strands
        edges = np.concatenate([strands, polygons.edges()]) if self.solid.any() else self.edges
        return SpringNetwork.from_mesh(
            self.points, edges, polygons, pins=self.pins, pin_stiffness=pin_stiffness, **quantities
        )

    def of_cloth(self):
        """Mask of the vertices that belong to what encloses nothing."""
        used = np.ones(len(self.points), dtype=bool)
        used[self._chosen(self.solid).corners] = False
        used[self._chosen(~self.solid).corners] = True
        used[Surface(self.edges, self.polygons).strands] = True
        return used

    def _chosen(self, faces):
        return Polygons(
            self.polygons.corners[np.repeat(faces, self.polygons.sizes)], self.polygons.sizes[faces]
        )


class _Outer:
    """Numbers of the particles that surroundings touch, and of the nodes that follow them.

    vertices: of the mesh that are particles, ascending; skins: of each filling the particles of its skin; nodes: the
    first node of each; count: of what surroundings touch; points: of the mesh.
    """

    def __init__(self, mesh, fillings):
        self.points, used = mesh.points, mesh.of_cloth()
        for filling in fillings:
            used[filling.skin.vertices] = True
        self.vertices = np.flatnonzero(used)
        numbers = np.full(len(used), -1)
        numbers[self.vertices] = np.arange(len(self.vertices))
        self._fillings, self.numbers, self.count, self.skins = fillings, numbers, len(self.vertices), []
        for filling in fillings:
            more = sum(map(len, filling.skin.halves))
            between = self.count + np.arange(more)
            self.skins.append(np.concatenate([numbers[filling.skin.vertices], between]))
            self.count += more
        sizes = [len(filling.nodes) for filling in fillings]
        self.nodes = self.count + np.cumsum([0, *sizes])[:-1] if sizes else np.empty(0, np.intp)

    def spread(self, values, least=False):
        """Values of the particles by those of the mesh's vertices; see `Skin.spread`."""
        values = np.asarray(values)
        between = [of.skin.spread(values, least)[len(of.skin.vertices) :] for of in self._fillings]
        return np.concatenate([values[self.vertices], *between])


class _Matter(NamedTuple):
    """What a solid is made of, see `Solid.from_mesh`."""

    modulus: float
    poisson: float
    density: float
    damping_ratio: float

    @property
    def springs(self):
        """Modulus of the springs alone [Pa], which have Lame's mu twice, and none for lambda."""
        return 1.25 * self.modulus / (1.0 + max(self.poisson, _SPRINGS))

    @property
    def bulk(self):
        """What Lame's lambda is above mu [Pa]."""
        shear = 0.4 * self.springs
        return shear * (2.0 * self.poisson / (1.0 - 2.0 * self.poisson) - 1.0) if self.poisson > _SPRINGS else 0.0


def _network(mesh, fillings, cloth, matter):
    """SpringNetwork of the skin and the lattices, and of cloth."""
    outer = _Outer(mesh, fillings)
    points = [outer.spread(mesh.points)]
    masses = np.zeros(outer.count)
    masses[: len(outer.vertices)] = np.where(mesh.of_cloth(), cloth.masses, 0.0)[outer.vertices]
    lattice, springs, stencils, volumes = [], [], [cloth.stencils.renumbered(outer.numbers)], []
    for filling, skin, node in zip(fillings, outer.skins, outer.nodes, strict=True):
        own, of_nodes = filling.masses(points[0][skin], matter.density)
        masses[skin] += own
        pairs, k = filling.springs(matter.springs)
        points.append(filling.node_points())
        lattice.append(of_nodes)
        springs.append((node + pairs, k))
        volumes.append(filling.volumes(matter.bulk, _FIRM * matter.modulus).renumbered(node + np.arange(len(of_nodes))))
        stencils.append(
            Stencils(
                np.column_stack([skin, node + filling.carried.nodes]),
                np.column_stack([np.ones(len(skin)), -filling.carried.weights]),
                filling.held(points[0][skin], matter.modulus),
            )
        )
    points, masses = np.concatenate(points), np.concatenate([masses, *lattice])
    pairs, k = (np.concatenate(of) for of in zip(*springs, strict=True))
    one, other = masses[pairs].T
    pins = np.concatenate([outer.spread(mesh.pins, least=True), np.zeros(len(points) - outer.count)])
    triangles = np.concatenate([skin[of.skin.triangles] for of, skin in zip(fillings, outer.skins, strict=True)])
    return SpringNetwork(
        points,
        np.concatenate([outer.numbers[cloth.edges], pairs]),
        masses=masses,
        stiffness=np.concatenate([cloth.stiffness, k]),
        rest_lengths=np.concatenate([cloth.rest_lengths, np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)]),
        damping=np.concatenate([cloth.damping, 2.0 * matter.damping_ratio * np.sqrt(k * one * other / (one + other))]),
        pins=pins,
        pin_stiffness=cloth.pin_stiffness,
        surface=_surface(mesh, outer, triangles),
        stencils=Stencils.joined(stencils),
        volumes=Volumes.joined(volumes),
    )


def _surface(mesh, outer, triangles):
    """The skin, and what encloses nothing."""
    sheet = mesh._chosen(~mesh.solid)
    corners = np.concatenate([outer.numbers[sheet.corners], triangles.ravel()])
    polygons = Polygons(corners, np.concatenate([sheet.sizes, np.full(len(triangles), 3)]))
    strands = outer.numbers[Surface(mesh.edges, mesh.polygons).strands]
    return Surface(np.concatenate([strands, polygons.edges()]), polygons)


def _matrix(riding, node, count):
    """Weights of a Riding whose first node is a particle's number, SciPy CSR with a column for every particle."""
    from scipy import sparse

    rows = np.repeat(np.arange(len(riding.nodes)), riding.nodes.shape[1])
    places = rows, node + riding.nodes.ravel()
    return sparse.csr_matrix((riding.weights.ravel(), places), (len(riding.nodes), count))
