# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators for the pose a simulation begins with."""

import bpy

from . import mesh_io
from .operators import in_object_mode, simulated
from .play import sessions


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


register, unregister = bpy.utils.register_classes_factory((HOOKE_OT_save_pose, HOOKE_OT_forget_pose))
