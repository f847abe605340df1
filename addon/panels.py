# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar tab: panels draw and nothing else."""

import textwrap
from math import inf

import bpy

from ..core import INTEGRATORS
from ..core.solvers.linear import backends
from . import bakes, preflight, properties, readout
from .exports import FORMATS
from .play import range_operator


class HookePanel:
    """Place of every Hooke panel."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Hooke"


class HookeSubPanel(HookePanel):
    """A closed sub-panel with settings of a simulated object."""

    bl_parent_id = "HOOKE_PT_main"
    bl_options = {"DEFAULT_CLOSED"}
    layout: bpy.types.UILayout
    width = 260

    @classmethod
    def poll(cls, context):
        obj = context.object
        return obj is not None and obj.type == "MESH" and obj.hooke.enabled

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.active = not context.object.hooke.bake.items
        self.width = context.region.width
        self.draw_settings(column, context.object)

    def draw_settings(self, layout, obj):
        """Draw the settings of an object into a layout; each sub-panel has its own."""


class HOOKE_PT_main(HookePanel, bpy.types.Panel):
    bl_label = "Hooke"

    def draw(self, context):
        layout, obj = self.layout, context.object
        if obj is None or obj.type != "MESH":
            layout.label(text="Select a mesh", icon="INFO")
        elif not obj.hooke.enabled:
            layout.operator("hooke.add", icon="ADD")
        elif range_operator.progress is not None:
            progress = range_operator.progress
            layout.progress(factor=progress.fraction, text=progress.sentence())
            layout.label(text="Esc: cancel", icon="CANCEL")
        else:
            self._draw_simulation(context, layout, obj)

    def _draw_simulation(self, context, layout, obj):
        settings = obj.hooke
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.active = not settings.bake.items
        column.prop_search(settings, "pin_group", obj, "vertex_groups")
        column.prop(settings, "stiffness", text="Stiffness (N/m)")
        column.prop(settings, "mass")
        column.prop(settings, "damping", text="Damping (Ns/m)")
        column.prop(settings, "effort")
        if settings.bake.items:
            record = settings.bake
            text = f"Baked: frames {record.frame_start} to {record.frame_end} {bakes.summary(obj)}"
            _draw_text(layout, text, "KEYTYPE_KEYFRAME_VEC", width=context.region.width)
        else:
            _draw_text(layout, *readout.status(obj), width=context.region.width)
            self._draw_stability(context, layout, obj)
        if context.scene.sync_mode == "FRAME_DROP" and not settings.bake.items:
            _draw_text(
                layout,
                "Playback drops frames, which stops the simulation: set Playback > Sync to Play Every Frame",
                "ERROR",
                width=context.region.width,
            )
        row = layout.row(align=True)
        row.operator("hooke.reset", icon="FILE_REFRESH")
        if settings.bake.items:
            row.operator("hooke.clear_bake", icon="X")
        else:
            row.operator("hooke.bake", icon="KEY_HLT")
        layout.operator("hooke.remove", icon="REMOVE")
        if not backends():
            _draw_text(layout, preflight.SCIPY_MISSING, "ERROR", width=context.region.width)

    def _draw_stability(self, context, layout, obj):
        warning = readout.stability_warning(obj)
        if warning is not None:
            text, enough = warning
            _draw_text(layout, text, "ERROR", width=context.region.width)
            if enough is not None:
                layout.operator("hooke.set_substeps", text=f"Set {enough:,} Substeps", icon="CHECKMARK")


class HOOKE_PT_springs(HookeSubPanel, bpy.types.Panel):
    bl_label = "Springs"

    def draw_settings(self, layout, obj):
        layout.prop(obj.hooke, "shear")
        layout.prop(obj.hooke, "bending")
        layout.prop(obj.hooke, "length_normalised")


class HOOKE_PT_pins(HookeSubPanel, bpy.types.Panel):
    bl_label = "Pins"

    def draw_settings(self, layout, obj):
        layout.prop(obj.hooke, "pin_stiffness")


class HOOKE_PT_solver(HookeSubPanel, bpy.types.Panel):
    bl_label = "Solver"

    def draw_settings(self, layout, obj):
        method = INTEGRATORS[obj.hooke.integrator]
        layout.prop(obj.hooke, "integrator")
        _draw_text(layout, method.description, "INFO")
        row = layout.row()
        row.active = not (obj.hooke.automatic_substeps and method.stability_limit not in (0.0, inf))
        row.prop(obj.hooke, "substeps")
        layout.prop(obj.hooke, "automatic_substeps")
        for name in properties.shown_options(obj):
            layout.prop(obj.hooke, name)


class HOOKE_PT_time(HookeSubPanel, bpy.types.Panel):
    bl_label = "Time and Start"

    def draw_settings(self, layout, obj):
        settings = obj.hooke
        layout.prop(settings, "time_scale")
        layout.prop(settings, "pre_roll")
        layout.prop(settings, "loop_blend")
        layout.prop(settings, "use_saved_pose")
        row = layout.row(align=True)
        row.operator("hooke.save_pose", icon="POSE_HLT")
        row.operator("hooke.forget_pose", text="", icon="X")


class HOOKE_PT_bake(HookeSubPanel, bpy.types.Panel):
    bl_label = "Cache and Bake"

    def draw(self, context):
        super().draw(context)
        if context.object.hooke.bake.items:
            row = self.layout.row(align=True)
            for form in FORMATS.values():
                if form.available():
                    row.operator("hooke.export", text=form.label).format = form.id

    def draw_settings(self, layout, obj):
        settings = obj.hooke
        column = layout.column(align=True)
        column.prop(settings, "frame_start", text="Frame Start")
        column.prop(settings, "frame_end", text="End")
        if not settings.bake.items:
            text, icon = readout.cache_status(obj)
            _draw_text(layout, text, icon, width=self.width)
        layout.operator("hooke.simulate", icon="PHYSICS")
        layout.prop(settings, "bake_mode", text="Bake To")
        for name in bakes.MODES[settings.bake_mode].settings:
            layout.prop(settings, name)


class HOOKE_PT_diagnostics(HookeSubPanel, bpy.types.Panel):
    bl_label = "Diagnostics"

    def draw_settings(self, layout, obj):
        figures = readout.diagnostics(obj)
        if not figures:
            layout.label(text="Nothing simulated yet", icon="INFO")
        for name, value in figures:
            row = layout.split(factor=0.5)
            row.label(text=name)
            row.label(text=value)


def _draw_text(layout, text, icon, width=260):
    """Label over as many lines as a sidebar of this width [px] needs."""
    scale = bpy.context.preferences.system.ui_scale
    # Lines break between the items of a list, not inside one.
    items = text.split(" · ")
    if len(items) > 1:
        text = "\u00a0· ".join(item.replace(" ", "\u00a0") for item in items)
    column = layout.column(align=True)
    for line in textwrap.wrap(text, max(20, int(width / (6.5 * scale)) - 6)):
        column.label(text=line, icon=icon)
        icon = "BLANK1"


_CLASSES = (
    HOOKE_PT_main,
    HOOKE_PT_springs,
    HOOKE_PT_pins,
    HOOKE_PT_solver,
    HOOKE_PT_time,
    HOOKE_PT_bake,
    HOOKE_PT_diagnostics,
)


def register():
    """Register the panels."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    """Unregister the panels."""
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
