# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that come with shape keys, animation, modifiers and layers of their own."""

import bpy

from .scenes import activate, grid, link, pin


def without_keys():
    """A plain sheet."""
    return grid()


def with_layers():
    """UV maps, colours, custom normals, materials, seams, and a second vertex group."""
    obj = grid()
    mesh = obj.data
    mesh.uv_layers.new(name="UVMap")
    mesh.uv_layers.new(name="Second").active = True
    colour = mesh.color_attributes.new("Colour", "FLOAT_COLOR", "POINT")
    colour.data[3].color = (0.25, 0.5, 0.75, 1.0)
    mesh.attributes.new("user", "FLOAT", "FACE").data[2].value = 7.0
    mesh.materials.append(bpy.data.materials.new("Cotton"))
    mesh.edges[5].use_seam = True
    mesh.normals_split_custom_set([(0.6, 0.0, 0.8)] * len(mesh.loops))
    pin(obj, {7: 0.25, 9: 0.75}, name="Other")
    return obj


def with_keys():
    """Keys of every setting: values, mutes, ranges, vertex group, chain of relative keys, active index."""
    obj = grid()
    pin(obj, {7: 0.25, 12: 1.0}, name="Mask")
    obj.shape_key_add(name="Basis", from_mix=False)
    for number, name in enumerate(("Lift", 'Say "ä"', "Hooke 0003", "Muted"), start=1):
        key = obj.shape_key_add(name=name, from_mix=False)
        for index in range(number, 25, 3):
            key.data[index].co.z += 0.1 * number
        key.slider_min, key.slider_max = -0.5 * number, 2.0
        key.value = 0.3 * number
    keys = obj.data.shape_keys.key_blocks
    keys["Muted"].mute = True
    keys["Lift"].vertex_group = "Mask"
    keys['Say "ä"'].relative_key = keys["Lift"]
    keys["Lift"].lock_shape = True
    obj.active_shape_key_index = 2
    obj.data.shape_keys.name = "Faces"
    return obj


def with_animated_keys():
    """Two keys animated by an action of the user's, one with a cycle, in a group."""
    obj = with_keys()
    keys = obj.data.shape_keys
    for name, values in (("Lift", (0.0, 1.0)), ("Hooke 0003", (0.8, -0.4))):
        for frame, value in zip((1, 9), values, strict=True):
            keys.key_blocks[name].value = value
            keys.key_blocks[name].keyframe_insert("value", frame=frame, group="Faces")
    keys.animation_data.action.name = "Talk"
    keys.animation_data.action.use_fake_user = True
    return obj


def with_driven_keys():
    """One key driven by a property, one by the frame."""
    obj = with_keys()
    obj["lift"] = 0.7
    keys = obj.data.shape_keys
    driver = keys.key_blocks["Lift"].driver_add("value").driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = obj, '["lift"]'
    driver.expression = "var"
    keys.key_blocks["Hooke 0003"].driver_add("value").driver.expression = "frame / 10"
    return obj


def with_animated_and_driven_keys():
    """Two keys animated, a third one driven by the frame."""
    obj = with_animated_keys()
    keys = obj.data.shape_keys
    keys.key_blocks['Say "ä"'].driver_add("value").driver.expression = "frame / 20"
    return obj


def with_keys_in_nla():
    """The action pushed down into an NLA strip, no active action."""
    obj = with_animated_keys()
    push_down(obj.data.shape_keys.animation_data)
    return obj


def push_down(animation):
    """Move the active action into an NLA strip."""
    strip = animation.nla_tracks.new().strips.new("Strip", 1, animation.action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = animation.action_slot
    animation.action = None


def with_empty_animation_data():
    """Keys with animation data that holds nothing."""
    obj = with_keys()
    obj.data.shape_keys.animation_data_create()
    return obj


def with_animated_object_and_mesh():
    """Actions on the object and on the mesh, not on the keys."""
    obj = with_keys()
    obj.location.x = 0.3
    obj.keyframe_insert("location", frame=1)
    obj.data["user"] = 1.0
    obj.data.keyframe_insert('["user"]', frame=1)
    return obj


def with_modifiers():
    """Deforming modifiers above Hooke with every combination of visibility, and others below."""
    obj = with_keys()
    goal = link(bpy.data.objects.new("Goal", None))
    for frame, height in ((1, 0.0), (12, 0.4)):
        goal.location.z = height
        goal.keyframe_insert("location", index=2, frame=frame)
    for number, visible in enumerate(((True, True), (True, False), (False, True), (False, False))):
        hook = obj.modifiers.new(f"Hook {number}", "HOOK")
        hook.object = goal
        hook.vertex_indices_set([0, 4, 12])
        hook.show_viewport, hook.show_render = visible
    obj.modifiers.new("Subdivision", "SUBSURF").levels = 1
    obj.modifiers.new("Solidify", "SOLIDIFY").show_viewport = False
    return obj


def with_modifiers_below():
    """An armature that moves, a smoothing and a displacement, all below Hooke once it is added."""
    obj = with_keys()
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    link(rig)
    activate(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = rig.data.edit_bones.new("Mask")
    bone.tail = (0.0, 0.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame, x in ((1, 0.0), (12, 0.5)):
        rig.pose.bones["Mask"].location.x = x
        rig.pose.bones["Mask"].keyframe_insert("location", frame=frame)
    activate(obj)
    # It adds vertices, so Hooke goes above it and what follows.
    obj.modifiers.new("Subdivision", "SUBSURF").levels = 1
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    obj.modifiers.new("Smooth", "CORRECTIVE_SMOOTH").rest_source = "ORCO"
    obj.modifiers.new("Displace", "DISPLACE").strength = 0.1
    return obj


KEYED_MESHES = (
    without_keys,
    with_layers,
    with_keys,
    with_animated_keys,
    with_driven_keys,
    with_animated_and_driven_keys,
    with_keys_in_nla,
    with_empty_animation_data,
    with_animated_object_and_mesh,
    with_modifiers,
    with_modifiers_below,
)
