# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels, in the 3D view's sidebar and in the physics tab of the properties: they draw and nothing else."""

import bpy

from .. import readout
from ..exports import FORMATS
from ..play import range_operator
from ..play.chosen_objects import chosen
from ..readout import before_flight
from ..readout.remedies import REMEDIES
from ..sections import SECTIONS, is_collider, without_effect
from ..sections.section import Section
from ..sections.solver import EFFORT_ITEMS
from ..wrapped_text import draw_text, side_by_side
from .status import draw_status

# The settings that change most come first; all other sections are in one panel.
FIRST = ("pins", "material", "springs", "collisions", "forces", "shape", "solver")


class Sidebar:
    """In the sidebar of the 3D view."""

    prefix = ""
    # As Blender's own sidebar: names and values take its width.
    decorates = False
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Hooke"


class Physics:
    """Beside Blender's own physics, in the properties of an object."""

    prefix = "physics_"
    decorates = True
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"


class SubPanel:
    """A closed sub-panel of a simulated object."""

    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        obj = context.object
        return obj is not None and obj.type == "MESH" and obj.hooke.enabled


class SectionPanel(SubPanel):
    """The settings of a section, and below them the entry of the section's id in _BELOW."""

    layout: bpy.types.UILayout
    section: Section

    @classmethod
    def poll(cls, context):
        return super().poll(context) and cls.section.poll(context.object.hooke)

    def draw_header(self, context):
        """Draw the switch of the section, if it has one."""
        if self.section.switch:
            row = self.layout.row()
            row.enabled = _unlocked(context.object) and _counts(self.section, context.object)
            row.prop(context.object.hooke, self.section.switch, text="")

    def draw(self, context):
        obj = context.object
        column = _settings_column(self, obj)
        column.enabled = column.enabled and _counts(self.section, obj)
        self.section.draw(column, obj)
        draw_below = _BELOW.get(self.section.id)
        if draw_below is not None:
            draw_below(self.layout, obj)


class MainPanel:
    """The most used settings, the buttons, and the status."""

    bl_label = "Hooke"
    layout: bpy.types.UILayout

    def draw(self, context):
        layout, obj = self.layout, context.object
        if obj is None or obj.type != "MESH":
            layout.label(text="Select a mesh", icon="INFO")
        elif not obj.hooke.enabled:
            count = sum(other.type == "MESH" for other in context.selected_objects) if obj.select_get() else 1
            text = "Add Hooke" if count == 1 else f"Add Hooke to {count} Objects"
            layout.operator("hooke.add", text=text, icon="ADD").selected = obj.select_get()
            if not is_collider(obj):
                layout.operator("hooke.make_collider", icon="MOD_PHYSICS")
        else:
            column = _settings_column(self, obj)
            for section in SECTIONS:
                section.draw_main(column, obj)
            _draw_buttons(layout, context)
            column = _settings_column(self, obj)
            for section in SECTIONS:
                section.draw_beside_bake(column, obj)
            # Last, because it grows with its text, and buttons stay in place.
            draw_status(layout.box().column(align=True), obj, context.scene)


class MorePanel(SubPanel):
    """Less used settings, in panels of their own."""

    bl_label = "More"
    layout: bpy.types.UILayout

    def draw(self, context):
        """Its panels are all there is."""


class DiagnosticsPanel(SubPanel):
    """Figures of the newest frame, and all that is not as it should be."""

    bl_label = "Diagnostics"
    layout: bpy.types.UILayout

    def draw(self, context):
        obj = context.object
        for complaint in readout.report(obj).complaints:
            draw_text(self.layout, complaint.text, complaint.icon)
        figures = readout.diagnostics(obj)
        if not figures:
            self.layout.label(text="Nothing simulated yet", icon="INFO")
        for name, value in figures:
            row = self.layout.split(factor=0.5)
            row.label(text=name)
            row.label(text=value)


class PreFlightPanel(SubPanel):
    """Expected problems, each with its fix, after a look for them."""

    bl_label = "Pre-Flight"
    layout: bpy.types.UILayout

    def draw(self, context):
        obj, layout = context.object, self.layout
        layout.operator("hooke.pre_flight", icon="VIEWZOOM")
        told = before_flight.told(obj)
        if told is not None and not told:
            layout.label(text="Nothing wrong is found", icon="CHECKMARK")
        for number, found in enumerate(told or ()):
            box = layout.box().column(align=True)
            draw_text(box, found.complaint.text, found.complaint.icon)
            for remedy, label in [(found.remedy, found.label), *found.others] if found.remedy else ():
                box.operator("hooke.mend", text=label, icon="CHECKMARK").remedy = remedy
            if len(found.vertices):
                box.operator("hooke.select_found", icon="RESTRICT_SELECT_OFF").number = number


