# SPDX-License-Identifier: GPL-3.0-or-later
"""Flaws of a mesh for a simulation, and their places: `FLAWS` is the catalogue, which the pre-flight walks.

Each takes an object and its Shape and yields Flaws. Units are metres and kilograms in world space.
"""

from typing import Any

import numpy as np
from mathutils.bvhtree import BVHTree

from ...core.listed import distinct_rows
from ...core.polygons import triangulated
from ...core.stencils import seam_edges, sewn_triangles, tying_edges
from ...core.surface import Surface
from ...core.topology import connected_parts
from .. import mesh_io
from .mesh_measures import Flaw, borders, doubled, needs_inside, shape_of, thickness, volume

# Masses that no cloth of a character, and no set, has [kg]: a metre taken for a centimetre makes 10,000 times as much.
_LIGHTEST, _HEAVIEST = 1e-4, 1e3
# Widths beyond those of cloth and soft bodies [m]: a flag of a town hall has 6, a button 0.01.
_NARROWEST, _WIDEST = 5e-3, 12.0


def flaws(obj):
    """All Flaws of an object's mesh, a list."""
    shape = shape_of(obj)
    return [flaw for find in FLAWS for flaw in find(obj, shape)]


def zero_edges(obj, shape):
    """On edges with both ends at the same place."""
    # In its own space: a scale of 0 is another flaw, of the object.
    ends = mesh_io.read_positions(obj.data)[shape.edges]
    zero = np.flatnonzero((ends[:, 0] == ends[:, 1]).all(axis=1))
    if len(zero):
        edges = "1 edge" if len(zero) == 1 else f"{len(zero):,} edges"
        text = (
            f"'{obj.name}' has {edges} of zero length (first: edge {zero[0]}), which hold their ends "
            "together: merge by distance to remove them"
        )
        yield Flaw(text, ("MERGE",), "ERROR", np.unique(shape.edges[zero]))


def doubles(obj, shape):
    """On vertices that lie on each other and are not joined: it comes apart there, and is open."""
    apart = doubled(shape)
    if len(apart) and needs_inside(obj.hooke) and np.isin(apart, borders(shape.polygons.sides())).any():
        text = (
            f"{len(apart):,} vertices lie on others that nothing joins them to, as exporters leave them, so it is open "
            f"there, and {needs_inside(obj.hooke)} needs a closed mesh: merge by distance"
        )
        yield Flaw(text, ("MERGE",), "ERROR", apart)
    elif len(apart):
        text = (
            f"{len(apart):,} vertices lie on others that nothing joins them to, so it comes apart there: merge by "
            "distance, or leave them if they are meant to be parts"
        )
        yield Flaw(text, ("MERGE",), "INFO", apart)


def unpinned(obj, shape):
    """On parts that no pin holds where others are held; where doubles part it, these are told first and alone."""
    if len(doubled(shape)):
        return
    parts = connected_parts(shape.edges, len(shape.points))
    held = np.zeros(parts.max(initial=-1) + 1, dtype=bool)
    held[parts[shape.pins > 0.0]] = True
    loose = int((~held).sum())
    if held.any() and loose and not obj.hooke.jiggle:
        pieces = "1 part has" if loose == 1 else f"{loose:,} parts have"
        yield Flaw(
            f"{pieces} no pin and {'falls' if loose == 1 else 'fall'}, while others are held: assign some of its "
            f"vertices to '{obj.hooke.pin_group}', or leave it to colliders",
            (),
            "INFO",
            np.flatnonzero(~held[parts]),
        )


def open_volume(obj, shape):
    """On edges of other than two faces where a closed surface is needed."""
    settings = obj.hooke
    what = needs_inside(settings)
    if not what:
        return
    sewn = settings.sewing and what != "Filling"
    sides, count = distinct_rows(np.sort(_sides(shape, sewn), axis=1), return_counts=True)
    borders, shared = sides[count == 1], sides[count > 2]
    if np.isin(borders, doubled(shape)).any():
        # What closes these is told with the doubles, alone: no face belongs over them.
        return
    if len(borders) and sewn:
        # A face over a panel's border would be sewn in.
        text = f"{len(borders):,} edges border holes, and {what} needs a closed mesh: join these borders by seams"
        yield Flaw(text, (), "ERROR", np.unique(borders))
    elif len(borders):
        text = f"{len(borders):,} edges border holes, and {what} needs a closed mesh: fill the holes"
        yield Flaw(text, ("FILL_HOLES",), "ERROR", np.unique(borders))
    if len(shared):
        text = (
            f"{len(shared):,} edges have more than two faces, and {what} needs an inside and an outside: delete the "
            "faces within"
        )
        yield Flaw(text, (), "ERROR", np.unique(shared))


def _sides(shape, sewn):
    """Sides of all faces, and of the strips between borders where they are sewn, shape (side_count, 2)."""
    if not sewn:
        return shape.polygons.sides()
    surface = Surface(shape.edges, shape.polygons)
    triangles = sewn_triangles(surface.triangles, shape.edges[seam_edges(surface)], len(shape.points))
    return triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)


