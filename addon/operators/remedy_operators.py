# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on what is found wrong: look, select, set right, fit, and put away."""

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from .. import mesh_io, readout
from ..play import fitting
from ..play.start_preview import at_start
from ..readout import before_flight, dismissed_remarks, remedies
from .polls import in_object_mode, simulated


class HOOKE_OT_mend(bpy.types.Operator):
    """Correct the problem that the status reports"""

    bl_idname = "hooke.mend"
    bl_label = "Mend"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    remedy: EnumProperty(
        name="Remedy",
        description="What is set right",
        items=[
            (name, name.replace("_", " ").title(), type(known).__doc__ or "")
            for name, known in remedies.REMEDIES.items()
        ],
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context):
        return simulated(context) and not context.object.hooke.bake.exists

    @classmethod
    def description(cls, context, properties):
        return remedies.REMEDIES[properties.remedy].__doc__

    def execute(self, context):
        remedy, obj = remedies.REMEDIES[self.remedy], context.object
        label = remedy.label(obj, context.scene)
        if not label:
            self.report({"INFO"}, f"nothing of '{obj.name}' needs that any more")
            return {"CANCELLED"}
        if remedy.apply(obj, context.scene) is False:
            self.report(
                {"WARNING"},
                f"{label} changed nothing of '{obj.name}': select what is found, and change it",
            )
        if before_flight.told(obj) is not None:
            before_flight.look(obj, context.scene)
        return {"FINISHED"}


class HOOKE_OT_put_away(bpy.types.Operator):
    """Hide this remark about the object until Reset"""

    bl_idname = "hooke.put_away"
    bl_label = "Put Away"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    key: StringProperty(name="Remark", description="What it is remembered by", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context):
        return simulated(context)

    def execute(self, context):
        dismissed_remarks.put(context.object, self.key)
        return {"FINISHED"}


class HOOKE_OT_pre_flight(bpy.types.Operator):
    """List problems of the object before it is simulated, each with its fix"""

    bl_idname = "hooke.pre_flight"
    bl_label = "Check Before Simulating"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context):
        return in_object_mode(cls, context) and simulated(context) and not context.object.hooke.bake.exists

    def execute(self, context):
        found = before_flight.look(context.object, context.scene)
        for complaint, *_ in found:
            self.report({"WARNING" if complaint.icon == "ERROR" else "INFO"}, complaint.text)
        return {"FINISHED"}


class HOOKE_OT_select_found(bpy.types.Operator):
    """Select the vertices with this problem, in Edit Mode"""

    bl_idname = "hooke.select_found"
    bl_label = "Select"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    number: IntProperty(
        name="Number",
        description="Number of the finding, from 0; -1 is the problem in the status",
        default=-1,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context):
        return in_object_mode(cls, context) and simulated(context)

    def execute(self, context):
        obj = context.object
        found = (
            readout.report(obj).complaints[:1]
            if self.number < 0
            else (before_flight.told(obj) or [])[self.number :]
        )
        vertices = found[0].vertices if found else ()
        if not len(vertices) or max(vertices) >= len(obj.data.vertices):
            self.report({"ERROR"}, f"'{obj.name}' is another since: check it again")
            return {"CANCELLED"}
        context.tool_settings.mesh_select_mode = (True, False, False)
        mesh_io.select(obj.data, vertices)
        bpy.ops.object.mode_set(mode="EDIT")
        return {"FINISHED"}


class HOOKE_OT_fit_distances(bpy.types.Operator):
    """Measure how near the object begins to its colliders and to itself. Lower Thickness and the Distance of
    Self-Collision [m] to what all but a tenth of its vertices have"""

    bl_idname = "hooke.fit_distances"
    bl_label = "Fit Distances"
    bl_options = {"REGISTER", "UNDO"}

    outer: BoolProperty(
        name="Outer Thickness",
        description="Also lower the Outer Thickness of the colliders [m], which is added to Thickness. It belongs to "
        "the colliders: all that collides with them comes as near",
        default=False,
    )

    @classmethod
    def poll(cls, context):
        return in_object_mode(cls, context) and simulated(context) and not context.object.hooke.bake.exists

    def execute(self, context):
        obj = context.object
        try:
            with at_start(obj, context.scene) as first:
                fit = first.fit
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        changed, stay = fitting.apply(obj, fit, outer=False)
        if self.outer:
            more, stay = fitting.apply(obj, fit, outer=True)
            changed += more
        else:
            stay = [
                f"Outer Thickness of '{other.name}' adds {1e3 * other.collision.thickness_outer:.2g} mm; it begins "
                f"{1e3 * value:.2g} mm away: turn Outer Thickness on below to lower it"
                for other, value in fit.outer.items()
            ]
        for sentence in stay:
            self.report({"WARNING"}, sentence)
        self.report({"INFO"}, "; ".join(changed) or f"'{obj.name}' begins no nearer than it keeps")
        return {"FINISHED"}


CLASSES = (
    HOOKE_OT_mend,
    HOOKE_OT_put_away,
    HOOKE_OT_pre_flight,
    HOOKE_OT_select_found,
    HOOKE_OT_fit_distances,
)
