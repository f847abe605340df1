# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of rounded parts, each in the group of the bone that moves it."""

import bpy
import numpy as np

from . import stage


def ellipsoid(center, size, around=40, down=24):
    """Points [m] and quads of a body of half axes `size` [m] between an ellipsoid and a tube, its poles along z."""
    turns = 2.0 * np.pi * np.arange(around) / around
    points = [(center[0], center[1], center[2] + size[2])]
    for level in np.linspace(0.0, 1.0, down + 1)[1:-1]:
        height = np.cos(np.pi * level)
        radius = (1.0 - height**4) ** 0.5
        points += [
            (
                center[0] + radius * size[0] * np.cos(t),
                center[1] + radius * size[1] * np.sin(t),
                center[2] + size[2] * height,
            )
            for t in turns
        ]
    points.append((center[0], center[1], center[2] - size[2]))
    last = len(points) - 1
    following = [(i, (i + 1) % around) for i in range(around)]
    faces: list[tuple[int, ...]] = [(0, 1 + i, 1 + j) for i, j in following]
    for ring in range(down - 2):
        low, high = 1 + ring * around, 1 + (ring + 1) * around
        faces += [(low + i, high + i, high + j, low + j) for i, j in following]
    low = 1 + (down - 2) * around
    faces += [(low + i, last, low + j) for i, j in following]
    return points, faces


def limb(head, tail, radius):
    """Points [m] and faces of a rounded bar from one joint to another, which reaches beyond both by its radius [m]."""
    head, tail = stage.Vector(head), stage.Vector(tail)
    along = tail - head
    points, faces = ellipsoid(
        (0.0, 0.0, 0.0), (radius, radius, along.length / 2.0 + 0.6 * radius), around=16, down=12
    )
    turn = along.to_track_quat("Z", "Y")
    return [tuple(turn @ stage.Vector(point) + (head + tail) / 2.0) for point in points], faces


def body(scene, name, parts, color):
    """A mesh object of parts; parts: pairs of a bone's name, and points and faces."""
    points: list[tuple[float, ...]] = []
    faces: list[list[int]] = []
    groups = []
    for bone, (own, around) in parts:
        groups.append((bone, range(len(points), len(points) + len(own))))
        faces += [[index + len(points) for index in face] for face in around]
        points += own
    made = stage.mesh_object(scene, name, points, faces=faces, color=color)
    for bone, indices in groups:
        stage.group(made, bone, indices)
    return made


def armature(scene, name, bones):
    """An armature object that is not rendered; bones: name -> (head [m], tail [m], name of the parent or None)."""
    data = bpy.data.armatures.new(name)
    rig = stage.add(scene, name, data)
    stage.activate(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, (head, tail, parent) in bones.items():
        made = data.edit_bones.new(bone)
        made.head, made.tail = head, tail
        made.parent = data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.hide_render = True
    return rig


def bound(obj, rig):
    """Let an armature move an object by the groups that have its bones' names."""
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    return obj
