# SPDX-License-Identifier: GPL-3.0-or-later
"""Clearing a bake restores the object exactly, field by field."""

import bpy
import pytest

from hooke.addon import bakes
from hooke.addon.bakes import MODES
from hooke.addon.play import sessions

from .keyed_meshes import KEYED_MESHES, with_animated_keys, with_keys, with_modifiers, without_keys
from .scenes import (
    activate,
    add_hooke,
    bake,
    baked_keys,
    clear_bake,
    fcurves,
    grid,
    key_positions,
    link,
    play,
    same_bits,
    status,
)
from .snapshots import data_block_counts, differences, snapshot

FRAMES = range(1, 13)


@pytest.fixture(params=KEYED_MESHES, ids=lambda build: build.__name__)
def obj(request, scene):
    """Each of the meshes with Hooke, not yet simulated, of few frames and substeps: what is asked is Blender's data."""
    scene.frame_end = 6
    return add_hooke(request.param(), substeps=1)


@pytest.fixture(params=MODES)
def mode(request):
    """Each way to bake."""
    return request.param


@pytest.mark.sampled(7)
@pytest.mark.combined
def test_clearing_restores_everything(mode, obj, scene):
    play(obj, range(1, 7))
    scene.frame_set(4)
    before = snapshot(obj)
    bake(obj, mode)
    assert differences(before, snapshot(obj)) != []
    clear_bake(obj)
    assert differences(before, snapshot(obj)) == []
    # And once more: clearing must not leave anything the next bake trips over.
    bake(obj, mode)
    clear_bake(obj)
    assert differences(before, snapshot(obj)) == []


def test_reset_leaves_the_frames_of_what_is_baked(scene, capfd):
    obj = add_hooke(grid())
    live = play(obj, FRAMES)
    bake(obj)
    capfd.readouterr()
    bpy.ops.hooke.reset()
    assert "'Cloth' is baked and keeps its frames: clear its bake first" in capfd.readouterr().out
    clear_bake(obj)
    scene.frame_set(12)
    assert "frame 12" in status(obj)
    assert same_bits({12: play(obj, [12])[12]}, {12: live[12]})


def test_the_bake_adds_one_linear_key_a_frame(scene):
    obj = add_hooke(grid(), frame_start=3, frame_end=7)
    bake(obj)
    keys = obj.data.shape_keys
    assert [key.name for key in keys.key_blocks] == [
        "Basis",
        *(f"Hooke {frame:04d}" for frame in range(3, 8)),
    ]
    assert keys.use_relative
    for curve, frame in zip(fcurves(keys), range(3, 8), strict=True):
        assert curve.data_path == f'key_blocks["Hooke {frame:04d}"].value'
        hat = [(frame - 1, 0.0), (frame, 1.0), (frame + 1, 0.0)]
        # Before the first frame and after the last one the ends stay on.
        expected = hat[1:] if frame == 3 else hat[:2] if frame == 7 else hat
        assert [tuple(point.co) for point in curve.keyframe_points] == expected
        assert {point.interpolation for point in curve.keyframe_points} == {"LINEAR"}
    assert all(key.relative_key == keys.reference_key for key in keys.key_blocks)
    assert not any(key.mute for key in keys.key_blocks[1:])


def test_a_bake_of_one_frame(scene):
    obj = add_hooke(grid(), frame_start=5, frame_end=5)
    before = snapshot(obj)
    bake(obj)
    assert [key.name for key in baked_keys(obj)] == ["Hooke 0005"]
    assert same_bits(*play(obj, (1, 9)).values())
    scene.frame_set(1)
    clear_bake(obj)
    assert differences(before, snapshot(obj)) == []


def test_the_user_s_keys_keep_their_place_before_the_baked_ones(scene):
    obj = add_hooke(with_keys())
    names = [key.name for key in obj.data.shape_keys.key_blocks]
    points = [key_positions(key) for key in obj.data.shape_keys.key_blocks]
    bake(obj)
    keys = obj.data.shape_keys.key_blocks
    assert [key.name for key in keys[: len(names)]] == names
    assert all(same_bits(key_positions(key), old) for key, old in zip(keys, points, strict=False))
    assert obj.active_shape_key_index == 2
    # A name the user has taken is not taken from them.
    assert [key.name for key in baked_keys(obj)][2] == "Hooke 0003.001"


def test_without_keys_nothing_is_left(scene):
    obj = add_hooke(without_keys())
    counts = data_block_counts()
    bake(obj)
    assert data_block_counts() == {**counts, "shape_keys": 1, "actions": counts["actions"] + 1}
    clear_bake(obj)
    assert obj.data.shape_keys is None
    assert data_block_counts() == counts
    assert not obj.hooke.bake.exists


def test_what_the_user_adds_to_a_bake_survives_clearing(scene):
    obj = add_hooke(without_keys())
    bake(obj)
    mine = obj.shape_key_add(name="Mine", from_mix=False)
    mine.value = 0.4
    mine.keyframe_insert("value", frame=5)
    clear_bake(obj)
    assert [key.name for key in obj.data.shape_keys.key_blocks] == ["Basis", "Mine"]
    assert [curve.data_path for curve in fcurves(obj.data.shape_keys)] == ['key_blocks["Mine"].value']


def test_what_the_user_takes_out_of_a_bake_does_not_hinder_clearing(scene):
    obj = add_hooke(with_modifiers())
    bake(obj)
    obj.shape_key_remove(obj.data.shape_keys.key_blocks["Hooke 0005"])
    obj.shape_key_remove(obj.data.shape_keys.key_blocks["Lift"])
    obj.modifiers.remove(obj.modifiers["Hook 1"])
    clear_bake(obj)
    names = [key.name for key in obj.data.shape_keys.key_blocks]
    assert names == ["Basis", 'Say "ä"', "Hooke 0003", "Muted"]
    assert [curve for curve in fcurves(obj.data.shape_keys) if "Hooke 00" in curve.data_path] == []