class RemovePanel(SubPanel):
    """Rarely used buttons, last and out of the way."""

    bl_label = "Remove"
    bl_options = {"HIDE_HEADER"}
    layout: bpy.types.UILayout

    def draw(self, context):
        row = side_by_side(self.layout)
        row.operator("hooke.copy_settings", text="Copy to Selected")
        row.operator("hooke.remove", text="Remove", icon="X").selected = context.object.select_get()


class HOOKE_MT_effort(bpy.types.Menu):
    """The qualities that can be chosen: Custom is what becomes of them when the solver is set by hand."""

    bl_label = "Quality"

    def draw(self, context):
        for name, *_ in EFFORT_ITEMS:
            if name != "CUSTOM":
                self.layout.prop_enum(context.object.hooke, "effort", name)


def _unlocked(obj):
    """Whether settings may be changed: not while the object is baked, or its range is simulated."""
    return not obj.hooke.bake.exists and range_operator.progress is None


def _counts(section, obj):
    """Whether the settings of a section make a difference, or one is set that does not."""
    return section.counts(obj) or bool(section.properties.keys() & set(without_effect(obj.hooke)))


def _settings_column(panel, obj):
    """Where settings go: labels beside values."""
    layout = panel.layout
    layout.use_property_split = True
    layout.use_property_decorate = panel.decorates
    column = layout.column()
    column.enabled = _unlocked(obj)
    return column


def _draw_buttons(layout, context):
    """Draw the buttons of the simulation: of all selected objects, if the active one is among them."""
    selected = context.object.select_get()
    count = len(chosen(context, selected))
    of = f" {count}" if count > 1 else ""
    row = layout.row(align=True)
    row.enabled = range_operator.progress is None
    row.operator("hooke.simulate", text=f"Simulate{of}", icon="PHYSICS").selected = selected
    if context.object.hooke.bake.exists:
        row.operator("hooke.clear_bake", icon="X").selected = selected
    else:
        row.operator("hooke.bake", text=f"Bake{of}", icon="KEY_HLT").selected = selected
    row.operator("hooke.reset", text="", icon="FILE_REFRESH").selected = selected
    if REMEDIES["LOCAL"].label(context.object, context.scene):
        button = layout.operator("hooke.mend", text="Make Local to Bake", icon="LIBRARY_DATA_OVERRIDE")
        button.remedy = "LOCAL"


def _draw_cache_status(layout, obj):
    """Which frames are cached, or in which formats the bake can be exported."""
    if not obj.hooke.bake.exists:
        draw_text(layout, *readout.cache_status(obj))
        return
    row = layout.row(align=True)
    for form in FORMATS.values():
        if form.available():
            row.operator("hooke.export", text=form.label).format = form.id


def _draw_overlay(layout, _obj):
    """The switch of the overlay, which is of all windows and in no file."""
    row = layout.row()
    row.use_property_split = True
    row.prop(bpy.context.window_manager, "hooke_overlay")


_BELOW = {"bake": _draw_cache_status, "viewport_display": _draw_overlay}


def _panels(place):
    """All panels in a place, the main one first."""

    def panel(name, kind, **more):
        return type(f"HOOKE_PT_{place.prefix}{name}", (kind, place, bpy.types.Panel), more)

    def of_sections(sections, parent):
        return [
            panel(
                section.id,
                SectionPanel,
                bl_label=section.label,
                section=section,
                bl_parent_id=parent.__name__,
            )
            for section in sections
            if section.label
        ]

    main = panel("main", MainPanel)
    below = {"bl_parent_id": main.__name__}
    more = panel("more", MorePanel, **below)
    first = [section for name in FIRST for section in SECTIONS if section.id == name]
    rest = [section for section in SECTIONS if section.id not in FIRST]
    return [
        main,
        *of_sections(first, main),
        panel("pre_flight", PreFlightPanel, **below),
        more,
        *of_sections(rest, more),
        panel("diagnostics", DiagnosticsPanel, bl_parent_id=more.__name__),
        panel("remove", RemovePanel, **below),
    ]


register, unregister = bpy.utils.register_classes_factory(
    (HOOKE_MT_effort, *_panels(Sidebar), *_panels(Physics))
)
