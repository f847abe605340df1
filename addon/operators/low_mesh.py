# SPDX-License-Identifier: GPL-3.0-or-later
"""A low mesh that is simulated in place of a high one, which follows it by a Surface Deform modifier."""

import bmesh
import bpy
from bpy.props import FloatProperty

from ...core.coarsening import coarsened
from ...core.polygons import triangulated
from .. import mesh_io, output_nodes, preflight
from ..mesh_io import MeshError
from .adding import add_hooke, remove_hooke
from .polls import in_object_mode

# Of Cycles and EEVEE.
_RAYS = ("camera", "diffuse", "glossy", "transmission", "volume_scatter", "shadow")


class HOOKE_OT_bind(bpy.types.Operator):
    """Simulate a low mesh in place of this one: it is a copy with edges of a length [m], which is not rendered. This
    mesh follows it by a Surface Deform modifier. Settings, pins and modifiers that deform go along"""

    bl_idname = "hooke.bind"
    bl_label = "Bind to a Low Mesh"
    bl_options = {"REGISTER", "UNDO"}

    length: FloatProperty(
        name="Edge Length",
        description="Mean length of the low mesh's edges [m]: 0.02 to 0.04 for clothes",
        default=0.03,
        min=1e-4,
        soft_min=5e-3,
        soft_max=0.2,
        precision=3,
        step=1,
        subtype="DISTANCE",
    )

    @classmethod
    def poll(cls, context):
        obj = context.object
        if not in_object_mode(cls, context) or obj is None or obj.type != "MESH":
            return False
        return obj.library is None and obj.data.library is None and not obj.hooke.bake.exists

    def execute(self, context):
        obj, low = context.object, None
        try:
            preflight.check_object(obj)
            low = _low(context, obj, self.length)
            add_hooke(context.scene, low)
            context.scene.frame_set(low.hooke.frame_start)
            _follow(context, obj, low)
        except MeshError as error:
            if low is not None:
                bpy.data.meshes.remove(low.data)
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if obj.hooke.enabled:
            remove_hooke(obj)
        obj.select_set(False)
        low.select_set(True)
        context.view_layer.objects.active = low
        count, of_all = len(low.data.vertices), len(obj.data.vertices)
        self.report({"INFO"}, f"'{low.name}' of {count:,} vertices moves the {of_all:,} of '{obj.name}'")
        return {"FINISHED"}


def _low(context, obj, length):
    """A copy of an object with edges of a length [m], in its collections, with the modifiers that deform it.

    Raises MeshError where that is no smaller mesh.
    """
    shape = preflight.shape_of(obj)
    triangles = triangulated(shape.points, shape.polygons)
    kept, faces = coarsened(shape.points, triangles, length) if len(triangles) else ((), ())
    if not 0 < len(faces) < 0.8 * len(triangles):
        why = f"that has edges of {1e3 * length:.3g} mm" if len(faces) else "whose faces are that large"
        raise MeshError(
            f"'{obj.name}' needs no low mesh {why}: choose another Edge Length, or simulate it itself"
        )
    low = obj.copy()
    low.data, low.name = obj.data.copy(), f"{obj.name} Low"
    for collection in obj.users_collection:
        collection.objects.link(low)
    low.hooke.property_unset("cache_id")
    if low.data.shape_keys is not None:
        low.shape_key_clear()
    mesh_io.remove_attributes(low.data)
    _thin(low.data, kept, faces)
    own = output_nodes.find(low)
    stay = {modifier.name for modifier in list(low.modifiers)[: output_nodes.leading(low)]}
    stay |= {own.name} if own is not None else set()
    for name in [modifier.name for modifier in low.modifiers if modifier.name not in stay]:
        low.modifiers.remove(low.modifiers[name])
    low.display_type = "WIRE"
    # What is hidden in renders is not simulated in them: rays miss it in their place.
    for ray in _RAYS:
        setattr(low, f"visible_{ray}", False)
    return low


def _thin(mesh, kept, faces):
    """Leave of a mesh some of its vertices, with their groups, and faces of these."""
    made = bmesh.new()
    try:
        made.from_mesh(mesh)
        made.verts.ensure_lookup_table()
        vertices = [made.verts[number] for number in kept.tolist()]
        bmesh.ops.delete(made, geom=list(set(made.verts) - set(vertices)), context="VERTS")
        bmesh.ops.delete(made, geom=made.edges[:], context="EDGES_FACES")
        for face in faces.tolist():
            made.faces.new([vertices[corner] for corner in face]).smooth = True
        made.to_mesh(mesh)
    finally:
        made.free()


def _follow(context, obj, low):
    """Let a mesh follow a low one by a Surface Deform modifier that is bound to it now."""
    place, made = output_nodes.leading(obj), obj.modifiers.new("Surface Deform", "SURFACE_DEFORM")
    made.target, name = low, made.name
    obj.modifiers.move(len(obj.modifiers) - 1, place)
    with context.temp_override(object=obj, active_object=obj):
        bpy.ops.object.surfacedeform_bind(modifier=name)
    if not obj.modifiers[name].is_bound:
        obj.modifiers.remove(obj.modifiers[name])
        raise MeshError(
            f"'{obj.name}' cannot be bound to its low mesh: choose a smaller Edge Length, and delete faces at "
            "edges that have more than two"
        )
