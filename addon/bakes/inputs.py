# SPDX-License-Identifier: GPL-3.0-or-later
"""Inputs that a bake contains and therefore turns off: the user's keys, the modifiers above Hooke, and Hooke's."""

import bpy

from .. import output_nodes

# Modifiers that move no vertex: shape keys come before them, and they go on after the bake as before it.
DATA_BY_POSITION = frozenset(
    {"DATA_TRANSFER", "NORMAL_EDIT", "UV_PROJECT", "VERTEX_WEIGHT_PROXIMITY", "WEIGHTED_NORMAL"}
)
_DATA_ONLY = DATA_BY_POSITION | {"UV_WARP", "VERTEX_WEIGHT_EDIT", "VERTEX_WEIGHT_MIX"}


def modifiers_to_turn_off(obj):
    """Hooke's own modifier and those above it that move vertices: shape keys hold the result of all."""
    own = output_nodes.find(obj)
    above = [modifier for modifier in output_nodes.modifiers_above(obj) if modifier.type not in _DATA_ONLY]
    return [*above, *([own] if own is not None else [])]


def modifier_path(modifier):
    """The modifier's path from its object, as animation curves have it."""
    return f'modifiers["{bpy.utils.escape_identifier(modifier.name)}"]'


def turn_off(record, modifiers):
    """Turn modifiers off in viewport and render, and note how they were."""
    for modifier in modifiers:
        item = record.items.add()
        item.kind, item.name = "MODIFIER", modifier.name
        item.show_viewport, item.show_render = modifier.show_viewport, modifier.show_render
        modifier.show_viewport = modifier.show_render = False
        if modifier.type == "ARMATURE":
            # Exporters to glTF, FBX and VRM write an Armature as a skin even if it is turned off, and deform the bake.
            item.rig, modifier.object = modifier.object, None


def turned_off_armatures(obj):
    """The Armature modifiers that the object's bake turned off, each with the rig that was taken from it, a list."""
    items = [item for item in obj.hooke.bake.items if item.kind == "MODIFIER" and item.name in obj.modifiers]
    found = [(obj.modifiers[item.name], item.rig) for item in items]
    return [(modifier, rig) for modifier, rig in found if modifier.type == "ARMATURE"]


def mute_keys(record, keys):
    """Mute the user's shape keys but the reference, and note which were not."""
    for key in keys.key_blocks[1:] if keys is not None else ():
        if not key.mute:
            item = record.items.add()
            item.kind, item.name = "MUTED", key.name
            key.mute = True


def bring_back(obj):
    """Turn on and unmute what the record says was so."""
    keys = obj.data.shape_keys
    for item in obj.hooke.bake.items:
        modifier = obj.modifiers.get(item.name) if item.kind == "MODIFIER" else None
        if modifier is not None:
            modifier.show_viewport, modifier.show_render = item.show_viewport, item.show_render
        if item.rig is not None and modifier is not None and modifier.type == "ARMATURE":
            modifier.object = item.rig
        if item.kind == "MUTED" and keys is not None and item.name in keys.key_blocks:
            keys.key_blocks[item.name].mute = False
