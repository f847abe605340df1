# SPDX-License-Identifier: GPL-3.0-or-later
"""Clothes are set up by one click: they hang by collar or waistband, and never by cuffs."""

import bpy
import numpy as np
import pytest

from .colliding import collider, tube
from .scenes import activate, add_hooke, link, mesh_object, pin

AROUND, RINGS = 16, 9


def tubes(*ends):
    """A mesh of open tubes, each from one end to another [m], and the numbers of the vertices of each tube's ends."""
    points, faces, rims = [], [], []
    turns = 2.0 * np.pi * np.arange(AROUND) / AROUND
    for start, end in ends:
        along = np.array(end) - start
        side = np.cross(along, (0.0, 1.0, 0.0))
        side = 0.15 * side / np.linalg.norm(side)
        first = len(points)
        for share in np.linspace(0.0, 1.0, RINGS):
            for turn in turns:
                points.append(
                    start + share * along + np.cos(turn) * side + 0.15 * np.sin(turn) * np.array((0, 1, 0))
                )
        faces += [
            tuple(
                first + AROUND * ring + k
                for k in (a, (a + 1) % AROUND, (a + 1) % AROUND + AROUND, a + AROUND)
            )
            for ring in range(RINGS - 1)
            for a in range(AROUND)
        ]
        rims.append((range(first, first + AROUND), range(len(points) - AROUND, len(points))))
    return mesh_object(points, faces=faces), rims


def rig(**bones):
    """An armature with bones by name from head to tail [m]."""
    armature = link(bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig")))
    activate(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (head, tail) in bones.items():
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def pinned(obj):
    group = obj.vertex_groups[obj.hooke.pin_group].index
    return {v.index for v in obj.data.vertices if any(of.group == group for of in v.groups)}


def press(obj):
    activate(add_hooke(obj))
    obj.hooke.pin_group = ""
    assert bpy.ops.hooke.garment() == {"FINISHED"}
    return obj


def test_a_skirt_hangs_by_its_waistband_and_meets_itself(scene):
    skirt, ((_, top),) = tubes(((0.0, 0.0, 0.0), (0.0, 0.0, 0.6)))
    press(skirt)
    assert pinned(skirt) == set(top)
    assert skirt.hooke.collisions and skirt.hooke.self_collision


def test_raised_arms_do_not_make_cuffs_of_what_holds(scene):
    """The sleeve reaches higher than the collar, and an arm's bone moves it."""
    shirt, ((_, collar), (sleeve, cuff)) = tubes(
        ((0.0, 0.0, 1.0), (0.0, 0.0, 1.5)), ((0.4, 0.0, 1.4), (0.8, 0.0, 1.9))
    )
    bones = rig(spine=((0, 0, 0.9), (0, 0, 1.6)), arm=((0.3, 0, 1.4), (0.9, 0, 2.0)))
    first = sleeve[0]
    pin(shirt, dict.fromkeys(range(first), 1.0), name="spine")
    pin(shirt, dict.fromkeys(range(first, len(shirt.data.vertices)), 1.0), name="arm")
    shirt.modifiers.new("Armature", "ARMATURE").object = bones
    press(shirt)
    assert pinned(shirt) == set(collar) and not pinned(shirt) & set(cuff)


def test_pins_of_its_own_stay(scene):
    skirt, _ = tubes(((0.0, 0.0, 0.0), (0.0, 0.0, 0.6)))
    pin(skirt, {3: 1.0})
    activate(add_hooke(skirt))
    assert bpy.ops.hooke.garment() == {"FINISHED"}
    assert pinned(skirt) == {3} and skirt.hooke.pin_group == "Pin"


def test_distances_are_those_of_the_body_it_is_on(scene):
    leg = collider(tube(radius=0.146))
    leg.collision.thickness_outer = 0.0
    leg.scale.z = 2.0
    skirt, _ = tubes(((0.0, 0.0, -1.2), (0.0, 0.0, -0.6)))
    press(skirt)
    assert 0.0 < skirt.hooke.collision_thickness < 0.01


def test_it_is_pressed_in_object_mode_alone(scene):
    skirt, _ = tubes(((0.0, 0.0, 0.0), (0.0, 0.0, 0.6)))
    activate(add_hooke(skirt))
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="Leave Edit Mode"):
        bpy.ops.hooke.garment()
    bpy.ops.object.mode_set(mode="OBJECT")
