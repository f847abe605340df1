# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: each checks, calls one function, and reports."""

import bpy

from .. import cache_files, preferences, preflight, sections
from ..mesh_io import MeshError
from ..play import sessions
from ..play.chosen_objects import chosen, meshes, selected_property, within_reach
from ..play.start_preview import at_start
from ..readout import dismissed_remarks
from . import garment, low_mesh, pleats, remedy_operators
from .adding import add_hooke, remove_hooke
from .polls import in_object_mode, simulated


class HOOKE_OT_add(bpy.types.Operator):
    """Simulate the mesh: its edges and faces become springs. A vertex group called Pin or Hold, or the only one there
    is, becomes the Pin Group"""

    bl_idname = "hooke.add"
    bl_label = "Add Hooke"
    bl_options = {"REGISTER", "UNDO"}

    selected: selected_property("Add to all selected meshes, not to the active one alone")

    @classmethod
    def poll(cls, context):
        return in_object_mode(cls, context)

    def execute(self, context):
        added, refused = [], []
        for obj in meshes(context, self.selected) or [context.object]:
            try:
                add_hooke(context.scene, obj)
                added.append(obj)
            except MeshError as error:
                refused.append(str(error))
        # One refused object does not stop the others.
        for sentence in refused:
            self.report({"WARNING" if added else "ERROR"}, sentence)
        for obj in added:
            for warning in preflight.mesh_warnings(obj):
                self.report({"WARNING"}, warning)
            self._tell_start(obj, context.scene)
        return {"FINISHED"} if added else {"CANCELLED"}

    def _tell_start(self, obj, scene):
        """Report the cost of a large mesh's first frame, and the colliders that the object begins too close to."""
        if len(obj.data.vertices) < preflight.LARGE and not preflight.has_colliders(obj):
            return
        try:
            with at_start(obj, scene) as first:
                doubts, cost = first.fit.doubts, preflight.start_cost(obj.name, first.network)
        except ValueError:
            # The status tells what cannot be simulated, and why.
            return
        for text in [cost, *(doubt.text for doubt in doubts)]:
            if text:
                self.report({"INFO"}, text)


class HOOKE_OT_remove(bpy.types.Operator):
    """Stop simulating and remove what Hooke added. A bake stays as it is"""

    bl_idname = "hooke.remove"
    bl_label = "Remove Hooke"
    bl_options = {"REGISTER", "UNDO"}

    selected: selected_property("Remove from all selected objects, not from the active one alone")

    @classmethod
    def poll(cls, context):
        return simulated(context)

    def execute(self, context):
        objects = chosen(context, self.selected)
        linked = [obj for obj in objects if obj.library is not None or obj.data.library is not None]
        for obj in linked:
            told = f"'{obj.name}' is linked, and would have Hooke again when the file is opened"
            self.report({"WARNING"}, f"{told}: remove it there, or make it local first (Object > Relations)")
        if len(linked) == len(objects):
            return {"CANCELLED"}
        for obj in objects:
            if obj in linked:
                continue
            for sentence in remove_hooke(obj):
                self.report({"WARNING"}, sentence)
        return {"FINISHED"}


class HOOKE_OT_reset(bpy.types.Operator):
    """Go to the start frame and delete the simulated frames. Undo restores them until new ones are simulated"""

    bl_idname = "hooke.reset"
    bl_label = "Reset"
    bl_options = {"REGISTER", "UNDO"}

    selected: selected_property("Reset all selected objects, not the active one alone")

    @classmethod
    def poll(cls, context):
        return simulated(context)

    def execute(self, context):
        for obj in chosen(context, self.selected):
            if obj.hooke.bake.exists:
                self.report({"WARNING"}, f"'{obj.name}' is baked and keeps its frames: clear its bake first")
            else:
                sessions.reset(obj)
                dismissed_remarks.bring_back(obj)
        context.scene.frame_set(context.object.hooke.frame_start)
        return {"FINISHED"}


class HOOKE_OT_copy_settings(bpy.types.Operator):
    """Copy the settings of the active object to the other selected ones. Vertex groups are copied where a group of that
    name exists"""

    bl_idname = "hooke.copy_settings"
    bl_label = "Copy Hooke Settings to Selected"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        if not simulated(context) or len(within_reach(context)) < 2:
            cls.poll_message_set("Select other objects that Hooke simulates, and make one active")
            return False
        return True

    def execute(self, context):
        source = context.object
        others = [obj for obj in chosen(context, selected=True) if obj != source]
        for obj in others:
            if obj.hooke.bake.exists:
                self.report({"WARNING"}, f"'{obj.name}' is baked and stays as it is: clear its bake first")
            else:
                sections.copy_settings(source, obj)
        return {"FINISHED"}


class HOOKE_OT_delete_caches(bpy.types.Operator):
    """Delete the cached frames of all .blend files from the user folder, except those in use. Bakes stay"""

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


register, unregister = bpy.utils.register_classes_factory(
    (
        HOOKE_OT_add,
        HOOKE_OT_remove,
        HOOKE_OT_reset,
        HOOKE_OT_copy_settings,
        garment.HOOKE_OT_garment,
        low_mesh.HOOKE_OT_bind,
        pleats.HOOKE_OT_set_pleat,
        *remedy_operators.CLASSES,
        HOOKE_OT_delete_caches,
    )
)
