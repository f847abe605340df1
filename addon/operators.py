# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: each checks, calls one function, and reports."""

import bpy

from . import bakes, cache_files, mesh_io, output_nodes, preferences, preflight, readout, sections
from .mesh_io import MeshError
from .play import sessions

_PIN_GROUP_NAMES = ("pin", "pins", "pinned", "hold", "goal")


def add_hooke(scene, obj):
    """Simulate an object: settings from the scene, output modifier, first sessions.

    Raises MeshError if it cannot be simulated.
    """
    preflight.check_object(obj)
    settings = obj.hooke
    if output_nodes.find(obj) is None:
        output_nodes.add(obj)
    if not settings.enabled:
        settings.frame_start, settings.frame_end = scene.frame_start, scene.frame_end
        if not settings.pin_group:
            named = [group.name for group in obj.vertex_groups if group.name.lower() in _PIN_GROUP_NAMES]
            settings.pin_group = named[0] if named else ""
    if not settings.cache_id:
        settings.cache_id = cache_files.new_id(obj)
    sections.add_settings(settings)
    settings.enabled = True


def simulated(context):
    """Whether the active object is simulated: what most operators ask for."""
    obj = context.object
    return obj is not None and obj.type == "MESH" and obj.hooke.enabled


class HOOKE_OT_add(bpy.types.Operator):
    """Simulate the active mesh: its edges and faces become springs"""

    bl_idname = "hooke.add"
    bl_label = "Add Hooke"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        if context.mode != "OBJECT":
            cls.poll_message_set("Leave Edit Mode first")
            return False
        return True

    def execute(self, context):
        obj = context.object
        try:
            add_hooke(context.scene, obj)
        except MeshError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for warning in preflight.mesh_warnings(obj):
            self.report({"WARNING"}, warning)
        self._tell_cost(obj)
        return {"FINISHED"}

    def _tell_cost(self, obj):
        mesh = obj.data
        if len(mesh.vertices) < preflight.LARGE:
            return
        points = mesh_io.to_world(obj.matrix_world, mesh_io.read_positions(mesh))
        edges, polygons = mesh_io.read_edges(mesh), mesh_io.read_polygons(mesh)
        network = sections.network(obj, points, edges, polygons, sections.read_maps(obj))
        if cost := preflight.start_cost(obj.name, network):
            self.report({"INFO"}, cost)


class HOOKE_OT_remove(bpy.types.Operator):
    """Stop simulating the active object and remove what Hooke added; a bake stays as it is"""

    bl_idname = "hooke.remove"
    bl_label = "Remove Hooke"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return simulated(context)

    def execute(self, context):
        obj = context.object
        sessions.drop(obj)
        bakes.forget(obj)
        output_nodes.remove(obj)
        obj.hooke.enabled = False
        obj.hooke.property_unset("cache_id")
        sections.remove_settings(obj.hooke)
        return {"FINISHED"}


class HOOKE_OT_reset(bpy.types.Operator):
    """Go to the start frame and forget the simulated frames; undo brings them back until others are simulated"""

    bl_idname = "hooke.reset"
    bl_label = "Reset"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return simulated(context)

    def execute(self, context):
        sessions.reset(context.object)
        context.scene.frame_set(context.object.hooke.frame_start)
        return {"FINISHED"}


class HOOKE_OT_set_substeps(bpy.types.Operator):
    """Use the number of substeps that is enough for the integrator to be stable"""

    bl_idname = "hooke.set_substeps"
    bl_label = "Set Substeps"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return (
            simulated(context) and (readout.stability_warning(context.object) or (None, None))[1] is not None
        )

    def execute(self, context):
        _, enough = readout.stability_warning(context.object)
        context.object.hooke.substeps = enough
        return {"FINISHED"}


class HOOKE_OT_delete_caches(bpy.types.Operator):
    """Delete the cached frames of every .blend file from the user folder, those in use aside; bakes stay"""

    bl_idname = "hooke.delete_caches"
    bl_label = "Delete All Caches"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, _context):
        return preferences.user_folder("cache") is not None

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context):
        freed = cache_files.delete_all(sessions.open_paths())
        self.report({"INFO"}, f"deleted {freed / 1e6:,.0f} MB")
        return {"FINISHED"}


_CLASSES = (
    HOOKE_OT_add,
    HOOKE_OT_remove,
    HOOKE_OT_reset,
    HOOKE_OT_set_substeps,
    HOOKE_OT_delete_caches,
)


def register():
    """Register the operators."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    """Unregister the operators."""
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
