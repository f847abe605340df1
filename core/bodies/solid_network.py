# SPDX-License-Identifier: GPL-3.0-or-later
"""The springs, masses and volumes of solids in a mesh, and which particles are what."""

from typing import NamedTuple

import numpy as np

from ..network import SpringNetwork
from ..polygons import triangulated
from ..quantities import check_indices, edge_array, pin_weight_array, point_array
from ..solids import Filling, cells_within, lumps
from ..stencils import Stencils, Volumes
from ..surface import Surface
from ..topology import Polygons
from .loss_factor import loss_damping

# Share of the vertices of what encloses nothing that must lie in a solid's cells to belong to it.
_TAKEN_UP = 0.9
# Poisson's ratio of springs alone (Cauchy's).
_SPRINGS = 0.25
# Stiffness that presses flat cells open, over Young's modulus.
_FIRM = 4.0


class SolidMesh:
    """A mesh, its pins, the edges that border no face, and which faces are closed."""

    def __init__(self, points, edges, faces, pins):
        self.points, self.polygons = point_array(points), Polygons.from_faces(faces)
        check_indices("face corner", self.polygons.corners, len(self.points))
        self.edges = self.polygons.edges() if edges is None else edge_array(edges, len(self.points))
        self.pins = pin_weight_array(pins, len(self.points))
        self.strands = Surface(self.edges, self.polygons).strands
        self.solid = np.zeros(len(self.polygons.sizes), dtype=bool)

    def fillings(self, most):
        """A Filling of each closed lump; its faces are `solid` from then on."""
        triangles = triangulated(self.points, self.polygons)
        face = np.repeat(np.arange(len(self.polygons.sizes)), np.maximum(self.polygons.sizes - 2, 0))
        lump, outward = lumps(self.points, triangles)
        apart = np.unique(self.pins, return_inverse=True)[1].ravel()
        kept = np.zeros(len(self.points), dtype=bool)
        kept[self.strands] = True
        found = []
        for own, cells in self._lumps(triangles, lump, outward, most):
            self.solid[face[own]] = True
            found.append(Filling.of(self.points, triangles[own], outward[own], apart, kept, cells))
        return found

    def _lumps(self, triangles, lump, outward, most):
        """Masks of the triangles of every closed lump, and its Cells.

        An open piece in the cells of a lump, such as an eye, belongs to that lump.
        """
        masks = [lump == number for number in range(lump.max(initial=-1) + 1)]
        cells = [cells_within(self.points, triangles[own], outward[own], most) for own in masks]
        solid = [(own, of) for own, of in zip(masks, cells, strict=True) if of is not None]
        taken = [np.zeros(len(lump), dtype=bool) for _ in solid]
        for own in (own for own, of in zip(masks, cells, strict=True) if of is None):
            x = self.points[np.unique(triangles[own])]
            into = [number for number, (_, of) in enumerate(solid) if of.hold(x).mean() > _TAKEN_UP]
            if into:
                taken[into[0]] |= own
        for number, more in enumerate(taken):
            if more.any():
                own = solid[number][0] | more
                solid[number] = own, cells_within(self.points, triangles[own], outward[own], most)
        return solid

    def cloth(self, pin_stiffness, quantities):
        """SpringNetwork of all vertices with the springs of open pieces."""
        polygons = self.chosen(~self.solid)
        edges = np.concatenate([self.strands, polygons.edges()]) if self.solid.any() else self.edges
        return SpringNetwork.from_mesh(
            self.points, edges, polygons, pins=self.pins, pin_stiffness=pin_stiffness, **quantities
        )

    def of_cloth(self):
        """Mask of the vertices of open pieces."""
        used = np.ones(len(self.points), dtype=bool)
        used[self.chosen(self.solid).corners] = False
        used[self.chosen(~self.solid).corners] = True
        used[self.strands] = True
        return used

    def chosen(self, faces):
        """Polygons of some faces, by a mask."""
        return Polygons(
            self.polygons.corners[np.repeat(faces, self.polygons.sizes)], self.polygons.sizes[faces]
        )


class Outer:
    """Numbers of the particles that surroundings touch, and of the nodes that follow them.

    vertices: of the mesh that are particles, ascending; skins: the particles of each filling's skin; nodes: the
    first node of each; count: of touched particles; points: of the mesh.
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


class Matter(NamedTuple):
    """The matter of a solid, see `Solid.from_mesh`."""

    modulus: float
    poisson: float
    density: float
    damping_ratio: float
    loss_factor: float

    @property
    def springs(self):
        """Modulus of the springs alone [Pa], which have Lame's mu twice, and none for lambda."""
        return 1.25 * self.modulus / (1.0 + max(self.poisson, _SPRINGS))

    @property
    def bulk(self):
        """Lame's lambda less mu [Pa]."""
        shear = 0.4 * self.springs
        return (
            shear * (2.0 * self.poisson / (1.0 - 2.0 * self.poisson) - 1.0)
            if self.poisson > _SPRINGS
            else 0.0
        )


