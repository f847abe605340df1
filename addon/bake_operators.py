# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that simulate whole ranges, bake them, and clear bakes."""

import bpy
from bpy.props import EnumProperty

from . import bake, session
from .frame_loop import FrameLoop
from .operators import simulated


class HOOKE_OT_simulate(FrameLoop, bpy.types.Operator):
    """Simulate the frame range into the cache, to play, scrub and render it; Esc stops and keeps what is done"""

    bl_idname = "hooke.simulate"
    bl_label = "Simulate"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context):
        return simulated(context) and not context.object.hooke.bake.items

    def check(self, obj):
        """Raise MeshError if the object cannot be simulated over its range."""
        bake.check_range(obj)

    def finish(self, context, obj):
        """The frames are in the cache: say so."""
        return f"simulated {len(session.find(obj).frames)} frames of '{obj.name}'"


class HOOKE_OT_bake(FrameLoop, bpy.types.Operator):
    """Simulate the frame range and keep it as shape keys; Esc cancels and changes nothing"""

    bl_idname = "hooke.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}
    cancelled = "bake cancelled: the simulated frames are kept, nothing is baked"

    mode: EnumProperty(
        name="Mode",
        items=[("SHAPE_KEYS", "Shape Keys", "One shape key a frame beside the object's own")],
    )

    @classmethod
    def poll(cls, context):
        return simulated(context) and not context.object.hooke.bake.items

    def check(self, obj):
        """Raise MeshError if the object cannot be baked."""
        bake.check_bakeable(obj)

    def finish(self, context, obj):
        """Make the bake from the simulated frames."""
        count = obj.hooke.frame_end - obj.hooke.frame_start + 1
        bake.to_shape_keys(obj, session.find(obj).frames[:count], obj.hooke.frame_start)
        return f"baked {count} frames of '{obj.name}'"


class HOOKE_OT_clear_bake(bpy.types.Operator):
    """Remove the baked shape keys and bring back what the bake muted or turned off"""

    bl_idname = "hooke.clear_bake"
    bl_label = "Clear Bake"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return simulated(context) and context.mode == "OBJECT" and bool(context.object.hooke.bake.items)

    def execute(self, context):
        bake.clear(context.object)
        context.scene.frame_set(context.scene.frame_current)
        return {"FINISHED"}


_CLASSES = (HOOKE_OT_simulate, HOOKE_OT_bake, HOOKE_OT_clear_bake)


def register():
    """Register the operators."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    """Unregister the operators."""
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
