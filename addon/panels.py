# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels, in the 3D view's sidebar and in the physics tab of the properties: they draw and nothing else."""

import bpy

from . import bakes, readout
from .bakes import played
from .exports import FORMATS
from .play import range_operator
from .play.choice import chosen
from .readout import before_flight
from .readout.remedies import REMEDIES, offered
from .sections import SECTIONS, is_collider, without_effect
from .sections.section import Section
from .sections.solver import EFFORT_ITEMS
from .wrapped_text import draw_lines, draw_text, shortened, side_by_side, wrapped

# Lines of the status, whatever it says: nothing below it moves. A message with a button has one line less.
_LINES, _FIGURES = 5, 2


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
    """The settings of a section, and below them what the section's id has in _BELOW."""

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
    """What everybody changes, how the simulation is, and what can be done with it."""

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
            _draw_status(layout.box().column(align=True), obj, context.scene)
            _draw_buttons(layout, context)
            column = _settings_column(self, obj)
            for section in SECTIONS:
                section.draw_beside_bake(column, obj)


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
    """What will go wrong, each with its fix, once it is looked for."""

    bl_label = "Pre-Flight"
    layout: bpy.types.UILayout

    def draw(self, context):
        obj, layout = context.object, self.layout
        layout.operator("hooke.pre_flight", icon="VIEWZOOM")
        told = before_flight.told(obj)
        if told is not None and not told:
            layout.label(text="Nothing wrong is found", icon="CHECKMARK")
        for number, (complaint, vertices, remedy, label) in enumerate(told or ()):
            box = layout.box().column(align=True)
            draw_text(box, complaint.text, complaint.icon)
            if remedy is not None:
                box.operator("hooke.mend", text=label, icon="CHECKMARK").remedy = remedy
            if len(vertices):
                box.operator("hooke.select_found", icon="RESTRICT_SELECT_OFF").number = number


class RemovePanel(SubPanel):
    """What is rarely wanted, last and out of the way."""

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


def _draw_status(column, obj, scene):
    """Draw how it is in lines of a fixed number."""
    record, progress = obj.hooke.bake, range_operator.progress
    if progress is not None:
        column.progress(factor=progress.fraction, text=progress.sentence())
        draw_lines(column, ["Esc: cancel", *[""] * (_LINES - 2)], "CANCEL")
    elif record.exists and (wrong := played.problem(obj)):
        _draw_message(column, wrong, "ERROR", _LINES)
    elif record.exists:
        text = f"Baked: frames {record.frame_start}–{record.frame_end} {bakes.summary(obj, brief=True)}"
        _draw_message(column, text, "KEYTYPE_KEYFRAME_VEC", _LINES)
    else:
        _draw_report(column, readout.report(obj), obj, scene)


def _draw_report(column, report, obj, scene):
    rows = _LINES
    if report.figures:
        draw_lines(column, map(shortened, report.figures), "CHECKMARK" if not report.complaints else "DOT")
        rows -= _FIGURES
    if not report.complaints:
        _draw_message(column, report.note, "BLANK1" if report.figures else report.icon, rows)
        return
    complaint = report.complaints[0]
    remedy = offered(complaint, obj, scene)
    if remedy is None:
        _draw_message(column, complaint.text, complaint.icon, rows)
        return
    _draw_message(column, complaint.text, complaint.icon, rows - 1)
    column.operator("hooke.mend", text=REMEDIES[remedy].label(obj, scene), icon="CHECKMARK").remedy = remedy


def _draw_message(column, text, icon, rows):
    """Draw a sentence in exactly so many lines."""
    lines = wrapped(text, rows)
    draw_lines(column, [*lines, *[""] * (rows - len(lines))], icon if lines else "BLANK1")


def _draw_buttons(layout, context):
    """Draw what is done with the simulation: of all selected objects, if the active one is among them."""
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

    main = panel("main", MainPanel)
    below = {"bl_parent_id": main.__name__}
    return [
        main,
        *(
            panel(section.id, SectionPanel, bl_label=section.label, section=section, **below)
            for section in SECTIONS
            if section.label
        ),
        panel("pre_flight", PreFlightPanel, **below),
        panel("diagnostics", DiagnosticsPanel, **below),
        panel("remove", RemovePanel, **below),
    ]


register, unregister = bpy.utils.register_classes_factory(
    (HOOKE_MT_effort, *_panels(Sidebar), *_panels(Physics))
)
