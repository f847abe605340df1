# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials by name, in Blender's own system of presets: those in presets/hooke/material, and the user's."""

from pathlib import Path

import bpy
from bl_operators.presets import AddPresetBase
from bl_ui.utils import PresetPanel

from .sections.material import Material

_SUBDIR = "hooke/material"
_FOLDER = str(Path(__file__).parent)


class HOOKE_OT_material_preset_add(AddPresetBase, bpy.types.Operator):
    """Save the material as a preset, or remove one"""

    bl_idname = "hooke.material_preset_add"
    bl_label = "Add Material Preset"
    bl_options = {"REGISTER", "INTERNAL"}
    preset_menu = "HOOKE_PT_material_presets"
    preset_subdir = _SUBDIR
    preset_defines = ["settings = bpy.context.object.hooke"]
    # The name comes last: setting a value by hand takes it away.
    preset_values = [
        f"settings.{name}"
        for name in (
            *(name for name in Material().properties if name not in Material.initial),
            *Material.initial,
        )
    ]

    @classmethod
    def poll(cls, context):
        obj = context.object
        return obj is not None and obj.type == "MESH" and obj.hooke.enabled

    def pre_cb(self, context):
        """The material is called as its preset is."""
        if not (self.remove_name or self.remove_active):  # type: ignore[attr-defined]
            context.object.hooke.material_name = self.name.strip()

    def remove(self, _context, filepath):
        """Remove a preset of the user's; raises PermissionError for one of Hooke's."""
        if Path(filepath).is_relative_to(_FOLDER):
            raise PermissionError("it came with Hooke, and stays")
        Path(filepath).unlink()


class HOOKE_PT_material_presets(PresetPanel, bpy.types.Panel):
    bl_label = "Material Presets"
    preset_subdir = _SUBDIR
    preset_operator = "script.execute_preset"
    preset_add_operator = HOOKE_OT_material_preset_add.bl_idname


_CLASSES = (HOOKE_OT_material_preset_add, HOOKE_PT_material_presets)


def register():
    """Register the operator, the panel and the folder of presets."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.utils.register_preset_path(_FOLDER)


def unregister():
    """Unregister them."""
    bpy.utils.unregister_preset_path(_FOLDER)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