def test_removing_all_keys_by_hand_does_not_hinder_clearing(scene):
    obj = add_hooke(without_keys())
    bake(obj)
    obj.shape_key_clear()
    clear_bake(obj)
    assert obj.data.shape_keys is None
    play(obj, FRAMES)
    assert "strain" in status(obj)


def test_removing_hooke_keeps_the_baked_keys(scene):
    obj = add_hooke(with_animated_keys())
    live = play(obj, FRAMES)
    bake(obj)
    baked = play(obj, FRAMES)
    activate(obj)
    assert bpy.ops.hooke.remove() == {"FINISHED"}
    assert "Hooke" not in obj.modifiers
    assert same_bits(play(obj, FRAMES), baked)
    assert all(abs(baked[frame] - live[frame]).max() < 1e-6 for frame in FRAMES)


def test_a_duplicate_of_a_baked_object_is_cleared_alone(scene):
    obj = add_hooke(grid())
    bake(obj)
    baked = play(obj, FRAMES)
    activate(obj)
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    clear_bake(copy)
    assert copy.data.shape_keys is None
    assert same_bits(play(obj, FRAMES), baked)


def test_clearing_a_bake_of_a_copy_that_shares_the_action(scene):
    obj = add_hooke(with_animated_keys())
    bake(obj)
    baked = play(obj, FRAMES)
    copy = obj.copy()
    copy.data = obj.data.copy()
    scene.collection.objects.link(copy)
    clear_bake(copy)
    assert same_bits(play(obj, FRAMES), baked)


@pytest.mark.sampled(3)
def test_undo_and_redo_of_bake_and_clear(mode, scene):
    obj = add_hooke(with_modifiers())
    live = play(obj, FRAMES)
    scene.frame_set(1)
    bpy.ops.ed.undo_push(message="Before")
    bake(obj, mode)
    baked = play(obj, FRAMES)
    scene.frame_set(1)
    bpy.ops.ed.undo_push(message="Bake")
    clear_bake(obj)
    bpy.ops.ed.undo_push(message="Clear Bake")
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Cloth"]
    assert obj.hooke.bake.exists and same_bits(play(obj, FRAMES), baked)
    bpy.ops.ed.redo()
    obj = bpy.data.objects["Cloth"]
    assert not obj.hooke.bake.exists
    assert same_bits(play(obj, FRAMES), live)


@pytest.mark.combined
@pytest.mark.parametrize("build", [without_keys, with_animated_keys, with_modifiers])
def test_a_bake_that_fails_halfway_leaves_everything_as_it_was(build, mode, scene):
    obj = add_hooke(build())
    play(obj, FRAMES)
    scene.frame_set(1)
    before = snapshot(obj)
    for calls in (1, 2, 7):
        asked = []

        def stop(asked=asked, calls=calls):
            asked.append(True)
            if len(asked) > calls:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            bakes.make(obj, mode, sessions.find(obj).frames[:12], 1, bakes.Options(stop=stop))
        assert differences(before, snapshot(obj)) == []
        assert not obj.hooke.bake.exists


@pytest.mark.sampled(3)
def test_baking_all_selected_objects_or_none(mode, scene):
    objects = [add_hooke(grid(name=name)) for name in ("One", "Two", "Three")]
    for obj in objects[:2]:
        obj.select_set(True)
    objects[2].select_set(False)
    assert bpy.ops.hooke.bake(mode=mode, selected=True) == {"FINISHED"}
    assert [obj.hooke.bake.exists for obj in objects] == [True, True, False]
    assert bpy.ops.hooke.clear_bake(selected=True) == {"FINISHED"}
    assert not any(obj.hooke.bake.exists for obj in objects)


@pytest.mark.parametrize("active", [None, "Light"])
def test_a_bake_of_the_active_object_needs_one_that_is_simulated(active, scene):
    obj = add_hooke(grid())
    light = link(bpy.data.objects.new("Light", bpy.data.lights.new("Light", "POINT")))
    bpy.context.view_layer.objects.active = light if active else None
    with pytest.raises(RuntimeError, match="the active object is not simulated by Hooke"):
        bpy.ops.hooke.bake()
    assert not obj.hooke.bake.exists


def test_a_failure_of_one_selected_object_bakes_none(scene, tmp_path):
    objects = [add_hooke(grid(name=name)) for name in ("One", "Two")]
    objects[1].data.shape_keys or objects[1].shape_key_add(name="Basis")
    objects[1].data.shape_keys.use_relative = False
    for obj in objects:
        play(obj, FRAMES)
        obj.select_set(True)
    before = [snapshot(obj) for obj in objects]
    with pytest.raises(RuntimeError, match="the shape keys of 'Two' are absolute"):
        bpy.ops.hooke.bake(selected=True, mode="SHAPE_KEYS")
    assert [differences(*pair) for pair in zip(before, map(snapshot, objects), strict=True)] == [[], []]


def test_the_object_s_own_settings_count_where_the_operator_says_nothing(scene):
    obj = add_hooke(grid(), bake_mode="SHAPE_KEYS", bake_step=5)
    activate(obj)
    assert bpy.ops.hooke.bake() == {"FINISHED"}
    assert [key.name for key in baked_keys(obj)] == [f"Hooke {frame:04d}" for frame in (1, 6, 11, 12)]
    clear_bake(obj)
    assert bpy.ops.hooke.bake(mode="PRINCIPAL_SHAPES") == {"FINISHED"}
    assert obj.hooke.bake.mode == "PRINCIPAL_SHAPES" and obj.hooke.bake_mode == "SHAPE_KEYS"
