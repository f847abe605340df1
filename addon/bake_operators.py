# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that simulate whole ranges, bake them, and clear bakes."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from . import bakes, preflight
from .bakes import checks, places
from .mesh_io import MeshError
from .operators import in_object_mode, simulated
from .play import current_frame, sessions
from .play.chosen_objects import chosen, selected_property, within_reach
from .play.range_operator import RangeOperator


class HOOKE_OT_simulate(RangeOperator, bpy.types.Operator):
    """Simulate the frame range into the cache, to play, scrub and render it. Esc stops and keeps the finished frames"""

    bl_idname = "hooke.simulate"
    bl_label = "Simulate"
    bl_options = {"REGISTER"}

    selected: selected_property("Simulate all selected objects, not the active one alone")

    @classmethod
    def poll(cls, context):
        if all(obj.hooke.bake.exists for obj in within_reach(context)):
            cls.poll_message_set("Select an object that Hooke simulates and that is not baked")
            return False
        return True

    def objects(self, context):
        """The active object, or all that are selected, those aside that are baked."""
        objects = [obj for obj in chosen(context, self.selected) if not obj.hooke.bake.exists]
        if not objects:
            raise MeshError(
                "the active object is not simulated by Hooke, or baked: make one active that is neither"
            )
        return objects

    def check(self, obj):
        """Raise MeshError if the object cannot be simulated over its range."""
        checks.check_range(obj)

    def finish(self, objects):
        """The frames are in the cache: say so."""
        for obj in objects:
            self.report({"INFO"}, f"simulated {len(sessions.find(obj).frames)} frames of '{obj.name}'")


class HOOKE_OT_bake(RangeOperator, bpy.types.Operator):
    """Simulate the frame range and write it as Bake To says. Esc cancels and changes nothing; Clear Bake and undo
    restore the object"""

    bl_idname = "hooke.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}
    cancelled = "bake cancelled: the simulated frames are kept, nothing is baked"

    mode: EnumProperty(
        name="Mode",
        description="What to write; by default the object's own setting",
        items=bakes.mode_items(),
        default=bakes.AUTOMATIC,
        options={"SKIP_SAVE"},
    )
    step: IntProperty(
        name="Step",
        description="Frames between two shape keys; by default the object's own setting",
        default=1,
        min=1,
        options={"SKIP_SAVE"},
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Largest error of Principal Shapes [m]; by default the object's own setting",
        default=1e-3,
        min=1e-6,
        precision=4,
        subtype="DISTANCE",
        options={"SKIP_SAVE"},
    )
    filepath: StringProperty(
        name="Cache File",
        description="File of the Mesh Cache; by default in a folder beside the .blend file",
        subtype="FILE_PATH",
        options={"SKIP_SAVE", *places.RELATIVE_PATHS},
    )
    split: BoolProperty(
        name="Split Mesh",
        description="Open tears in a Mesh Cache by doubled vertices; by default the object's own setting",
        default=False,
        options={"SKIP_SAVE"},
    )
    selected: selected_property("Bake all selected objects that Hooke simulates, not the active one alone")

    @classmethod
    def poll(cls, context):
        if not any(not obj.hooke.bake.exists for obj in within_reach(context)):
            cls.poll_message_set("Select an object that Hooke simulates and that is not baked")
            return False
        return True

    def check(self, obj):
        """Raise MeshError if the object cannot be baked."""
        bakes.check(obj, *self._how(obj))

    def objects(self, context):
        """The active object, or all that are selected; raises MeshError where none can be baked."""
        preflight.check_time(context.scene)
        objects = [context.object]
        if not self.selected and not simulated(context):
            raise MeshError(
                "the active object is not simulated by Hooke: make one active that is, or bake all that are selected"
            )
        if self.selected:
            objects = [obj for obj in chosen(context, selected=True) if not obj.hooke.bake.exists]
        if not objects:
            raise MeshError("no selected object is simulated and not baked: select one")
        if self.filepath and len(objects) > 1:
            raise MeshError(f"{len(objects)} objects cannot share one cache file: bake them one by one")
        return objects

    def finish(self, objects):
        """Bake every object, or none."""
        done: list[bpy.types.Object] = []
        for obj in objects:
            settings = obj.hooke
            count = settings.frame_end - settings.frame_start + 1
            mode, options = self._how(obj)
            frames, torn = sessions.to_bake(obj, count)
            try:
                baked = bakes.make(obj, mode, frames, settings.frame_start, options._replace(torn=torn))
            except BaseException:
                for other in done:
                    bakes.clear(other)
                raise
            done.append(obj)
            for warning in baked.warnings:
                self.report({"WARNING"}, warning)
            self.report({"INFO"}, f"baked {count} frames of '{obj.name}' {bakes.summary(obj)}")

    def _how(self, obj):
        """Bake mode and Options: the operator's where they are given, else the object's own."""

        def setting(name, own):
            return getattr(self, name) if self.properties.is_property_set(name) else getattr(obj.hooke, own)

        options = bakes.Options(
            step=setting("step", "bake_step"),
            tolerance=setting("tolerance", "bake_tolerance"),
            filepath=self.filepath,
            split=setting("split", "bake_split"),
        )
        return bakes.mode_for(obj, setting("mode", "bake_mode")), options


class HOOKE_OT_clear_bake(bpy.types.Operator):
    """Remove the bake, and restore the shape keys and modifiers that it muted or turned off"""

    bl_idname = "hooke.clear_bake"
    bl_label = "Clear Bake"
    bl_options = {"REGISTER", "UNDO"}

    selected: selected_property("Clear the bakes of all selected objects, not of the active one alone")

    @classmethod
    def poll(cls, context):
        if not in_object_mode(cls, context):
            return False
        return any(obj.hooke.bake.exists for obj in chosen(context, selected=True))

    def execute(self, context):
        baked = [obj for obj in chosen(context, self.selected) if obj.hooke.bake.exists]
        if not baked:
            self.report({"ERROR"}, "nothing of this is baked: select or activate an object with a bake")
            return {"CANCELLED"}
        try:
            for obj in baked:
                for sentence in bakes.clear(obj):
                    self.report({"WARNING"}, sentence)
        except MeshError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        scene = context.scene
        current_frame.go_to(scene, scene.frame_current, scene.frame_subframe)
        return {"FINISHED"}


register, unregister = bpy.utils.register_classes_factory(
    (HOOKE_OT_simulate, HOOKE_OT_bake, HOOKE_OT_clear_bake)
)
