# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels that the guide pictures: each open and alone in a tab of its own, of an example that uses it."""

from typing import Any

# Each panel's id and the example of the gallery that is open behind it.
PANELS = {
    "main": "FLAG",
    "pins": "HANGING_CLOTH",
    "material": "FLAG",
    "collisions": "CLOTH_ON_SPHERE",
    "forces": "FLAG",
    "shape": "PILLOW",
    "solver": "FLAG",
    "filling": "JELLY",
    "pressure": "BALLOON",
    "jiggle": "JIGGLE",
    "plasticity": "DENT",
    "tearing": "TEAR",
    "maps": "TORN_FLAG",
    "time": "FLAG",
    "bake": "FLAG",
    "viewport_display": "FLAG",
    "diagnostics": "FLAG",
}


def tab(name):
    """The sidebar's tab of a panel."""
    return f"Guide {name}"


def show(bpy: Any, name):
    """Give the sidebar an open copy of a panel in a tab of its own; bpy: Blender's module."""
    original = getattr(bpy.types, f"HOOKE_PT_{name}")
    kinds = tuple(kind for kind in original.__mro__[1:] if kind.__module__.endswith(".panels"))
    more = {part: vars(original)[part] for part in ("section", "bl_label") if part in vars(original)}
    panel = type(
        f"GUIDE_PT_{name}", (*kinds, bpy.types.Panel), {**more, "bl_category": tab(name), "bl_options": set()}
    )
    bpy.utils.register_class(panel)
