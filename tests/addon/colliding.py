# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes with something to collide with: functions that put colliders below a sheet of 2 m at height 0."""

import bpy
import numpy as np

from hooke.addon.play import sessions

from .scenes import activate, add_hooke, fcurves, grid, link, play, status, swing, turn


def mesh(name, points, faces):
    """A mesh object in the scene."""
    data = bpy.data.meshes.new(name)
    data.from_pydata([tuple(map(float, point)) for point in points], [], faces)
    return link(bpy.data.objects.new(name, data))


def collider(obj, **settings):
    """Give an object Collision physics as Blender's own button does, and Hooke's settings for colliders."""
    obj.modifiers.new("Collision", "COLLISION")
    for name, value in settings.items():
        setattr(obj.hooke_collider, name, value)
    return obj


def block(name="Block", size=0.6, height=-0.5):
    """A cuboid, not a collider yet."""
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    obj = mesh(name, size / 2 * np.array(corners), sides)
    obj.location.z = height
    return obj


def ball(name="Ball", radius=0.4, height=-0.5):
    """A sphere of quads and triangles, not a collider yet; Blender's own has its faces in another order every time."""
    sides, rings = 16, 7
    polar = np.pi * np.arange(1, rings + 1) / (rings + 1)
    turns = 2.0 * np.pi * np.arange(sides) / sides
    belt = [(np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)) for a in polar for b in turns]
    faces = []
    for here, there in ((side, (side + 1) % sides) for side in range(sides)):
        below = sides * (rings - 1)
        faces += [(sides * rings, here, there), (sides * rings + 1, below + there, below + here)]
        for ring in range(0, below, sides):
            faces.append((ring + here, ring + sides + here, ring + sides + there, ring + there))
    obj = mesh(name, radius * np.array([*belt, (0, 0, 1), (0, 0, -1)]), faces)
    obj.location.z = height
    return obj


def tube(name="Leg", rings=7, radius=0.3):
    """An open tube along z from height -1 to 0, not a collider yet."""
    turns = 2.0 * np.pi * np.arange(8) / 8
    points = [
        (radius * np.cos(turn), radius * np.sin(turn), z)
        for z in np.linspace(-1.0, 0.0, rings)
        for turn in turns
    ]
    faces = [
        (8 * ring + side, 8 * ring + (side + 1) % 8, 8 * ring + 8 + (side + 1) % 8, 8 * ring + 8 + side)
        for ring in range(rings - 1)
        for side in range(8)
    ]
    return mesh(name, points, faces)


def plate(name, height):
    """An open square of 4 m, which stops things from both sides."""
    corners = [(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)]
    obj = mesh(name, corners, [(0, 1, 2, 3)])
    obj.location.z = height
    return obj


def lower(obj, distance, frames):
    """Key an object down by a distance."""
    top = obj.location.z
    for height, frame in ((top, frames[0]), (top - distance, frames[1])):
        obj.location.z = height
        obj.keyframe_insert("location", index=2, frame=frame)
    for curve in fcurves(obj):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def floor(cloth):
    activate(cloth)
    assert bpy.ops.hooke.add_floor() == {"FINISHED"}
    bpy.data.objects["Floor"].location.z = -0.3


def still_block(cloth):
    collider(block())


def flat_square(cloth):
    square = mesh("Table", [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0)], [(0, 1, 2, 3)])
    square.location.z = -0.2
    collider(square)


def moving_ball(cloth):
    obj = collider(ball(), restitution=0.3)
    swing(obj, distance=0.4)
    turn(obj)


def scaled_mirrored_ball(cloth):
    obj = collider(ball(), shape="SPHERE")
    obj.scale, obj.location.z = (-0.8, 0.8, 0.8), -0.45
    swing(obj, distance=0.3)


def box_on_a_parent(cloth):
    parent = link(bpy.data.objects.new("Parent", None))
    parent.scale, parent.rotation_euler.z = (1.5, 0.75, 1.0), 0.4
    obj = collider(block(), shape="BOX")
    obj.parent, obj.rotation_euler.x = parent, 0.3
    turn(parent)


def capsule(cloth):
    obj = collider(block(size=0.4), shape="CAPSULE")
    obj.scale, obj.location.z = (4.0, 1.0, 1.0), -0.3
    turn(obj)


def growing_block(cloth):
    obj = collider(block(height=-0.6))
    for frame, scale in ((1, 1.0), (12, 1.5)):
        obj.scale = (scale,) * 3
        obj.keyframe_insert("scale", frame=frame)


def skinned_leg(cloth):
    """A tube that an armature bends, subdivided afterwards."""
    bpy.ops.object.armature_add(location=(0.0, 0.0, -1.0))
    rig = bpy.context.object
    rig.name = "Rig"
    leg = tube()
    leg.vertex_groups.new(name="Bone").add(range(len(leg.data.vertices)), 1.0, "REPLACE")
    leg.modifiers.new("Armature", "ARMATURE").object = rig
    leg.modifiers.new("Subdivision", "SUBSURF").levels = 1
    collider(leg)
    bone = rig.pose.bones[0]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (12, 0.6)):
        bone.rotation_euler.x = angle
        bone.keyframe_insert("rotation_euler", frame=frame)


def waving_ball(cloth):
    obj = ball()
    wave = obj.modifiers.new("Wave", "WAVE")
    wave.height, wave.speed, wave.time_offset = 0.1, 0.3, -10.0
    collider(obj)


def another_sheet(cloth):
    """A sheet that is simulated too, pinned at its four corners; made after the one that falls on it."""
    below = grid(name="Below", pins={0: 1.0, 4: 1.0, 20: 1.0, 24: 1.0})
    below.location.z = -0.2
    collider(below)
    add_hooke(below, collisions=False)


SCENES = (
    floor,
    still_block,
    flat_square,
    moving_ball,
    scaled_mirrored_ball,
    box_on_a_parent,
    capsule,
    growing_block,
    skinned_leg,
    waving_ball,
    another_sheet,
)


def dropped(build, side=9, **settings):
    """A sheet without pins above what a function builds, with Hooke, saved if the file has a name."""
    # In air that lets it fall nearly freely.
    cloth = add_hooke(grid(side=side, pins={}), **{"air_law": "SETTLING", "air_drag": 0.1} | settings)
    build(cloth)
    activate(cloth)
    bpy.context.view_layer.update()
    return cloth


def assert_no_frames_are_taken_up(change, scene, path, frame=7):
    """A file that is changed while nothing looks, saved and opened again has no frames of Cloth that still count.

    frame: the last that was played.
    """
    with sessions.paused():
        change(scene)
        bpy.context.view_layer.update()
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    cloth = bpy.data.objects["Cloth"]
    play(cloth, [frame])
    assert "go to frame 1" in status(cloth)
    assert sessions.find(cloth).cached == 0
