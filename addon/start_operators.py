# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for the pose a simulation begins with."""

import bpy
from bpy.props import BoolProperty, IntProperty

from ..core import SimulationDiverged
from . import mesh_io
from .operators import in_object_mode, simulated
from .play import sessions
from .play.draping import check_rests_in_a_key, draped


class HOOKE_OT_save_pose(bpy.types.Operator):
    """Save the simulated pose of the current frame with the mesh, and start from it"""

    bl_idname = "hooke.save_pose"
    bl_label = "Save Pose"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        if not (in_object_mode(cls, context) and simulated(context)) or context.object.hooke.bake.exists:
            return False
        running = sessions.find(context.object)
        if running is None or not 0 <= _index(context) < running.cached:
            cls.poll_message_set("Go to a simulated frame first")
            return False
        return True

    def execute(self, context):
        obj = context.object
        mesh_io.save_pose(obj.data, sessions.find(obj).frames[_index(context)])
        obj.hooke.use_saved_pose = True
        return {"FINISHED"}


class HOOKE_OT_drape(bpy.types.Operator):
    """Let the object come to rest on its pins and colliders of the start frame, and start from that pose. The modelled
    shape stays the shape at rest, unless As Rest Shape is on"""

    bl_idname = "hooke.drape"
    bl_label = "Drape"
    bl_options = {"REGISTER", "UNDO"}

    most: IntProperty(
        name="Frames",
        description="Largest number of frames to simulate until it rests",
        default=240,
        min=1,
        max=10000,
    )
    as_rest_shape: BoolProperty(
        name="As Rest Shape",
        description="Also make the result the shape at rest, as a shape key in Rest Shape Key: it then keeps its "
        "folds without strain",
        default=False,
    )

    @classmethod
    def poll(cls, context):
        return in_object_mode(cls, context) and simulated(context) and not context.object.hooke.bake.exists

    def execute(self, context):
        obj, scene, window = context.object, context.scene, context.window_manager
        try:
            if self.as_rest_shape:
                check_rests_in_a_key(obj)
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        obj.hooke.use_saved_pose = False
        scene.frame_set(obj.hooke.frame_start)
        depsgraph = context.evaluated_depsgraph_get()
        window.progress_begin(0, self.most)
        try:
            found, rests = draped(obj, scene, depsgraph, self.most, window.progress_update)
        except (ValueError, SimulationDiverged) as error:
            self.report({"ERROR"}, f"'{obj.name}' cannot be draped: {error}")
            return {"CANCELLED"}
        finally:
            window.progress_end()
        found = mesh_io.to_object(mesh_io.world_matrix(obj, depsgraph), found)
        mesh_io.save_pose(obj.data, found)
        obj.hooke.use_saved_pose = True
        if self.as_rest_shape:
            obj.hooke.rest_key = mesh_io.add_shape_key(obj, "Draped", found)
        scene.frame_set(obj.hooke.frame_start)
        if not rests:
            self.report(
                {"WARNING"},
                f"'{obj.name}' still moves after {self.most} frames: press Drape again, or give it more Frames",
            )
        return {"FINISHED"}


class HOOKE_OT_forget_pose(bpy.types.Operator):
    """Remove the saved pose; the simulation starts from the pose at the start frame again"""

    bl_idname = "hooke.forget_pose"
    bl_label = "Forget Pose"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return (
            in_object_mode(cls, context)
            and simulated(context)
            and mesh_io.has_saved_pose(context.object.data)
        )

    def execute(self, context):
        mesh_io.forget_pose(context.object.data)
        context.object.hooke.use_saved_pose = False
        return {"FINISHED"}


def _index(context):
    return context.scene.frame_current - context.object.hooke.frame_start


register, unregister = bpy.utils.register_classes_factory(
    (HOOKE_OT_save_pose, HOOKE_OT_drape, HOOKE_OT_forget_pose)
)