def shared_edges(obj, shape):
    """On edges of more than two faces, of cloth."""
    if needs_inside(obj.hooke):
        return
    sides, count = distinct_rows(np.sort(shape.polygons.sides(), axis=1), return_counts=True)
    shared = sides[count > 2]
    if len(shared):
        edges = "1 edge has" if len(shared) == 1 else f"{len(shared):,} edges have"
        text = (
            f"{edges} more than two faces (non-manifold), where it bends stiffly and which cannot be told in from out: "
            "delete the faces that are not seen, or leave them if they are meant"
        )
        yield Flaw(text, (), "INFO", np.unique(shared))


def too_thin(obj, shape):
    """On solids thinner than the cells that fill them."""
    settings = obj.hooke
    if needs_inside(settings) != "Filling":
        return
    thick, size = thickness(shape), (abs(volume(shape)) / settings.fill_cells) ** (1.0 / 3.0)
    if 0.0 < thick < size:
        text = (
            f"It is {1e3 * thick:.2g} mm thick, less than the cells of about {1e3 * size:.2g} mm that fill it: let it "
            "be a sheet, or give it more cells"
        )
        yield Flaw(text, ("CELLS", "SHEET"), "ERROR", np.unique(shape.polygons.corners))


def absurd_size(obj, shape):
    """On sizes that no cloth has, mostly because of a wrong unit."""
    if shape.width > _WIDEST or 0.0 < shape.width < _NARROWEST:
        said = f"{shape.width:,.3g} m" if shape.width > _WIDEST else f"{1e3 * shape.width:.2g} mm"
        yield Flaw(
            f"It is {said} wide, so it falls and bends like an object of that size: scale it to the intended size",
            (),
            "INFO",
        )


def unsewn(surface):
    """A Flaw on edges of a Surface that tie faces together beside seams, and are none, or None."""
    ties, joinable = tying_edges(surface)
    if not ties.any():
        return None
    count, seams, split = int(ties.sum()), int(seam_edges(surface).sum()), int(joinable.sum())
    edges = "1 loose edge is no seam" if count == 1 else f"{count:,} loose edges are no seams"
    midst, inside = "a vertex stands in their midst", "they end inside a panel or branch"
    if 0 < split < count:
        why = f"in {split:,} {midst}, and {count - split:,} end inside a panel or branch"
    else:
        why = midst if split else inside
    text = f"{edges} beside {seams:,} that {'is' if seams == 1 else 'are'}: {why}; join each to two borders"
    return Flaw(text, ("JOIN_SEAMS",), "INFO", np.unique(surface.edges[ties]))


def some_unsewn(obj, shape):
    """On edges that tie faces together where edges sew, and are no seams."""
    if obj.hooke.sewing and (flaw := unsewn(Surface(shape.edges, shape.polygons))):
        yield flaw


def absurd_mass(obj, shape):
    """On what weighs as no cloth does, mostly because a unit was taken for another."""
    settings = obj.hooke
    if settings.measure != "AREA":
        return
    if settings.fill_stiffness > 0.0:
        mass = settings.fill_density * abs(volume(shape))
    else:
        mass = settings.area_density * float(shape.polygons.areas(shape.points).sum())
    if 0.0 < mass < _LIGHTEST or mass > _HEAVIEST:
        weight = f"{mass / 1000.0:,.3g} t" if mass > _HEAVIEST else f"{1e6 * mass:.3g} mg"
        yield Flaw(
            f"It weighs {weight} and is {shape.width:.3g} m wide: scale it to the size it is meant to have, or change "
            "Density",
            (),
            "INFO",
        )


def crossing(obj, shape):
    """On faces that go through each other where Self-Collision keeps them apart."""
    if not obj.hooke.self_collision:
        return
    triangles = triangulated(shape.points, shape.polygons)
    tree: Any = BVHTree.FromPolygons(shape.points.tolist(), triangles.tolist(), all_triangles=True)
    pairs = np.array(tree.overlap(tree), dtype=int).reshape(-1, 2)
    one, other = triangles[pairs[:, 0]], triangles[pairs[:, 1]]
    # Neighbours meet where they are joined.
    apart = ~(one[:, :, None] == other[:, None, :]).any(axis=(1, 2))
    faces = np.unique(pairs[apart])
    if len(faces):
        yield Flaw(
            f"{len(faces):,} triangles go through others at the start, and do not collide with each other until they "
            "have parted: select them, and move them apart",
            (),
            "INFO",
            np.unique(triangles[faces]),
        )


# In the order of causes: an earlier finding may cause later ones.
FLAWS = (
    zero_edges,
    doubles,
    some_unsewn,
    open_volume,
    shared_edges,
    too_thin,
    absurd_size,
    absurd_mass,
    unpinned,
    crossing,
)
