# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shown frame has on the edges of its mesh: how far each is stretched and folded, and of which kind it is."""

from typing import NamedTuple

import numpy as np

from ...core.deformation import edge_bends, edge_strains
from ...core.stencils import seam_edges
from ...core.surface import Surface
from ...core.topology import Polygons
from .. import mesh_io

FACES, STRAND, SEAM = range(3)


class Sides(NamedTuple):
    """The edges of a mesh, shape (edge_count, 2), its faces, and FACES, STRAND or SEAM of each edge."""

    edges: np.ndarray
    polygons: Polygons
    kinds: np.ndarray


def put(session, obj, positions, torn):
    """Show positions in object space, float32, shape (vertex_count, 3), with the attributes that are asked for.

    torn: mask of the faces that are, or None for none.
    """
    store(session, obj, positions)
    mesh_io.write_positions(obj.data, positions)
    mesh_io.write_torn(obj.data, torn)


def store(session, obj, positions):
    """Store the attributes of shown positions with the mesh, where they are asked for.

    Lengths at rest are those at the start in the world, times Size at Rest.
    """
    start = session.take.start
    if not obj.hooke.store_attributes or start is None:
        return
    mesh, matrix = obj.data, start["matrix"]
    edges, polygons, kinds = sides(session, obj)
    rest = obj.hooke.rest_scale * mesh_io.to_world(matrix, start["pose"])
    # By the start's matrix too: what turns or moves the object strains nothing.
    now = mesh_io.to_world(matrix, positions)
    mesh_io.write_edge_values(
        mesh,
        {
            mesh_io.STRAIN: edge_strains(edges, now, rest),
            mesh_io.BEND: edge_bends(edges, polygons, now, rest),
            mesh_io.KIND: kinds,
        },
    )


def sides(session, obj):
    """The Sides of an object's mesh, found once until the mesh is edited."""
    # By name, as all that a session has read of the mesh.
    kept = session.read_before.setdefault("sides", {})
    sewing = obj.hooke.sewing
    if sewing not in kept:
        edges, polygons = mesh_io.read_edges(obj.data), mesh_io.read_polygons(obj.data)
        kept[sewing] = Sides(edges, polygons, kinds_of(edges, polygons, sewing))
    return kept[sewing]


def kinds_of(edges, polygons, sewing):
    found = np.full(len(edges), STRAND)
    bordering = polygons.sides()
    count = int(max(edges.max(initial=-1), bordering.max(initial=-1))) + 1
    keys, of_faces = (ends.min(axis=1) * count + ends.max(axis=1) for ends in (edges.astype(int), bordering))
    found[np.isin(keys, of_faces)] = FACES
    if sewing:
        found[seam_edges(Surface(edges, polygons))] = SEAM
    return found
