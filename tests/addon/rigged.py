# SPDX-License-Identifier: GPL-3.0-or-later
"""A dressed figure: a rig, a body that it moves, a garment that the rig moves and Hooke simulates, and a follower."""

import bpy
import numpy as np

from .scenes import activate, add_hooke, evaluated_world_positions, grid, link, mesh_object, pin

NAMES = ("Body", "Garment", "Button")


def rig(frames):
    """An armature of two bones in a row, the upper of which bends about y while the frames pass."""
    armature = bpy.data.armatures.new("Rig")
    obj = link(bpy.data.objects.new("Rig", armature))
    activate(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, head, tail in (("lower", -1.0, 0.0), ("upper", 0.0, 1.0)):
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail = (0.0, head, 0.0), (0.0, tail, 0.0)
    armature.edit_bones["upper"].parent = armature.edit_bones["lower"]
    bpy.ops.object.mode_set(mode="OBJECT")
    bent = obj.pose.bones["upper"]
    bent.rotation_mode = "XYZ"
    for frame, angle in ((frames[0], 0.0), (frames[-1], 0.6)):
        bent.rotation_euler.x = angle
        bent.keyframe_insert("rotation_euler", frame=frame)
    return obj


def skin(obj, armature, parented=True):
    """Let the bones move an object, each vertex by both of them; parented: as Blender does with Ctrl-P."""
    along = np.array([vertex.co.y for vertex in obj.data.vertices])
    share = np.clip(0.5 + along, 0.0, 1.0)
    for name, weights in (("lower", 1.0 - share), ("upper", share)):
        pin(obj, {index: float(weight) for index, weight in enumerate(weights) if weight > 0.0}, name)
    obj.modifiers.new("Armature", "ARMATURE").object = armature
    if parented:
        obj.parent = armature


def figure(frames, parented=True):
    """The figure, not yet simulated; returns dict name -> object."""
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = frames[0], frames[-1]
    armature = rig(frames)
    body = grid(7, "Body", pins={})
    body.location.z = -0.5
    skin(body, armature, parented)
    garment = grid(7, "Garment")
    skin(garment, armature, parented)
    button = mesh_object(
        [(0.1, 0.1, 0.05), (0.2, 0.1, 0.05), (0.1, 0.2, 0.05)], faces=[(0, 1, 2)], name="Button"
    )
    add_hooke(garment)
    bpy.context.scene.frame_set(frames[0])
    follow = button.modifiers.new("Surface Deform", "SURFACE_DEFORM")
    follow.target = garment
    activate(button)
    bpy.ops.object.surfacedeform_bind(modifier=follow.name)
    assert follow.is_bound
    return {"Rig": armature, "Body": body, "Garment": garment, "Button": button}


def shown(frames, names=NAMES):
    """What objects show in the world, dict (name, frame) -> positions."""
    found = {}
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found |= {(name, frame): evaluated_world_positions(mesh_of(name)) for name in names}
    return found


def mesh_of(name):
    """The mesh object of a name, which importers give a number."""
    (found,) = (obj for obj in bpy.data.objects if obj.type == "MESH" and obj.name.partition(".")[0] == name)
    return found
