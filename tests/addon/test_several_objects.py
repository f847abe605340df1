# SPDX-License-Identifier: GPL-3.0-or-later
"""Several simulated objects in a scene, and what happens when they come, go and change their names."""

import bpy
import numpy as np
import pytest

from hooke.addon.colliders import finding
from hooke.addon.play import sessions

from .colliding import block, collider
from .scenes import activate, add_hooke, bake, clear_bake, grid, play, same_bits, status, swing
from .snapshots import differences, snapshot

FRAMES = range(1, 13)
SETTINGS = (
    {"name": "First", "stiffness": 1e4},
    {"name": "Second", "stiffness": 30.0, "frame_start": 3, "frame_end": 9},
    {"name": "Third", "mass": 5.0, "substeps": 3, "iterations": 4},
)


def build(name, **settings):
    obj = grid(name=name)
    swing(obj)
    return add_hooke(obj, **settings)


def play_all(objects, frames):
    """Positions of each object by frame."""
    shown = {obj.name: {} for obj in objects}
    for frame in frames:
        for obj in objects:
            shown[obj.name] |= play(obj, [frame])
    return shown


@pytest.mark.newest
def test_each_moves_as_it_would_alone(scene):
    alone = {}
    for settings in SETTINGS:
        obj = build(**settings)
        alone[obj.name] = play(obj, FRAMES)
        bpy.data.objects.remove(obj)
    objects = [build(**settings) for settings in SETTINGS]
    together = play_all(objects, FRAMES)
    assert all(same_bits(together[name], alone[name]) for name in alone)
    scrubbed = play_all(objects, reversed(FRAMES))
    assert all(same_bits(scrubbed[name][frame], alone[name][frame]) for name in alone for frame in FRAMES)
    assert ["frame 12" in status(obj) for obj in objects] == [True, False, True]
    assert "frame 9" in status(objects[1])


@pytest.mark.parametrize("count", [2, 9])
def test_a_frame_looks_at_each_collider_once_however_many_objects_there_are(count, scene, monkeypatch):
    looks = []
    problem = finding.problem_of
    monkeypatch.setattr(
        finding, "problem_of", lambda other, depsgraph: looks.append(other) or problem(other, depsgraph)
    )
    for name in ("One", "Two"):
        collider(block(name, height=-3.0))
    for number in range(count):
        add_hooke(grid(side=2, name=f"Sheet {number}"))
    for frame in range(1, 4):
        scene.frame_set(frame)
    looks.clear()
    scene.frame_set(4)
    # The frame, and the update that follows it: the shown positions are an edit.
    assert len(looks) <= 2 * 2


def test_they_share_the_node_group_and_the_last_takes_it_along(scene):
    objects = [build(**settings) for settings in SETTINGS]
    assert len({obj.modifiers["Hooke"].node_group for obj in objects}) == 1
    for obj in objects:
        assert len(bpy.data.node_groups) == 1
        activate(obj)
        bpy.ops.hooke.remove()
    assert len(bpy.data.node_groups) == 0


@pytest.mark.newest
def test_baking_one_leaves_the_others_alone(scene):
    objects = [build(**settings) for settings in SETTINGS]
    live = play_all(objects, FRAMES)
    scene.frame_set(1)
    others = [snapshot(obj)["mesh"] for obj in (objects[0], objects[2])]
    bake(objects[1])
    assert [obj.hooke.bake.exists for obj in objects] == [False, True, False]
    scene.frame_set(1)
    assert differences(others, [snapshot(obj)["mesh"] for obj in (objects[0], objects[2])]) == []
    baked = play_all(objects, FRAMES)
    for name in ("First", "Third"):
        assert same_bits(baked[name], live[name])
    # A bake holds its first frame before it and its last frame after it.
    assert all(np.abs(baked["Second"][f] - live["Second"][f]).max() <= 2e-6 for f in range(3, 13))
    clear_bake(objects[1])
    again = play_all(objects, FRAMES)
    assert all(same_bits(again[name], live[name]) for name in live)


def test_a_change_of_one_leaves_the_others_running(scene):
    objects = [build(**settings) for settings in SETTINGS]
    live = play_all(objects, FRAMES)
    objects[0].hooke.stiffness = 7.0
    again = play_all(objects, [12])
    assert "uned live" in status(objects[0])
    assert "strain" in status(objects[2])
    assert same_bits(again["Third"][12], live["Third"][12])


def test_a_broken_one_does_not_hinder_the_others(scene):
    objects = [build(**settings) for settings in SETTINGS]
    objects[0].data.vertices[3].co.x = float("nan")
    shown = play_all(objects, FRAMES)
    assert "a vertex without finite coordinates" in status(objects[0])
    assert "frame 12" in status(objects[2])
    assert np.abs(shown["Third"][12] - shown["Third"][1]).max() > 0.05


