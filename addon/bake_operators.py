# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that bake and clear bakes: each checks, works frame by frame, and reports."""

from time import perf_counter

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from . import bakes, preflight, session, simulate
from .bakes import files
from .mesh_io import MeshError

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
    """Simulate the frame range and keep it, undoable and clearable; Esc cancels and changes nothing"""

    bl_idname = "hooke.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    mode: EnumProperty(
        name="Mode",
        description="What to keep the frames as; that of the object unless given",
        items=bakes.mode_items(),
        options={"SKIP_SAVE"},
    )
    step: IntProperty(
        name="Step",
        description="Frames from one shape key to the next; that of the object unless given",
        default=1,
        min=1,
        options={"SKIP_SAVE"},
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Largest error of Principal Shapes [m]; that of the object unless given",
        default=1e-3,
        min=1e-6,
        precision=4,
        subtype="DISTANCE",
        options={"SKIP_SAVE"},
    )
    filepath: StringProperty(
        name="Cache File",
        description="Where a Mesh Cache lies; beside the file unless given",
        subtype="FILE_PATH",
        options={"SKIP_SAVE", *files.RELATIVE_PATHS},
    )
    selected: BoolProperty(
        name="Selected",
        description="Bake all selected objects that Hooke simulates, not the active one alone",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context):
        if not any(not obj.hooke.bake.items for obj in _candidates(context)):
            cls.poll_message_set("Select an object that Hooke simulates and that is not baked")
            return False
        return True

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
        ranges = [(obj.hooke.frame_start, obj.hooke.frame_end) for obj in self._objects]
        self._last = max(last for _, last in ranges)
        context.window_manager.progress_begin(min(first for first, _ in ranges), self._last)
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
                f"Baking {_names(self._objects)}: frame {frame} of {self._last}   |   Esc: cancel"
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
        self._objects = [context.object]
        if self.selected:
            self._objects = [obj for obj in _candidates(context, selected=True) if not obj.hooke.bake.items]
        self._frame_before = context.scene.frame_current
        self._frames = simulate.frames(context.scene, self._objects)
        try:
            if not self._objects:
                raise MeshError("no selected object is simulated and not baked: select one")
            if self.filepath and len(self._objects) > 1:
                raise MeshError(
                    f"{len(self._objects)} objects cannot share one cache file: bake them one by one"
                )
            for obj in self._objects:
                bakes.check(obj, *self._how(obj))
        except MeshError as error:
            self.report({"ERROR"}, str(error))
            return False
        for obj in self._objects:
            for warning in preflight.mesh_warnings(obj):
                self.report({"WARNING"}, warning)
        return True

    def _how(self, obj):
        """Bake mode and Options: the operator's where they are given, else the object's own."""

        def setting(name, own):
            return getattr(self, name) if self.properties.is_property_set(name) else getattr(obj.hooke, own)

        options = bakes.Options(
            step=setting("step", "bake_step"),
            tolerance=setting("tolerance", "tolerance"),
            filepath=self.filepath,
        )
        return setting("mode", "bake_mode"), options

    def _end(self, context, problem="", level="ERROR"):
        if not problem:
            problem = self._bake_all()
        if problem:
            self.report({level}, problem)
        context.scene.frame_set(self._frame_before)
        return {"CANCELLED"} if problem else {"FINISHED"}

    def _bake_all(self):
        """Bake every object, or none; returns what went wrong, "" if nothing did."""
        done: list[bpy.types.Object] = []
        for obj in self._objects:
            settings = obj.hooke
            count = settings.frame_end - settings.frame_start + 1
            mode, options = self._how(obj)
            try:
                baked = bakes.make(obj, mode, session.find(obj).frames[:count], settings.frame_start, options)
            except MeshError as error:
                for other in done:
                    bakes.clear(other)
                return str(error)
            done.append(obj)
            for warning in baked.warnings:
                self.report({"WARNING"}, warning)
            self.report({"INFO"}, f"baked {count} frames of '{obj.name}' {bakes.summary(obj)}")
        return ""

    def _stop_timer(self, context):
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


class HOOKE_OT_clear_bake(bpy.types.Operator):
    """Remove what the bake added and bring back what it muted or turned off"""

    bl_idname = "hooke.clear_bake"
    bl_label = "Clear Bake"
    bl_options = {"REGISTER", "UNDO"}

    selected: BoolProperty(
        name="Selected",
        description="Clear the bakes of all selected objects, not of the active one alone",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context):
        if context.mode != "OBJECT":
            cls.poll_message_set("Leave Edit Mode first")
            return False
        return any(obj.hooke.bake.items for obj in _candidates(context))

    def execute(self, context):
        objects = _candidates(context, selected=True) if self.selected else [context.object]
        baked = [obj for obj in objects if obj.hooke.bake.items]
        if not baked:
            self.report({"ERROR"}, "nothing of this is baked: select or activate an object with a bake")
            return {"CANCELLED"}
        for obj in baked:
            bakes.clear(obj)
        context.scene.frame_set(context.scene.frame_current)
        return {"FINISHED"}


def _candidates(context, selected=None):
    """The simulated ones among the active object and, unless `selected` says so alone, the selected objects."""
    objects = list(context.selected_objects)
    if not selected and context.object is not None and context.object not in objects:
        objects.append(context.object)
    return [obj for obj in objects if obj.type == "MESH" and obj.hooke.enabled]


def _names(objects):
    return ", ".join(f"'{obj.name}'" for obj in objects)


_CLASSES = (HOOKE_OT_bake, HOOKE_OT_clear_bake)


def register():
    """Register the operators."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    """Unregister the operators."""
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
