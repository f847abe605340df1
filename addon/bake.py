# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated frames to shape keys beside the user's own, and back."""

import bpy
import numpy as np

from . import mesh_io, output_nodes, session
from .mesh_io import MeshError

PREFIX = "Hooke"


def check_bakeable(obj):
    """Raise MeshError if the object has no simulation to bake or shape keys cannot hold one."""
    if obj.type != "MESH" or not obj.hooke.enabled:
        raise MeshError(f"'{obj.name}' has no Hooke simulation: add Hooke first")
    if obj.hooke.bake.items:
        raise MeshError(f"'{obj.name}' is baked already: clear the bake first")
    if obj.hooke.frame_end < obj.hooke.frame_start:
        raise MeshError(
            f"'{obj.name}' simulates frames {obj.hooke.frame_start} to {obj.hooke.frame_end}: the end must not "
            "come before the start"
        )
    if obj.mode == "EDIT":
        raise MeshError(f"'{obj.name}' is in Edit Mode: leave it to bake")
    keys = obj.data.shape_keys
    if keys is not None and not keys.use_relative:
        raise MeshError(f"the shape keys of '{obj.name}' are absolute: turn on Relative to bake beside them")
    if obj.parent is not None and obj.parent_type in {"ARMATURE", "LATTICE", "CURVE"}:
        raise MeshError(
            f"'{obj.name}' is deformed by its parent '{obj.parent.name}', which would deform the bake again: "
            "use a modifier instead of the parent's deformation"
        )


def simulate(scene, objects):
    """Generator: simulate each object's frame range; yields the frame after each one.

    Raises MeshError with the reason if an object's simulation stops.
    """
    first = min(obj.hooke.frame_start for obj in objects)
    last = max(obj.hooke.frame_end for obj in objects)
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        for obj in objects:
            running = session.find(obj)
            wanted = min(frame, obj.hooke.frame_end) - obj.hooke.frame_start + 1
            if running is None or running.problem or len(running.frames) < wanted:
                reason = running.problem or running.note if running is not None else ""
                raise MeshError(reason or f"'{obj.name}' is not simulated: show it in the view layer")
        yield frame


def to_shape_keys(obj, frames, frame_start):
    """Add one relative shape key a frame, each on at its own frame and linear in between.

    frames: positions in object space, float32, shape (vertex_count, 3) each.
    The user's keys are muted and the deforming modifiers above Hooke are turned off, since the frames contain
    their effect; `clear` brings all back. Raises MeshError as `check_bakeable`.
    """
    check_bakeable(obj)
    record, mesh = obj.hooke.bake, obj.data
    keys = mesh.shape_keys
    record.frame_start, record.frame_end = frame_start, frame_start + len(frames) - 1
    record.had_shape_keys = keys is not None
    record.had_animation_data = keys is not None and keys.animation_data is not None
    record.had_action = record.had_animation_data and keys.animation_data.action is not None
    record.active_shape_key_index = obj.active_shape_key_index
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
    for item in record.items:
        if item.kind == "MODIFIER":
            modifier = obj.modifiers.get(item.name)
            if modifier is not None:
                modifier.show_viewport, modifier.show_render = item.show_viewport, item.show_render
        elif keys is not None and item.name in keys.key_blocks:
            if item.kind == "MUTED":
                keys.key_blocks[item.name].mute = False
            else:
                _remove_key(obj, keys.key_blocks[item.name])
    if keys is not None:
        _clear_animation(keys, record)
        if not record.had_shape_keys and len(keys.key_blocks) == 1:
            obj.shape_key_clear()
    obj.active_shape_key_index = record.active_shape_key_index
    record.items.clear()


def forget(obj):
    """Make the baked keys the user's own: they stay, and can no longer be cleared."""
    obj.hooke.bake.items.clear()


def _silence_inputs(obj):
    record = obj.hooke.bake
    for key in obj.data.shape_keys.key_blocks[1:] if obj.data.shape_keys is not None else ():
        if not key.mute:
            item = record.items.add()
            item.kind, item.name = "MUTED", key.name
            key.mute = True
    own = output_nodes.find(obj)
    for modifier in [*output_nodes.modifiers_above(obj), *([own] if own is not None else [])]:
        item = record.items.add()
        item.kind, item.name = "MODIFIER", modifier.name
        item.show_viewport, item.show_render = modifier.show_viewport, modifier.show_render
        modifier.show_viewport = modifier.show_render = False


def _animate(keys, key, frame, rises, falls):
    """Key the value 1 at the frame, 0 one frame before and after, linear in between."""
    times = [frame - 1] * rises + [frame] + [frame + 1] * falls
    values = [0.0] * rises + [1.0] + [0.0] * falls
    points = _fcurve(keys, f'key_blocks["{key.name}"].value').keyframe_points
    points.add(len(times))
    points.foreach_set("co", np.column_stack([times, values]).astype(np.float32).ravel())
    for point in points:
        point.interpolation = "LINEAR"


def _fcurve(keys, path):
    animation = keys.animation_data or keys.animation_data_create()
    if animation.action is None:
        animation.action = bpy.data.actions.new(f"{keys.name} Hooke Bake")
        if hasattr(animation, "action_slot") and animation.action_slot is None:
            animation.action_slot = animation.action.slots.new(keys.id_type, keys.name)
    # Blender 4.4 and later keep curves per slot; before, actions hold them directly.
    if hasattr(animation.action, "fcurve_ensure_for_datablock"):
        return animation.action.fcurve_ensure_for_datablock(keys, path)
    return animation.action.fcurves.new(path)


def _fcurves(animation):
    """The collection that holds the curves of an animated data-block."""
    action = animation.action
    if not hasattr(action, "layers"):
        return action.fcurves
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(animation.action_slot)
            if bag is not None:
                return bag.fcurves
    return None


def _remove_key(obj, key):
    animation = obj.data.shape_keys.animation_data
    if animation is not None and animation.action is not None:
        fcurves = _fcurves(animation)
        curve = fcurves.find(f'key_blocks["{key.name}"].value') if fcurves is not None else None
        if curve is not None:
            fcurves.remove(curve)
    obj.shape_key_remove(key)


def _clear_animation(keys, record):
    animation = keys.animation_data
    if animation is None:
        return
    if not record.had_action and animation.action is not None and not _fcurves(animation):
        action = animation.action
        animation.action = None
        if action.users == 0:
            bpy.data.actions.remove(action)
    if not record.had_animation_data and not animation.drivers and not animation.nla_tracks:
        keys.animation_data_clear()
