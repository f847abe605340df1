# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated frames to shape keys beside the user's own, and back."""

import bpy
import numpy as np

from . import mesh_io, output_nodes
from .mesh_io import MeshError

PREFIX = "Hooke"


def check_bakeable(obj):
    """Raise MeshError if the object has no simulation to bake or shape keys cannot hold one."""
    if obj.type != "MESH" or not obj.hooke.enabled:
        raise MeshError(f"'{obj.name}' has no Hooke simulation: add Hooke first")
    if obj.hooke.bake.items:
        raise MeshError(f"'{obj.name}' is baked already: clear the bake first")
    check_range(obj)
    _check_modifiers(obj)
    _check_shape_keys(obj)
    if obj.parent is not None and obj.parent_type in {"ARMATURE", "LATTICE", "CURVE"}:
        raise MeshError(
            f"'{obj.name}' is deformed by its parent '{obj.parent.name}', which would deform the bake again: "
            "use a modifier instead of the parent's deformation"
        )


def check_range(obj):
    """Raise MeshError if the object's frame range cannot be simulated now."""
    if obj.hooke.frame_end < obj.hooke.frame_start:
        raise MeshError(
            f"'{obj.name}' simulates frames {obj.hooke.frame_start} to {obj.hooke.frame_end}: the end must not "
            "come before the start"
        )
    if obj.mode == "EDIT":
        raise MeshError(f"'{obj.name}' is in Edit Mode: leave it first")


def _check_modifiers(obj):
    """Raise MeshError if animation would turn on again what the bake turns off."""
    silenced = {f'modifiers["{bpy.utils.escape_identifier(m.name)}"]' for m in _modifiers_to_silence(obj)}
    for path in _animated_paths(obj):
        modifier, _, setting = path.rpartition(".")
        if setting in {"show_viewport", "show_render"} and modifier in silenced:
            raise MeshError(
                f"{path} of '{obj.name}' is animated, which would turn the modifier on over the bake: remove that "
                "animation to bake"
            )


def _check_shape_keys(obj):
    """Raise MeshError if the user's keys would show through the bake, or it could not be animated beside them."""
    keys = obj.data.shape_keys
    if keys is None:
        return
    if not keys.use_relative:
        raise MeshError(f"the shape keys of '{obj.name}' are absolute: turn on Relative to bake beside them")
    for path in _animated_paths(keys):
        if path.startswith("key_blocks[") and path.endswith("].mute"):
            raise MeshError(
                f"{path} of '{obj.name}' is animated, which would turn the shape key on over the bake: animate its "
                "value instead"
            )
    animation = keys.animation_data
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


def _animated_paths(block):
    """Paths of a data-block's properties that its drivers, its action or its NLA strips animate."""
    animation = block.animation_data
    if animation is None:
        return set()
    strips = [strip for track in animation.nla_tracks for strip in track.strips]
    curves = [curve for owner in (animation, *strips) for curve in _fcurves(owner)]
    return {curve.data_path for curve in (*animation.drivers, *curves)}


def to_shape_keys(obj, frames, frame_start):
    """Add one relative shape key a frame, each on at its own frame and linear in between.

    frames: positions in object space, float32, shape (vertex_count, 3) each.
    The user's keys are muted and the deforming modifiers above Hooke are turned off, since the frames contain
    their effect; `clear` brings all back. Raises MeshError as `check_bakeable`.
    """
    check_bakeable(obj)
    try:
        _add_keys(obj, frames, frame_start)
    except Exception:
        clear(obj)
        raise


def _add_keys(obj, frames, frame_start):
    record, mesh = obj.hooke.bake, obj.data
    keys = mesh.shape_keys
    record.frame_start, record.frame_end = frame_start, frame_start + len(frames) - 1
    record.had_shape_keys = keys is not None
    record.had_animation_data = keys is not None and keys.animation_data is not None
    record.had_action = record.had_animation_data and keys.animation_data.action is not None
    if record.had_animation_data:
        record.slot_identifier = getattr(keys.animation_data, "last_slot_identifier", "")
    record.active_shape_key_index = obj.active_shape_key_index
    record.show_only_shape_key = obj.show_only_shape_key
    obj.show_only_shape_key = False
    _silence_inputs(obj)
    if keys is None:
        obj.shape_key_add(name="Basis", from_mix=False)
    for offset, positions in enumerate(frames):
        key = obj.shape_key_add(name=f"{PREFIX} {frame_start + offset:04d}", from_mix=False)
        key.relative_key = mesh.shape_keys.reference_key
        mesh_io.write_shape_key(key, positions)
        item = record.items.add()
        item.kind, item.name = "KEY", key.name
        _animate(mesh.shape_keys, key, frame_start + offset, offset > 0, offset < len(frames) - 1)
    obj.active_shape_key_index = record.active_shape_key_index


