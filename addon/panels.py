# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar tab: panels draw and nothing else."""

import bpy

from ..core.solvers.linear import backends
from . import bakes, preflight, readout
from .exports import FORMATS
from .play import range_operator
from .sections import SECTIONS
from .sections.section import Section
from .wrapped_text import draw_text


class HookePanel:
    """Place of every Hooke panel."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Hooke"


class HookeSubPanel(HookePanel):
    """A closed sub-panel of a simulated object."""

    bl_parent_id = "HOOKE_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        obj = context.object
        return obj is not None and obj.type == "MESH" and obj.hooke.enabled


class SectionPanel(HookeSubPanel):
    """The settings of a section, and below them what the section's id has in _BELOW."""

    layout: bpy.types.UILayout
    section: Section

    @classmethod
    def poll(cls, context):
        return super().poll(context) and cls.section.poll(context.object.hooke)

    def draw(self, context):
        obj = context.object
        self.section.draw(_settings_column(self.layout, obj), obj)
        draw_below = _BELOW.get(self.section.id)
        if draw_below is not None:
            draw_below(self.layout, obj)


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
        column = _settings_column(layout, obj)
        for section in SECTIONS:
            section.draw_main(column, obj)
        record = obj.hooke.bake
        if record.exists:
            text = f"Baked: frames {record.frame_start} to {record.frame_end} {bakes.summary(obj)}"
            draw_text(layout, text, "KEYTYPE_KEYFRAME_VEC")
        else:
            text, icon, doubts = readout.report(obj)
            draw_text(layout, text, icon)
            for doubt in doubts:
                draw_text(layout, doubt, "ERROR")
            self._draw_stability(layout, obj)
        if context.scene.sync_mode == "FRAME_DROP" and not record.exists:
            draw_text(
                layout,
                "Playback drops frames, which stops the simulation: set Playback > Sync to Play Every Frame",
                "ERROR",
            )
        row = layout.row(align=True)
        row.operator("hooke.reset", icon="FILE_REFRESH")
        if record.exists:
            row.operator("hooke.clear_bake", icon="X")
        else:
            row.operator("hooke.bake", icon="KEY_HLT")
        layout.operator("hooke.remove", icon="REMOVE")
        if not backends():
            draw_text(layout, preflight.SCIPY_MISSING, "ERROR")

    def _draw_stability(self, layout, obj):
        warning = readout.stability_warning(obj)
        if warning is not None:
            text, enough = warning
            draw_text(layout, text, "ERROR")
            if enough is not None:
                layout.operator("hooke.set_substeps", text=f"Set {enough:,} Substeps", icon="CHECKMARK")


class HOOKE_PT_diagnostics(HookeSubPanel, bpy.types.Panel):
    bl_label = "Diagnostics"

    def draw(self, context):
        figures = readout.diagnostics(context.object)
        if not figures:
            self.layout.label(text="Nothing simulated yet", icon="INFO")
        for name, value in figures:
            row = self.layout.split(factor=0.5)
            row.label(text=name)
            row.label(text=value)


def _settings_column(layout, obj):
    """Where settings go: labels beside values, grey while the object is baked."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    column = layout.column()
    column.active = not obj.hooke.bake.exists
    return column


def _draw_cache_status(layout, obj):
    """Which frames are cached, or in which formats the bake can be exported."""
    if not obj.hooke.bake.exists:
        draw_text(layout, *readout.cache_status(obj))
        return
    row = layout.row(align=True)
    for form in FORMATS.values():
        if form.available():
            row.operator("hooke.export", text=form.label).format = form.id


_BELOW = {"bake": _draw_cache_status}

_SECTION_PANELS = [
    type(
        f"HOOKE_PT_{section.id}",
        (SectionPanel, bpy.types.Panel),
        {"bl_label": section.label, "section": section},
    )
    for section in SECTIONS
    if section.label
]

register, unregister = bpy.utils.register_classes_factory(
    (HOOKE_PT_main, *_SECTION_PANELS, HOOKE_PT_diagnostics)
)
