# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks from meshes, flat sheets and box lattices."""

from typing import Any

import numpy as np

from .jiggle import Jiggle
from .plasticity import Plasticity, yielding
from .quantities import (
    any_number,
    check_indices,
    check_kind,
    edge_array,
    lattice_shape,
    pin_weight_array,
    point_array,
    quantity,
)
from .stencils import (
    Enclosures,
    Inside,
    Pleating,
    Pleats,
    Seams,
    Sewing,
    Stencils,
    seam_edges,
    sewn_triangles,
)
from .surface import Surface
from .tearing import Tears
from .topology import (
    Polygons,
    lattice_edges,
    lattice_faces,
    lattice_levels,
    lattice_points,
    length_normalised_stiffness,
    mesh_springs,
)

# Stiffness of the springs of a mesh where none is given: structural, shear, bending [N/m].
_KINDS = {"structural": 1e3, "shear": 1e3, "bending": 1e2}
_CLASSES = {
    "inside": Inside,
    "sewing": Sewing,
    "plasticity": Plasticity,
    "jiggle": Jiggle,
    "pleating": Pleating,
}


class MeshNetwork:
    """The constructors of SpringNetwork that find its springs themselves."""

    @classmethod
    def from_mesh(
        cls: Any,
        points,
        edges=None,
        faces=None,
        *,
        stiffness=None,
        structural=...,
        shear=...,
        bending=...,
        mass=1.0,
        length_normalised=False,
        material=None,
        inside=None,
        sewing=None,
        rest_scale=1.0,
        rest=None,
        plasticity=None,
        tears_at=None,
        tear_scatter=0.0,
        jiggle=None,
        pleating=None,
        **quantities,
    ):
        """Network of a mesh: structural springs on edges, shear and bending springs from faces.

        points [m], shape (n, 3); edges, shape (m, 2), or None for the sides of the faces.
        faces: sequence of vertex-index sequences, index array (face_count, k), or Polygons.
        stiffness: of all springs [N/m]; None takes 1e3, and 1e2 for bending.
        structural, shear, bending: of one kind instead [N/m]; 0 or None leaves the kind out. A pair of
            vertices gets one spring, of the first kind that asks for it.
        mass: of the whole mesh [kg], spread evenly over the vertices.
        length_normalised: the stiffnesses are k_s in N per unit of fractional stretch, and a spring
            has k = k_s / L, so that a denser mesh of the same sheet hangs the same.
        material: Material in place of all these and of damping: stiffness, mass and damping follow from it.
        inside: Inside, of what closed faces enclose, sewn ones too; None for nothing.
        sewing: Sewing, for edges that border no face and join borders of faces to be seams; None for none.
        rest_scale: rest lengths of springs along edges over their lengths in the mesh, above 0, scalar or shape
            (vertex_count,), of which an edge has the mean of its ends.
        rest: where the vertices are at rest [m], shape (n, 3), which lengths, curvatures, areas and volumes are of;
            None for the points, which are where it begins.
        plasticity: Plasticity, of its stretch, and of its bending by a material; None for none.
        tears_at: strain at which springs of a material break, scalar or shape (vertex_count,), see Tears; None for
            none. tear_scatter: standard deviation over the mean of what springs bear.
        pleating: Pleating, of edges that keep an angle, over which a material bends by that alone; None for none.
        jiggle: Jiggle, of all vertices that are no hard pins; None for none.
        quantities: damping, pins, pin_stiffness as in SpringNetwork.

        Raises ValueError as SpringNetwork does, for a face corner that is no vertex, and as `Enclosures.of`.

        >>> from hooke.core import SpringNetwork
        >>> square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
        >>> SpringNetwork.from_mesh(square, faces=[[0, 1, 2, 3]], stiffness=200.0, bending=0).spring_count
        6
        """
        for name, value in (
            ("inside", inside),
            ("sewing", sewing),
            ("plasticity", plasticity),
            ("jiggle", jiggle),
            ("pleating", pleating),
        ):
            check_kind(name, value, _CLASSES[name])
        points = point_array(points)
        rest = points if rest is None else _rest(rest, len(points))
        polygons = Polygons.from_faces(faces)
        check_indices("face corner", polygons.corners, len(points))
        edges = polygons.edges() if edges is None else edge_array(edges, len(points))
        surface, seams = _sewn(Surface(edges, polygons, rest), sewing)
        if inside is not None:
            triangles = sewn_triangles(surface.triangles, seams, len(points))
            quantities["enclosures"] = Enclosures.of(rest, triangles, inside)
        if pleating is not None:
            quantities["pleats"] = Pleats.of(rest, polygons, pleating)
        if material is not None:
            if not hasattr(material, "springs"):
                raise ValueError(f"material is {material!r}: give a Material")
            held = pin_weight_array(quantities.get("pins"), len(points)) == 1.0
            creases = () if pleating is None else (quantities["pleats"].vertices[:, :2],)
            quantities |= material.springs(rest, surface, held, *creases)
            bends = len(quantities["stencils"])
            quantities |= _seams(points, seams, sewing, quantities)
            network = cls(points, surface=surface, **quantities)
            if tears_at is not None:
                network.tearing = Tears(surface, network.edges, tears_at, rest, tear_scatter)
            return _finished(network, rest, rest_scale, plasticity, bends, jiggle)
        given = {"structural": structural, "shear": shear, "bending": bending}
        usual = _KINDS if stiffness is None else dict.fromkeys(_KINDS, stiffness)
        kinds = {name: usual[name] if k is ... else k for name, k in given.items()}
        kinds = {name: 0.0 if k is None else any_number(name, k) for name, k in kinds.items()}
        for name, k in kinds.items():
            if np.isnan(k).any():
                raise ValueError(f"{name} is {k}: give a stiffness in N/m, or 0 for none")
        springs, k = mesh_springs(surface.edges, polygons, **kinds)
        if any_number("length_normalised", length_normalised):
            k = length_normalised_stiffness(k, rest, springs)
        mass = quantity("mass", mass, "mesh", 1, "kg", above=0.0)[0]
        quantities |= {"edges": springs, "stiffness": k}
        quantities |= _seams(points, seams, sewing, quantities)
        network = cls(points, masses=mass / len(points), surface=surface, **quantities)
        return _finished(network, rest, rest_scale, plasticity, 0, jiggle)

    @classmethod
    def grid(cls: Any, shape, spacing=1.0, **quantities):
        """Network of a flat sheet of quads in x and y, vertex (i, j) at index i * shape[1] + j.

        shape: points along x and y; spacing [m]; quantities: as in `from_mesh`.

        Raises ValueError for a shape or spacing outside these.

        >>> from hooke.core import SpringNetwork
        >>> SpringNetwork.grid((21, 21), 0.05, pins=[0, 20])
        SpringNetwork of 441 vertices and 2438 springs, 2 of the vertices pinned
        """
        shape = (*lattice_shape("grid", shape, 2, spacing), 1)
        return cls.from_mesh(lattice_points(shape, spacing), faces=lattice_faces(shape), **quantities)

    @classmethod
    def lattice(cls: Any, shape, spacing=1.0, reach="CORNER", **quantities):
        """Network of a box lattice with neighbours at 1, sqrt 2 and sqrt 3 times the spacing.

        shape: points along x, y, z; spacing [m].
        reach: "FACE", "EDGE" or "CORNER", each with the levels before it; or a collection of levels.
        quantities: masses, stiffness, rest_lengths, damping, pins, pin_stiffness as in SpringNetwork.

        Raises ValueError for a shape, spacing or reach outside these.
        """
        shape = lattice_shape("lattice", shape, 3, spacing)
        faces = Polygons.from_faces(lattice_faces(shape))
        surface = Surface(faces.edges(), faces)
        edges = lattice_edges(shape, lattice_levels(reach))
        return cls(lattice_points(shape, spacing), edges, surface=surface, **quantities)


