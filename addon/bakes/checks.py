# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks before a bake: it must look like the live simulation."""

from .. import output_nodes
from ..mesh_io import MeshError
from . import curves, inputs

_MAKE_LOCAL = "make it local first (Object > Relations > Make Local > Selected Objects and Data)"


def check_simulation(obj):
    """Raise MeshError if the object has no simulation to bake, whatever the mode."""
    if obj is None:
        raise MeshError("no object is active: activate one that Hooke simulates")
    if obj.type != "MESH" or not obj.hooke.enabled:
        raise MeshError(f"'{obj.name}' has no Hooke simulation: add Hooke first")
    check_editable(obj)
    output_nodes.check(obj)
    if obj.hooke.bake.exists:
        raise MeshError(f"'{obj.name}' is baked already: clear the bake first")
    check_range(obj)


def check_editable(obj):
    """Raise MeshError if Blender does not let the object, its mesh or the record of its bake be written."""
    for block in (obj, obj.data):
        if block.library is not None:
            raise MeshError(f"'{block.name}' is linked from {block.library.filepath}: {_MAKE_LOCAL}")
    if obj.override_library is not None:
        raise MeshError(
            f"'{obj.name}' is a library override, where Blender keeps no record of a bake: {_MAKE_LOCAL}"
        )


def check_range(obj):
    """Raise MeshError if the object's frame range cannot be simulated now."""
    if obj.hooke.frame_end < obj.hooke.frame_start:
        raise MeshError(
            f"'{obj.name}' simulates frames {obj.hooke.frame_start} to {obj.hooke.frame_end}: set an end that "
            "does not come before the start"
        )
    if obj.mode == "EDIT":
        raise MeshError(f"'{obj.name}' is in Edit Mode: leave it first")


def check_modifiers(obj, modifiers):
    """Raise MeshError if animation would turn on again the modifiers that the bake turns off."""
    turned_off = {inputs.modifier_path(modifier) for modifier in modifiers}
    for path in curves.animated_paths(obj):
        modifier, _, setting = path.rpartition(".")
        if setting in {"show_viewport", "show_render"} and modifier in turned_off:
            raise MeshError(
                f"{path} of '{obj.name}' is animated, which would turn the modifier on over the bake: remove that "
                "animation to bake"
            )


def check_shape_keys(obj):
    """Raise MeshError if the user's keys would show through a bake to keys, or it could not be animated beside them,
    or a deformation would come on top."""
    check_modifiers(obj, inputs.modifiers_to_turn_off(obj))
    if obj.parent is not None and obj.parent_type in {"ARMATURE", "LATTICE", "CURVE"}:
        raise MeshError(
            f"'{obj.name}' is deformed by its parent '{obj.parent.name}', which would deform the bake again: "
            "use a modifier instead of the parent's deformation, or bake to a Mesh Cache"
        )
    keys = obj.data.shape_keys
    if keys is None:
        return
    if not keys.use_relative:
        raise MeshError(f"the shape keys of '{obj.name}' are absolute: turn on Relative to bake beside them")
    for path in curves.animated_paths(keys):
        if path.startswith("key_blocks[") and path.endswith("].mute"):
            raise MeshError(
                f"{path} of '{obj.name}' is animated, which would turn the shape key on over the bake: animate its "
                "value instead"
            )
    _check_action(obj, keys.animation_data)


def _check_action(obj, animation):
    action = animation.action if animation is not None else None
    if action is not None and action.library is not None:
        raise MeshError(
            f"the action '{action.name}' of the shape keys of '{obj.name}' is linked from "
            f"{action.library.filepath}: make it local to bake beside it"
        )
    if animation is None or not animation.nla_tracks:
        return
    blends = animation.action_blend_type != "REPLACE" or animation.action_influence < 1.0
    if blends or animation.use_tweak_mode:
        raise MeshError(
            f"the action of the shape keys of '{obj.name}' is blended over its NLA tracks, which would blend the "
            "bake: leave tweak mode and set the action to Replace with influence 1"
        )


def data_warnings(obj):
    """Effects of modifiers above Hooke, beside moved vertices, that a bake to keys may change, a list."""
    above = output_nodes.modifiers_above(obj)
    follows = [m.name for m in above if m.type in inputs.DATA_BY_POSITION and m.show_viewport]
    nodes = [m.name for m in above if m.type == "NODES" and m.show_viewport]
    warnings = []
    if follows:
        warnings.append(
            f"{_names(follows)} of '{obj.name}' will read the baked positions, not the pose before Hooke: bake to a "
            "Mesh Cache if that looks different"
        )
    if nodes:
        warnings.append(
            f"{_names(nodes)} of '{obj.name}' is turned off with all it adds to the mesh besides positions: bake to a "
            "Mesh Cache to keep it"
        )
    return warnings


def _names(names):
    return ", ".join(f"'{name}'" for name in names)
