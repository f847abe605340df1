# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation curves, of baked shape keys and the user's own, wherever this Blender keeps them."""

import bpy
import numpy as np

_LINEAR = 1

# Frames at most that a curve is looked at in, evenly over its keys; from the first on, so many where it goes on by
# modifiers.
_LOOKS = 1000


def animated_values(block):
    """Paths and indices of what a data-block's drivers, its action or its NLA strips animate, a set of pairs."""
    animation = block.animation_data
    drivers = animation.drivers if animation is not None else ()
    return {(curve.data_path, curve.array_index) for curve in (*drivers, *all_fcurves(animation))}


def animated_paths(block):
    """Paths of a data-block's properties that its drivers, its action or its NLA strips animate."""
    return {path for path, _ in animated_values(block)}


def peak(block, path, index=0):
    """The value of largest size that curves give a property in any of their frames, None where none does.

    index: of its numbers, where it has several. Of NLA strips each counts by itself, as it is where nothing scales it;
    of drivers nothing is known beforehand.
    """
    of_it = path, index
    curves = [c for c in all_fcurves(block.animation_data) if (c.data_path, c.array_index) == of_it]
    values = [curve.evaluate(frame) for curve in curves if not curve.mute for frame in _frames(curve)]
    return max((value for value in values if np.isfinite(value)), key=abs, default=None)


def _frames(curve):
    """Frames to look at a curve in, a list: whole ones, and those of its keys."""
    first, last = np.floor(curve.range()[0]), np.ceil(curve.range()[1])
    if curve.modifiers:
        last = max(last, first + _LOOKS - 1)
    keys = np.empty((len(curve.keyframe_points), 2), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", keys.ravel())
    evenly = np.linspace(first, last, int(min(last - first + 1, _LOOKS))).round()
    return np.union1d(evenly, keys[:, 0]).tolist()


def straight_paths(block):
    """Paths of properties that curves without a Bezier part animate: those of a bake are linear, or were made steps."""
    return {
        curve.data_path
        for curve in all_fcurves(block.animation_data)
        if all(point.interpolation != "BEZIER" for point in curve.keyframe_points)
    }


def animate(keys, key, frames, values):
    """Key a shape key's value at the frames, linear in between and constant outside."""
    points = _fcurve(keys, value_path(key.name)).keyframe_points
    points.clear()
    points.add(len(frames))
    points.foreach_set("co", np.column_stack([frames, values]).astype(np.float32).ravel())
    points.foreach_set("interpolation", np.full(len(frames), _LINEAR, dtype=np.int32))
    points.handles_recalc()


def remove(keys, record, names):
    """Remove the curves of the baked keys of these names, and the action made for them if it is empty then."""
    animation = keys.animation_data
    if animation is None:
        return
    action, curves = animation.action, curves_of(animation)
    paths = {value_path(name) for name in names}
    baked = [curve for curve in curves if curve.data_path in paths]
    made_by_bake = action is not None and not record.had_action and len(baked) == _curve_count(action)
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


def value_path(name):
    """Path of the value of a shape key of this name from its shape keys, as animation curves have it."""
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


def curves_of(owner):
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


def all_fcurves(animation):
    """Curves of animation data and of its NLA strips, a list."""
    if animation is None:
        return []
    strips = [strip for track in animation.nla_tracks for strip in track.strips]
    return [curve for owner in (animation, *strips) for curve in curves_of(owner)]


def _curve_count(action):
    """Number of curves in an action, those for other data-blocks included."""
    if not hasattr(action, "layers"):
        return len(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return sum(len(bag.fcurves) for strip in strips for bag in strip.channelbags)


def _paths_played_elsewhere(keys, action):
    """Paths of shape keys that the same action animates on other meshes, as it does after copying an object."""
    return {
        value_path(block.name)
        for other in bpy.data.shape_keys
        if other != keys and other.animation_data is not None and other.animation_data.action == action
        for block in other.key_blocks
    }