def _rest(rest, count):
    """Where vertices are at rest, of so many; raises ValueError."""
    rest = point_array(rest)
    if len(rest) != count:
        raise ValueError(f"the rest shape has {len(rest)} vertices: give the {count} of the mesh")
    return rest


def _finished(network, rest, scale, plasticity, bends, jiggle):
    """A network of which springs along edges are so many times as long at rest, with what it is given or None.

    rest: where it is at rest [m]; bends: how many of its stencils, the first ones, bend.
    """
    scale = quantity("scale of the rest lengths", scale, "vertex", network.vertex_count, above=0.0)
    lengths = scale[network.edges].mean(axis=1) * network.spring_lengths(rest)
    if (lengths != network.rest_lengths).any():
        network = network.changed(rest_lengths=lengths)
    if plasticity is not None:
        network = yielding(network, plasticity, bends)
    return network if jiggle is None else network.changed(**jiggle.goals(network.masses))


def _sewn(surface, sewing):
    """A Surface without the edges that sew, and these, shape (seam_count, 2)."""
    if sewing is None:
        return surface, np.empty((0, 2), dtype=np.intp)
    sews = seam_edges(surface)
    return Surface(surface.edges[~sews], surface.polygons, surface.points), surface.edges[sews]


def _seams(points, edges, sewing, quantities):
    """Seams along edges, and the stencils with theirs, by their names as arguments; none without any."""
    if not len(edges):
        return {}
    stencils = quantities.get("stencils", Stencils.none())
    springs = quantities["edges"], quantities["stiffness"]
    seams, more = Seams.of(points, edges, *springs, len(stencils), sewing)
    return {"seams": seams, "stencils": Stencils.joined([stencils, more])}
