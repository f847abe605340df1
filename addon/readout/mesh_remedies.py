# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies of the mesh itself: Blender's own clean-ups, by its own functions."""

import bmesh
import numpy as np

from ...core.listed import distinct_rows
from ...core.stencils import tying_edges
from ...core.surface import Surface
from .. import preflight
from .remedy import Remedy

# The meshes on which clean-ups changed nothing, by the number of the object and the clean-up's id.
_idle: dict[tuple[int, str], tuple] = {}


class MeshRemedy(Remedy):
    """A clean-up of an object's mesh by BMesh, offered where it changes something.

    A mesh that is in Edit Mode, linked or shared is left to its owner.
    """

    def label(self, obj, scene):
        """Its name, as Blender's menus have it; "" for a mesh on which it has changed nothing already."""
        mesh = obj.data
        locked = mesh.is_editmode or mesh.library is not None or mesh.users > 1 or obj.hooke.bake.exists
        if locked or not self.needed(obj) or _idle.get((obj.session_uid, self.id)) == _state(obj):
            return ""
        return type(self).__doc__.split(":")[0]

    def needed(self, obj):
        """Whether the mesh has anything to clean up."""
        raise TypeError(f"{type(self).__name__} does not say whether it is needed: a remedy of the mesh must")

    def apply(self, obj, scene):
        """Do it; groups, shape keys and layers go along as in Edit Mode. Returns whether it changed anything."""
        before, made = _state(obj), bmesh.new()
        try:
            made.from_mesh(obj.data)
            self.clean(made, obj)
            made.to_mesh(obj.data)
        finally:
            made.free()
        obj.data.update()
        if _state(obj) == before:
            _idle[obj.session_uid, self.id] = before
            return False
        return True

    def clean(self, made, obj):
        """Change the BMesh of an object's mesh."""
        raise TypeError(f"{type(self).__name__} cleans nothing: a remedy of the mesh must")


class Merge(MeshRemedy):
    """Merge by Distance: vertices that lie on each other become one, and edges of no length go"""

    id = "MERGE"

    def needed(self, obj):
        """Whether any lie on each other."""
        shape = preflight.shape_of(obj)
        return any(next(iter(find(obj, shape)), None) for find in (preflight.zero_edges, preflight.doubles))

    def clean(self, made, obj):
        """Merge vertices at the same place."""
        low, high = np.array(obj.bound_box).min(axis=0), np.array(obj.bound_box).max(axis=0)
        distance = preflight.COINCIDING * float((high - low).max())
        bmesh.ops.remove_doubles(made, verts=made.verts, dist=distance)


class FillHoles(MeshRemedy):
    """Fill Holes: faces over all borders, so that the mesh is closed"""

    id = "FILL_HOLES"

    def needed(self, obj):
        """Whether it is open where a closed surface is needed."""
        return any(
            "FILL_HOLES" in flaw.remedies for flaw in preflight.open_volume(obj, preflight.shape_of(obj))
        )

    def clean(self, made, obj):
        """Fill them, and let all faces point outwards."""
        bmesh.ops.holes_fill(made, edges=[edge for edge in made.edges if edge.is_boundary], sides=0)
        bmesh.ops.recalc_face_normals(made, faces=made.faces)


class JoinSeams(MeshRemedy):
    """Join Seams: a chain of edges from border to border becomes one edge, which sews"""

    id = "JOIN_SEAMS"

    def needed(self, obj):
        """Whether there are any where edges sew."""
        return obj.hooke.sewing and tying_edges(_surface(obj))[1].any()

    def clean(self, made, obj):
        """Dissolve what stands in their midst."""
        surface = _surface(obj)
        ends = np.unique(surface.edges[tying_edges(surface)[1]])
        between = np.setdiff1d(ends, surface.polygons.corners)
        made.verts.ensure_lookup_table()
        bmesh.ops.dissolve_verts(made, verts=[made.verts[number] for number in between])


class TurnOutside(MeshRemedy):
    """Recalculate Outside: all faces of closed parts point outwards"""

    id = "OUTSIDE"

    def needed(self, obj):
        """Whether neighbouring faces wind differently, or a closed surface is inside out."""
        shape = preflight.shape_of(obj)
        sides = shape.polygons.sides()
        winding = len(distinct_rows(sides)) < len(sides)
        return winding or (Surface(shape.edges, shape.polygons).closed and preflight.volume(shape) < 0.0)

    def clean(self, made, obj):
        """Turn them."""
        bmesh.ops.recalc_face_normals(made, faces=made.faces)


def _state(obj):
    """The parts of an object's mesh that a clean-up may change, to compare."""
    shape = preflight.shape_of(obj)
    arrays = shape.points, shape.edges, shape.polygons.corners, shape.polygons.sizes
    return tuple(hash(array.tobytes()) for array in arrays)


def _surface(obj):
    shape = preflight.shape_of(obj)
    return Surface(shape.edges, shape.polygons)
