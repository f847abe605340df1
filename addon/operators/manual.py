# SPDX-License-Identifier: GPL-3.0-or-later
"""Where Online Manual in a tooltip's menu leads: from settings and operators to their place in the guide."""

from pathlib import Path

import bpy

from ..preferences import documentation
from ..sections import SECTIONS

# Settings by section; where a section has no heading of its own, that of its panel.
_HEADINGS = {"springs": "Material"}
# Operators by how their ids begin, the more special first.
_OPERATORS = {
    "bind": "guide.html#shape",
    "bake": "baking.html#baking",
    "clear_bake": "baking.html#baking",
    "export": "baking.html#export",
    "delete_caches": "baking.html#the-cache",
    "make_collider": "guide.html#collisions",
    "add_floor": "guide.html#collisions",
    "fit_distances": "guide.html#collisions",
    "drape": "guide.html#shape",
    "save_pose": "guide.html#time-and-start",
    "forget_pose": "guide.html#time-and-start",
    "": "guide.html#the-main-panel",
}


def places():
    """Pairs of a pattern of Blender's ids, in lower case, and a page of the documentation site with its anchor."""
    found = [
        (f"bpy.types.hookesettings.{name}", f"guide.html#{_anchor(section)}")
        for section in SECTIONS
        for name in section.properties
    ]
    return (*found, *((f"bpy.ops.hooke.{name}*", place) for name, place in _OPERATORS.items()))


def address():
    """Where the documentation site is, with a slash at its end, or "" where the preferences name no place."""
    text = documentation().strip()
    if text and "://" not in text:
        text = Path(bpy.path.abspath(text)).resolve().as_uri()
    return f"{text.rstrip('/')}/" if text else ""


def manual():
    """The manual map for Blender: the address, and the places below it, none without an address."""
    return address(), places() if address() else ()


def _anchor(section):
    heading = _HEADINGS.get(section.id, section.label) or "The main panel"
    return heading.lower().replace(" ", "-")


def register():
    """Let Blender ask."""
    bpy.utils.register_manual_map(manual)


def unregister():
    """Take that back."""
    bpy.utils.unregister_manual_map(manual)