def solid_network(mesh, fillings, cloth, matter):
    """SpringNetwork of the skin and the lattices, and of cloth."""
    outer = Outer(mesh, fillings)
    x = outer.spread(mesh.points)
    lattice = _lattice(fillings, outer, x, matter)
    masses = np.zeros(outer.count)
    masses[: len(outer.vertices)] = np.where(mesh.of_cloth(), cloth.masses, 0.0)[outer.vertices]
    masses = np.concatenate([masses + lattice.skin, lattice.masses])
    points, k = np.concatenate([x, lattice.points]), lattice.stiffness
    if not (k > 0.0).all():
        size = max(filling.cells.size for filling in fillings)
        raise ValueError(
            f"what is filled is thinner than the cells of {size:.2g} m in it, some of which have no stiffness: give it "
            "more cells, or make it a sheet by a Filling of 0"
        )
    ends, weights = points[lattice.pairs], masses[lattice.pairs]
    moved = weights.prod(axis=1) / weights.sum(axis=1)
    triangles = [skin[of.skin.triangles] for of, skin in zip(fillings, outer.skins, strict=True)]
    network = SpringNetwork(
        points,
        np.concatenate([outer.numbers[cloth.edges], lattice.pairs]),
        masses=masses,
        stiffness=np.concatenate([cloth.stiffness, k]),
        rest_lengths=np.concatenate([cloth.rest_lengths, np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)]),
        damping=np.concatenate([cloth.damping, 2.0 * matter.damping_ratio * np.sqrt(k * moved)]),
        pins=np.concatenate([outer.spread(mesh.pins, least=True), np.zeros(len(lattice.masses))]),
        pin_stiffness=cloth.pin_stiffness,
        surface=_surface(mesh, outer, np.concatenate(triangles)),
        stencils=Stencils.joined([cloth.stencils.renumbered(outer.numbers), lattice.held]),
        volumes=lattice.volumes,
    )
    return _with_losses(network, fillings, outer, matter.loss_factor) if matter.loss_factor else network


def _with_losses(network, fillings, outer, loss_factor):
    """The network with the damping of every solid by its loss factor, in addition to that of its springs."""
    damping = np.array(network.damping)
    for filling, skin, node in zip(fillings, outer.skins, outer.nodes, strict=True):
        own = np.zeros(network.vertex_count, dtype=bool)
        own[skin] = True
        own[node : node + len(filling.nodes)] = True
        damping += loss_damping(network, own, loss_factor)
    return network.changed(damping=damping)


class _Lattice(NamedTuple):
    """Nodes of all lattices, their masses and springs by the particles' numbers, and what holds the skin on them.

    skin: what the skin adds to the masses of the particles that surroundings touch.
    """

    points: np.ndarray
    masses: np.ndarray
    pairs: np.ndarray
    stiffness: np.ndarray
    volumes: Volumes
    held: Stencils
    skin: np.ndarray


def _lattice(fillings, outer, x, matter):
    """The _Lattice of fillings; x: positions of the particles that surroundings touch [m]."""
    found, held, volumes, masses = [], [], [], np.zeros(outer.count)
    for filling, skin, node in zip(fillings, outer.skins, outer.nodes, strict=True):
        own, of_nodes = filling.masses(x[skin], matter.density)
        masses[skin] += own
        pairs, k = filling.springs(matter.springs)
        found.append((filling.node_points(), of_nodes, node + pairs, k))
        numbers = node + np.arange(len(of_nodes))
        volumes.append(filling.volumes(matter.bulk, _FIRM * matter.modulus).renumbered(numbers))
        vertices = np.column_stack([skin, node + filling.carried.nodes])
        weights = np.column_stack([np.ones(len(skin)), -filling.carried.weights])
        held.append(Stencils(vertices, weights, filling.held(x[skin], matter.modulus)))
    points, of_nodes, pairs, k = (np.concatenate(of) for of in zip(*found, strict=True))
    return _Lattice(points, of_nodes, pairs, k, Volumes.joined(volumes), Stencils.joined(held), masses)


def _surface(mesh, outer, triangles):
    """The skin, and the open pieces."""
    sheet = mesh.chosen(~mesh.solid)
    corners = np.concatenate([outer.numbers[sheet.corners], triangles.ravel()])
    polygons = Polygons(corners, np.concatenate([sheet.sizes, np.full(len(triangles), 3)]))
    strands = outer.numbers[mesh.strands]
    return Surface(np.concatenate([strands, polygons.edges()]), polygons)