def clear(obj):
    """Remove the baked keys and their animation, and bring back what the bake muted or turned off."""
    record, keys = obj.hooke.bake, obj.data.shape_keys
    if keys is not None:
        _remove_animation(keys, record)
    for item in record.items:
        if item.kind == "MODIFIER":
            modifier = obj.modifiers.get(item.name)
            if modifier is not None:
                modifier.show_viewport, modifier.show_render = item.show_viewport, item.show_render
        elif keys is not None and item.name in keys.key_blocks:
            if item.kind == "MUTED":
                keys.key_blocks[item.name].mute = False
            else:
                obj.shape_key_remove(keys.key_blocks[item.name])
    if keys is not None and not record.had_shape_keys and len(keys.key_blocks) == 1:
        obj.shape_key_clear()
    obj.active_shape_key_index = record.active_shape_key_index
    obj.show_only_shape_key = record.show_only_shape_key
    record.items.clear()


def forget(obj):
    """Make the baked keys the user's own: they stay, and can no longer be cleared."""
    obj.hooke.bake.items.clear()


def _modifiers_to_silence(obj):
    own = output_nodes.find(obj)
    return [*output_nodes.modifiers_above(obj), *([own] if own is not None else [])]


def _silence_inputs(obj):
    record = obj.hooke.bake
    for key in obj.data.shape_keys.key_blocks[1:] if obj.data.shape_keys is not None else ():
        if not key.mute:
            item = record.items.add()
            item.kind, item.name = "MUTED", key.name
            key.mute = True
    for modifier in _modifiers_to_silence(obj):
        item = record.items.add()
        item.kind, item.name = "MODIFIER", modifier.name
        item.show_viewport, item.show_render = modifier.show_viewport, modifier.show_render
        modifier.show_viewport = modifier.show_render = False


def _animate(keys, key, frame, rises, falls):
    """Key the value 1 at the frame, 0 one frame before and after, linear in between."""
    times = [frame - 1] * rises + [frame] + [frame + 1] * falls
    values = [0.0] * rises + [1.0] + [0.0] * falls
    points = _fcurve(keys, _value_path(key.name)).keyframe_points
    points.clear()
    points.add(len(times))
    points.foreach_set("co", np.column_stack([times, values]).astype(np.float32).ravel())
    for point in points:
        point.interpolation = "LINEAR"


def _value_path(name):
    return f'key_blocks["{bpy.utils.escape_identifier(name)}"].value'


def _fcurve(keys, path):
    animation = keys.animation_data or keys.animation_data_create()
    if animation.action is None:
        animation.action = bpy.data.actions.new(f"{keys.name} Hooke Bake")
        if hasattr(animation, "action_slot") and animation.action_slot is None:
            animation.action_slot = animation.action.slots.new(keys.id_type, keys.name)
    # Blender 4.4 and later keep curves per slot; before, actions hold them directly.
    if hasattr(animation.action, "fcurve_ensure_for_datablock"):
        return animation.action.fcurve_ensure_for_datablock(keys, path)
    return animation.action.fcurves.find(path) or animation.action.fcurves.new(path)


def _fcurves(owner):
    """The collection that holds the curves of animation data or of an NLA strip, or an empty tuple."""
    action = owner.action
    if action is None:
        return ()
    if not hasattr(action, "layers"):
        return action.fcurves
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(owner.action_slot) if owner.action_slot is not None else None
            if bag is not None:
                return bag.fcurves
    return ()


def _remove_animation(keys, record):
    """Remove the baked keys' curves, and what the bake made for them where nothing else is in it."""
    animation = keys.animation_data
    if animation is None:
        return
    action, curves = animation.action, _fcurves(animation)
    paths = {_value_path(item.name) for item in record.items if item.kind == "KEY"}
    baked = [curve for curve in curves if curve.data_path in paths]
    made_by_bake = action is not None and not record.had_action and len(baked) == len(curves)
    played_elsewhere = _paths_played_elsewhere(keys, action)
    for curve in baked:
        if curve.data_path not in played_elsewhere:
            curves.remove(curve)
    if made_by_bake:
        animation.action = None
        if hasattr(animation, "last_slot_identifier"):
            animation.last_slot_identifier = record.slot_identifier
        if action.users == 0:
            bpy.data.actions.remove(action)
    used = animation.action is not None or animation.drivers or animation.nla_tracks
    if not record.had_animation_data and not used:
        keys.animation_data_clear()


def _paths_played_elsewhere(keys, action):
    """Paths of shape keys that the same action animates on other meshes, as it does after copying an object."""
    return {
        _value_path(block.name)
        for other in bpy.data.shape_keys
        if other != keys and other.animation_data is not None and other.animation_data.action == action
        for block in other.key_blocks
    }