def test_a_deleted_object_is_forgotten(scene):
    objects = [build(**settings) for settings in SETTINGS]
    play_all(objects, FRAMES)
    assert len(sessions.by_object) == 3
    uid = objects[0].session_uid
    bpy.data.objects.remove(objects[0])
    scene.frame_set(5)
    assert len(sessions.by_object) == 2
    assert uid not in sessions.by_object
    assert "frame 12" in status(objects[2])


def test_a_deleted_object_s_place_is_not_taken_by_a_new_one(scene):
    obj = build(name="First")
    play(obj, FRAMES)
    bpy.data.objects.remove(obj)
    new = build(name="First", stiffness=500.0)
    play(new, [6])
    assert "go to frame 1" in status(new)


def test_renaming_in_the_middle_carries_on(scene):
    obj = build(name="Before")
    live = play(obj, FRAMES)
    bpy.ops.hooke.reset()
    again = play(obj, range(1, 7))
    obj.name = obj.data.name = "After"
    again |= play(obj, range(7, 13))
    assert same_bits(again, live)
    assert "frame 12" in status(obj)


def test_a_duplicate_gets_its_own_simulation(scene):
    obj = build(name="First")
    live = play(obj, range(1, 7))
    activate(obj)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    copy = bpy.context.object
    assert copy.data != obj.data
    copy.hooke.stiffness = 20.0
    scene.frame_set(7)
    assert "frame 7" in status(obj)
    assert "go to frame 1" in status(copy)
    shown = play_all([obj, copy], FRAMES)
    assert same_bits({frame: shown["First"][frame] for frame in live}, live)
    assert np.abs(shown[copy.name][12] - shown["First"][12]).max() > 1e-3
    assert "frame 12" in status(copy)


def test_a_linked_duplicate_is_refused_with_a_sentence(scene):
    obj = build(name="First")
    play(obj, range(1, 7))
    activate(obj)
    assert bpy.ops.object.duplicate(linked=True) == {"FINISHED"}
    copy = bpy.context.object
    assert copy.data == obj.data
    play_all([obj, copy], FRAMES)
    for either in (obj, copy):
        assert "mesh 'First' is shared by 2 objects (First, First.001)" in status(either)
        assert "Make Single User" in status(either)
        activate(either)
        with pytest.raises(RuntimeError, match="shared by 2 objects"):
            bpy.ops.hooke.bake()
    assert obj.data.shape_keys is None
    # Made single-user, both run.
    copy.data = obj.data.copy()
    shown = play_all([obj, copy], FRAMES)
    assert same_bits(shown["First"], shown[copy.name])
    assert "frame 12" in status(copy)


def test_an_object_out_of_sight_says_so_and_goes_on_when_it_is_back(scene):
    obj = build(name="First")
    live = play(obj, FRAMES)
    bpy.ops.hooke.reset()
    obj.hide_viewport = True
    scene.frame_set(1)
    scene.frame_set(2)
    assert "'First' is not evaluated through Hooke's modifier: show the object" in status(obj)
    with pytest.raises(RuntimeError, match="show the object"):
        bpy.ops.hooke.bake()
    obj.hide_viewport = False
    assert same_bits(play(obj, FRAMES), live)


def test_in_an_excluded_collection(scene):
    obj = build(name="First")
    collection = bpy.data.collections.new("Aside")
    scene.collection.children.link(collection)
    scene.collection.objects.unlink(obj)
    collection.objects.link(obj)
    bpy.context.view_layer.layer_collection.children["Aside"].exclude = True
    scene.frame_set(1)
    scene.frame_set(2)
    assert "show the object" in status(obj)
    bpy.context.view_layer.layer_collection.children["Aside"].exclude = False
    play(obj, FRAMES)
    assert "frame 12" in status(obj)


def test_a_modifier_that_was_removed_by_hand_is_named(scene):
    obj = build(name="First")
    play(obj, range(1, 6))
    obj.modifiers.remove(obj.modifiers["Hooke"])
    play(obj, FRAMES)
    assert status(obj) == "Hooke's modifier is gone: put it back, or remove Hooke"
    activate(obj)
    assert bpy.ops.hooke.mend(remedy="MODIFIER") == {"FINISHED"}
    play(obj, FRAMES)
    assert "frame 12" in status(obj)


def test_two_scenes(scene):
    obj = build(name="First")
    other = bpy.data.scenes.new("Other")
    there = grid(name="There")
    scene.collection.objects.unlink(there)
    other.collection.objects.link(there)
    live = play(obj, FRAMES)
    bpy.context.window.scene = other
    add_hooke(there)
    other.frame_set(1)
    other.frame_set(2)
    assert "frame 2" in status(there)
    bpy.context.window.scene = scene
    assert same_bits(play(obj, reversed(FRAMES)), live)
