# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a mesh will go wrong once it is simulated, and where: `FLAWS` is the catalogue, which the pre-flight walks.

Each takes an object and its Shape and yields Flaws. Units are metres and kilograms in world space.
"""

from typing import Any, NamedTuple

import numpy as np
from mathutils.bvhtree import BVHTree

from ...core.topology import Polygons, connected_parts
from .. import mesh_io

# Vertices nearer to each other than this share of the object's width lie on each other: what float32 rounds off.
COINCIDING = 1e-6
# Masses that no cloth of a character, and no set, has [kg]: a metre taken for a centimetre makes 10,000 times as much.
_LIGHTEST, _HEAVIEST = 1e-4, 1e3


class Shape(NamedTuple):
    """A mesh as arrays: points in world space, edges, polygons, and weights of the pins."""

    points: np.ndarray
    edges: np.ndarray
    polygons: Polygons
    pins: np.ndarray

    @property
    def width(self):
        """Of the box around it, along its longest side [m]."""
        return float(np.ptp(self.points, axis=0).max(initial=0.0))


class Flaw(NamedTuple):
    """A sentence, the ids of the remedies that may help, its icon, and the numbers of the vertices it is about."""

    text: str
    remedies: tuple[str, ...] = ()
    icon: str = "ERROR"
    vertices: np.ndarray = np.empty(0, dtype=int)


def shape_of(obj):
    """The Shape of an object's mesh."""
    mesh = obj.data
    return Shape(
        mesh_io.to_world(np.array(obj.matrix_world), mesh_io.read_positions(mesh)),
        mesh_io.read_edges(mesh),
        mesh_io.read_polygons(mesh),
        mesh_io.read_weights(obj, obj.hooke.pin_group),
    )


def flaws(obj):
    """All Flaws of an object's mesh, a list."""
    shape = shape_of(obj)
    return [flaw for find in FLAWS for flaw in find(obj, shape)]


def zero_edges(obj, shape):
    """On edges whose ends are at the same place."""
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
    """On vertices that lie on each other in different parts of the mesh, which comes apart there."""
    low = shape.points.min(axis=0, initial=0.0)
    cells = np.round((shape.points - low) / max(COINCIDING * shape.width, 1e-300))
    _, place, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    parts = connected_parts(shape.edges, len(shape.points))
    # Of those at one place the lowest and the highest part: the same where edges join them.
    lowest, highest = np.full(len(count), len(parts)), np.full(len(count), -1)
    np.minimum.at(lowest, place, parts)
    np.maximum.at(highest, place, parts)
    apart = np.flatnonzero((lowest < highest)[place])
    if len(apart):
        text = (
            f"{len(apart):,} vertices lie on others that nothing joins them to, so it comes apart there: merge by "
            "distance, or leave them if they are meant to be parts"
        )
        yield Flaw(text, ("MERGE",), "INFO", apart)


def unpinned(obj, shape):
    """On parts that no pin holds where others are held."""
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
    """On edges of other than two faces where what is inside matters."""
    settings = obj.hooke
    filled = settings.measure == "AREA" and settings.fill_stiffness > 0.0
    what = "Filling" if filled else "Pressure" if settings.pressure else "Keep Volume"
    if not (filled or settings.pressure or settings.keep_volume):
        return
    sides, count = np.unique(np.sort(shape.polygons.sides(), axis=1), axis=0, return_counts=True)
    borders, shared = sides[count == 1], sides[count > 2]
    if len(borders):
        text = f"{len(borders):,} edges border holes, and {what} needs a closed mesh: fill the holes"
        yield Flaw(text, ("FILL_HOLES",), "ERROR", np.unique(borders))
    if len(shared):
        text = (
            f"{len(shared):,} edges have more than two faces, and {what} needs an inside and an outside: delete the "
            "faces within"
        )
        yield Flaw(text, (), "ERROR", np.unique(shared))


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
    triangles = shape.polygons.triangles()
    tree: Any = BVHTree.FromPolygons(shape.points.tolist(), triangles.tolist(), all_triangles=True)
    pairs = np.array(tree.overlap(tree), dtype=int).reshape(-1, 2)
    one, other = triangles[pairs[:, 0]], triangles[pairs[:, 1]]
    # Neighbours meet where they are joined.
    apart = ~(one[:, :, None] == other[:, None, :]).any(axis=(1, 2))
    faces = np.unique(pairs[apart])
    if len(faces):
        yield Flaw(
            f"{len(faces):,} triangles go through others at the start, where Self-Collision cannot tell in from out: "
            "move them apart",
            (),
            "ERROR",
            np.unique(triangles[faces]),
        )


FLAWS = (zero_edges, doubles, unpinned, open_volume, absurd_mass, crossing)


def volume(shape):
    """Volume [m³] that closed faces hold, below 0 where they point inwards."""
    corners = shape.points[shape.polygons.triangles()]
    return float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0)
