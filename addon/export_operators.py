# SPDX-License-Identifier: GPL-3.0-or-later
"""The operator that exports bakes."""

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from . import exports
from .bakes import places
from .exports import FORMATS
from .mesh_io import MeshError
from .wrapped_text import draw_text

# Most sentences about a format's limits that the file browser shows; the report has all.
_SENTENCES = 8


class HOOKE_OT_export(bpy.types.Operator, ExportHelper):
    """Export baked objects over the frames of the bake"""

    bl_idname = "hooke.export"
    bl_label = "Export Bake"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ""
    check_extension = None

    format: EnumProperty(
        name="Format", items=[(form.id, form.label, form.description) for form in FORMATS.values()]
    )
    selected: BoolProperty(
        name="Selected", description="Export only the selected objects, not the whole scene", default=True
    )
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE", *places.RELATIVE_PATHS})

    @classmethod
    def description(cls, _context, properties):
        """What the chosen format holds."""
        return FORMATS[properties.format].description

    @classmethod
    def poll(cls, context):
        if context.mode != "OBJECT":
            cls.poll_message_set("Leave Edit Mode first")
            return False
        if not any(obj.type == "MESH" and obj.hooke.bake.exists for obj in context.scene.objects):
            cls.poll_message_set("Nothing is baked: bake an object first")
            return False
        return True

    def invoke(self, context, event):
        """Ask for the file; refuse at once if the format cannot hold the objects."""
        try:
            exports.check(self.format, self._objects(context))
        except MeshError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.filename_ext = FORMATS[self.format].extension
        return ExportHelper.invoke(self, context, event)

    def check(self, _context):
        """Keep the file name's extension that of the format."""
        path = FORMATS[self.format].named(self.filepath)
        changed, self.filepath = path != self.filepath, path
        return changed

    def draw(self, context):
        """Draw the options, and the differences between the file and the scene."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "format")
        layout.prop(self, "selected")
        told = exports.warnings(self.format, context.scene, self._objects(context))
        for sentence in told[:_SENTENCES]:
            draw_text(layout, sentence, "ERROR")
        if len(told) > _SENTENCES:
            layout.label(text=f"and {len(told) - _SENTENCES} more", icon="BLANK1")

    def execute(self, context):
        if not self.filepath:
            self.report({"ERROR"}, "no file is named to export to: give one as filepath")
            return {"CANCELLED"}
        path = FORMATS[self.format].named(bpy.path.abspath(self.filepath))
        try:
            warnings = exports.write(self.format, path, context.scene, self._objects(context), self.selected)
        except MeshError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for warning in warnings:
            self.report({"WARNING"}, warning)
        self.report({"INFO"}, f"exported {path}")
        return {"FINISHED"}

    def _objects(self, context):
        return list(context.selected_objects if self.selected else context.scene.objects)


def register():
    """Register the operator."""
    bpy.utils.register_class(HOOKE_OT_export)


def unregister():
    """Unregister the operator."""
    bpy.utils.unregister_class(HOOKE_OT_export)
