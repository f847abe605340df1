# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects an operator acts on: the active one, or all that are selected."""

from bpy.props import BoolProperty


def is_simulated(obj):
    """Whether Hooke simulates an object, which may be None."""
    return obj is not None and obj.type == "MESH" and obj.hooke.enabled


def meshes(context, selected):
    """The meshes among the selected objects, or the active one alone, a list."""
    objects = context.selected_objects if selected else [context.object]
    return [obj for obj in objects if obj is not None and obj.type == "MESH"]


def chosen(context, selected):
    """The simulated ones of the selected objects, or the active one alone, a list."""
    return [obj for obj in meshes(context, selected) if is_simulated(obj)]


def within_reach(context):
    """The simulated ones of the selected objects and the active one, a list."""
    return list(dict.fromkeys(chosen(context, selected=False) + chosen(context, selected=True)))


def selected_property(description):
    """The property that widens an operator from the active object to all selected ones."""
    return BoolProperty(name="Selected", description=description, options={"SKIP_SAVE"})
