# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of an object's bake: the property Object.hooke.bake."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from . import mode_items


class HookeBakedItem(bpy.types.PropertyGroup):
    """Something a bake added or changed, by its name: a shape key, a modifier or a mesh, and how it was before."""

    # A .blend file stores the numbers.
    kind: EnumProperty(
        items=[
            ("KEY", "Key", "Shape key that was added", 0),
            ("MUTED", "Muted", "Shape key that was muted", 1),
            ("MODIFIER", "Modifier", "Modifier that was turned off", 2),
            ("CACHE", "Cache", "Modifier that was added and plays a file of the bake", 3),
            ("MESH", "Mesh", "Mesh that was split, in the place of the one that is kept", 4),
        ]
    )
    show_viewport: BoolProperty()
    show_render: BoolProperty()
    # The object of an Armature modifier.
    rig: PointerProperty(type=bpy.types.Object)


class HookeBake(bpy.types.PropertyGroup):
    """The result of a bake, and the data with which clearing restores the object exactly."""

    items: CollectionProperty(type=HookeBakedItem)
    mode: EnumProperty(items=mode_items())
    frame_start: IntProperty()
    frame_end: IntProperty()
    shapes: IntProperty()
    largest_error: FloatProperty()
    cache_file: StringProperty()
    cache_digest: StringProperty()
    active_modifier: StringProperty()
    # The mesh of before, where it was split: as long as this has it, it stays in the file.
    whole_mesh: PointerProperty(type=bpy.types.Mesh)
    had_shape_keys: BoolProperty()
    had_animation_data: BoolProperty()
    had_action: BoolProperty()
    slot_identifier: StringProperty()
    active_shape_key_index: IntProperty()
    show_only_shape_key: BoolProperty()

    @property
    def exists(self):
        """Whether the object is baked: it shows its bake and is not simulated."""
        return bool(self.items)
