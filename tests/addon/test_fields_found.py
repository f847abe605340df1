# SPDX-License-Identifier: GPL-3.0-or-later
"""Which force fields act, as Blender has it, and what is told of those that do not."""

import bpy
import numpy as np
import pytest

from hooke.addon.sections import SECTIONS

from .blowing import field, keyed, sheet
from .scenes import (
    activate,
    bake,
    baked_keys,
    evaluated_world_positions,
    grid,
    key_positions,
    mesh_object,
    play,
    same_bits,
    simulated_positions,
)

FRAMES = range(1, 7)
FORCES = next(section for section in SECTIONS if section.id == "forces")


def within(obj, name="Fields", parent=None):
    """Move an object into a collection of its own."""
    collection = bpy.data.collections.new(name)
    (parent or bpy.context.scene.collection).children.link(collection)
    for other in obj.users_collection:
        other.objects.unlink(obj)
    collection.objects.link(obj)
    return collection


def of_layer(*names):
    """The layer collection at the end of a chain of names."""
    found = bpy.context.view_layer.layer_collection
    for name in names:
        found = found.children[name]
    return found


def shown(obj):
    return None


def hidden_by_its_eye(obj):
    obj.hide_set(True)


def hidden_by_an_eye_of_its_collection(obj):
    within(obj)
    of_layer("Fields").hide_viewport = True


def in_a_collection(obj):
    return within(obj)


def in_a_collection_within_one(obj):
    outer = bpy.data.collections.new("Outer")
    bpy.context.scene.collection.children.link(outer)
    within(obj, parent=outer)
    return outer


def disabled(obj):
    obj.hide_viewport = True


def of_a_disabled_collection(obj):
    within(obj).hide_viewport = True


def within_a_disabled_collection(obj):
    in_a_collection_within_one(obj).hide_viewport = True


def of_another_collection(obj):
    other = bpy.data.collections.new("Other")
    bpy.context.scene.collection.children.link(other)
    return other


def excluded(obj):
    within(obj)
    of_layer("Fields").exclude = True


def without_location(obj):
    obj.field.apply_to_location = False


CASES = (
    shown,
    hidden_by_its_eye,
    hidden_by_an_eye_of_its_collection,
    in_a_collection,
    in_a_collection_within_one,
    disabled,
    of_a_disabled_collection,
    within_a_disabled_collection,
    of_another_collection,
    excluded,
    without_location,
)


def moves(give, case):
    """Whether a field moves a sheet that is free, which some function gives its physics, with a case's collection."""
    scene = bpy.context.scene
    bpy.data.batch_remove([*scene.objects, *bpy.data.collections])
    scene.frame_set(1)
    scene.use_gravity = False
    collection = case(field("FORCE", 300.0))
    cloth = grid(pins={})
    give(cloth, collection)
    bpy.context.view_layer.update()
    shapes = []
    for frame in range(1, 5):
        scene.frame_set(frame)
        shapes.append(evaluated_world_positions(cloth))
    return bool(np.abs(shapes[-1] - shapes[0]).max() > 1e-5)


def blenders(cloth, collection):
    cloth.modifiers.new("Cloth", "CLOTH").settings.effector_weights.collection = collection


def hookes(cloth, collection):
    activate(cloth)
    bpy.ops.hooke.add()
    cloth.hooke.field_collection = collection


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", CASES)
def test_a_field_acts_where_it_acts_on_blenders_cloth(case, scene):
    assert moves(hookes, case) == moves(blenders, case)


EYES = [hidden_by_its_eye, hidden_by_an_eye_of_its_collection]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", EYES)
def test_a_field_whose_eye_is_shut_acts_in_a_bake_as_live(case, scene):
    obj = field("WIND", 30.0)
    keyed(obj, {1: 10.0, 6: 40.0})
    case(obj)
    cloth = sheet()
    play(cloth, FRAMES)
    live = {}
    for frame in FRAMES[1:]:
        play(cloth, [frame])
        live[frame] = simulated_positions(cloth)
    bpy.ops.hooke.reset()
    bake(cloth)
    baked = {frame: key_positions(key) for frame, key in zip(FRAMES, baked_keys(cloth), strict=False)}
    assert same_bits({frame: baked[frame] for frame in FRAMES[1:]}, live)
    assert np.abs(live[6] - live[2])[:, 0].max() > 1e-4


@pytest.mark.parametrize("case", EYES)
def test_what_is_a_field_and_a_collider_collides_in_a_bake_no_more_than_live(case, scene):
    points = [(-2, -2, -0.02), (2, -2, -0.02), (2, 2, -0.02), (-2, 2, -0.02)]
    floor = mesh_object(points, faces=[(0, 1, 2, 3)], name="Floor")
    floor.modifiers.new("Collision", "COLLISION")
    bpy.ops.object.forcefield_toggle()
    floor.field.strength = 1.0
    case(floor)
    cloth = sheet()
    play(cloth, FRAMES)
    live = simulated_positions(cloth)
    bpy.ops.hooke.reset()
    bake(cloth)
    assert same_bits(key_positions(baked_keys(cloth)[FRAMES[-1] - 1]), live)
    assert live[:, 2].min() < -0.1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", [shown, *EYES])
def test_a_field_that_comes_later_is_refused_in_a_bake_whether_its_eye_is_shut_or_not(case, scene):
    obj = field("WIND", 30.0)
    for frame, away in ((1, True), (4, False)):
        obj.hide_viewport = away
        obj.keyframe_insert("hide_viewport", frame=frame)
    case(obj)
    cloth = sheet()
    with pytest.raises(RuntimeError, match="'Field' was not one of the forces at the start"):
        bake(cloth)
