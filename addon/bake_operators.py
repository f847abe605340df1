# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that bake and clear bakes: each checks, works frame by frame, and reports."""

from time import perf_counter

import bpy
from bpy.props import EnumProperty

from . import bake, preflight, session, simulate
from .mesh_io import MeshError
from .operators import simulated

# Redrawing the window may cost more than a frame: a bake works for so long [s] between redraws, which is short
# enough for Esc to be heard at once.
_MODAL_SECONDS = 0.1

# What may happen in the window while a bake runs.
_NAVIGATION = frozenset(
    {
        "MOUSEMOVE",
        "MIDDLEMOUSE",
        "WHEELUPMOUSE",
        "WHEELDOWNMOUSE",
        "TRACKPADPAN",
        "TRACKPADZOOM",
        "MOUSEROTATE",
    }
)


class HOOKE_OT_bake(bpy.types.Operator):
    """Simulate the frame range and keep it as shape keys; Esc cancels and changes nothing"""

    bl_idname = "hooke.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    mode: EnumProperty(
        name="Mode",
        items=[("SHAPE_KEYS", "Shape Keys", "One shape key a frame beside the object's own")],
    )

    @classmethod
    def poll(cls, context):
        return simulated(context) and not context.object.hooke.bake.items

    def execute(self, context):
        """Bake at once, for scripts and background mode."""
        if not self._begin(context):
            return {"CANCELLED"}
        try:
            for _ in self._frames:
                pass
        except MeshError as error:
            return self._end(context, str(error))
        return self._end(context)

    def invoke(self, context, _event):
        """Bake a few frames at each timer tick, so that Blender stays responsive."""
        if bpy.app.background:
            return self.execute(context)
        if context.screen.is_animation_playing:
            bpy.ops.screen.animation_cancel(restore_frame=False)
        if not self._begin(context):
            return {"CANCELLED"}
        context.window_manager.progress_begin(self._object.hooke.frame_start, self._object.hooke.frame_end)
        self._timer = context.window_manager.event_timer_add(0.0, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """Advance by some frames, or cancel on Esc."""
        if event.type == "ESC":
            self._stop_timer(context)
            return self._end(
                context, "bake cancelled: the simulated frames are kept, nothing is baked", "WARNING"
            )
        if event.type in _NAVIGATION:
            return {"PASS_THROUGH"}
        if event.type != "TIMER":
            # Another edit meanwhile would make the frames already simulated stale.
            return {"RUNNING_MODAL"}
        try:
            frame = self._simulate_for(_MODAL_SECONDS)
            context.window_manager.progress_update(frame)
            context.workspace.status_text_set(
                f"Baking '{self._object.name}': frame {frame} of {self._object.hooke.frame_end}   |   Esc: cancel"
            )
        except StopIteration:
            self._stop_timer(context)
            return self._end(context)
        except MeshError as error:
            self._stop_timer(context)
            return self._end(context, str(error))
        return {"RUNNING_MODAL"}

    def _simulate_for(self, seconds):
        """Simulate for so long, at least one frame; returns the last one."""
        began = perf_counter()
        frame = next(self._frames)
        while perf_counter() - began < seconds:
            frame = next(self._frames)
        return frame

    def _begin(self, context):
        self._object = context.object
        self._frame_before = context.scene.frame_current
        self._frames = simulate.frames(context.scene, [self._object])
        try:
            bake.check_bakeable(self._object)
        except MeshError as error:
            self.report({"ERROR"}, str(error))
            return False
        for warning in preflight.mesh_warnings(self._object):
            self.report({"WARNING"}, warning)
        return True

    def _end(self, context, problem="", level="ERROR"):
        if problem:
            self.report({level}, problem)
        else:
            running = session.find(self._object)
            count = self._object.hooke.frame_end - self._object.hooke.frame_start + 1
            bake.to_shape_keys(self._object, running.frames[:count], self._object.hooke.frame_start)
            self.report({"INFO"}, f"baked {count} frames of '{self._object.name}'")
        context.scene.frame_set(self._frame_before)
        return {"CANCELLED"} if problem else {"FINISHED"}

    def _stop_timer(self, context):
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


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


_CLASSES = (HOOKE_OT_bake, HOOKE_OT_clear_bake)


def register():
    """Register the operators."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    """Unregister the operators."""
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
