# SPDX-License-Identifier: GPL-3.0-or-later
"""The start of a simulation is used only while it is known to be true: the start frame was shown just before."""

import bpy
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions

from .changes import object_moved, vertices_moved
from .colliding import collider
from .scenes import (
    activate,
    add_hooke,
    bake,
    baked_keys,
    evaluated_positions,
    fcurves,
    grid,
    key_positions,
    link,
    pin,
    play,
    same_bits,
    status,
    swing,
)

FRAMES = range(1, 13)
WELL = {"effort": "CONVERGED", "stiffness": 2000.0}


@pytest.fixture
def cloth(scene):
    obj = grid()
    obj.parent = link(bpy.data.objects.new("Parent", None))
    return add_hooke(obj, **WELL)


def modifier_above(obj, scene):
    obj.modifiers.new("Cast", "CAST").factor = 0.3
    obj.modifiers.move(len(obj.modifiers) - 1, 0)


def waits(obj):
    """Whether the status sends to the start, and shows no tick."""
    told = readout.report(obj)
    return told.icon != "CHECKMARK" and "go to frame 1, and play" in told.sentence() + status(obj)


@pytest.mark.parametrize(
    "change", [vertices_moved, object_moved, modifier_above], ids=lambda each: each.__name__
)
def test_after_an_edit_in_the_middle_nothing_begins_at_the_frame_after_the_start(change, cloth, scene):
    play(cloth, FRAMES)
    assert readout.report(cloth).icon == "CHECKMARK"
    scene.frame_set(6)
    change(cloth, scene)
    bpy.context.view_layer.update()
    for frame in (5, 4, 3, 2, 3, 4):
        scene.frame_set(frame)
        assert not len(sessions.find(cloth).take) and waits(cloth), frame
    live = play(cloth, FRAMES)
    assert readout.report(cloth).icon == "CHECKMARK"
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), live)


def test_a_range_that_begins_after_the_start_says_where_to_go(cloth, scene):
    play(cloth, FRAMES)
    scene.frame_start = 2
    vertices_moved(cloth, scene)
    bpy.context.view_layer.update()
    # As playback goes round.
    for frame in (12, 2, 3, 4):
        scene.frame_set(frame)
        assert waits(cloth), frame


@pytest.mark.sampled(2)
@pytest.mark.parametrize("at", [1, 6])
@pytest.mark.parametrize("change", ["group", "vertices", "place"])
def test_what_a_script_changed_between_two_frames_is_asked_for(change, at, cloth, scene):
    play(cloth, FRAMES)
    scene.frame_set(at)
    if change == "group":
        pin(cloth, {12: 1.0})
    elif change == "vertices":
        cloth.data.vertices[12].co.z = 0.3
    else:
        cloth.parent.location.x += 0.2
    # No update between the change and the next frame.
    scene.frame_set(at + 1)
    shown = evaluated_positions(cloth)
    if readout.report(cloth).icon == "CHECKMARK":
        bpy.ops.hooke.reset()
        assert same_bits(play(cloth, range(1, at + 2))[at + 1], shown)
    else:
        assert not len(sessions.find(cloth).take)


def test_what_a_script_changed_is_asked_for_by_way_of_the_start_too(cloth, scene):
    play(cloth, FRAMES)
    scene.frame_set(6)
    pin(cloth, {12: 1.0})
    scene.frame_set(1)
    scene.frame_set(5)
    assert waits(cloth)


def test_a_script_that_sets_a_place_at_the_start_and_steps_on_simulates_nothing_from_elsewhere(scene):
    obj = grid()
    swing(obj)
    parent = obj.parent = link(bpy.data.objects.new("Parent", None))
    add_hooke(obj, **WELL)
    scene.frame_set(1)
    parent.location.z += 1.0
    live = play(obj, range(2, 13))
    ticked = readout.report(obj).icon == "CHECKMARK"
    bake(obj)
    true = [key_positions(key) for key in baked_keys(obj)]
    assert not ticked or all(same_bits(live[frame], true[frame - 1]) for frame in live)


def jumping(obj, at=(1, 2, 12)):
    """Keys of a place that jumps from the first frame to the second and stays there."""
    for frame in at:
        obj.location.x = 0.1 * (frame > 1)
        obj.keyframe_insert("location", index=0, frame=frame)
    for curve in fcurves(obj):
        for point in curve.keyframe_points:
            point.interpolation = "CONSTANT"
    return fcurves(obj)[0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("update", [True, False])
@pytest.mark.parametrize("of", ["Cloth", "Parent", "Floor"])
def test_a_key_that_is_seen_at_the_start_alone_is_asked_for(of, update, cloth, scene):
    floor = collider(grid(name="Floor", pins={}))
    floor.location.z = -0.3
    curve = jumping(bpy.data.objects[of])
    play(cloth, FRAMES)
    scene.frame_set(6)
    curve.keyframe_points[0].co.y -= 0.2
    curve.update()
    if update:
        bpy.context.view_layer.update()
        assert waits(cloth)
    for frame in (7, 6, 5, 12):
        scene.frame_set(frame)
        assert waits(cloth), frame
    live = play(cloth, FRAMES)
    assert readout.report(cloth).icon == "CHECKMARK"
    activate(cloth)
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), live)


def test_frames_before_an_edited_key_stay_and_those_after_it_are_compared_again(cloth, scene):
    curve = jumping(cloth, at=(1, 2, 8, 12))
    live = play(cloth, FRAMES)
    scene.frame_set(4)
    curve.keyframe_points[3].co.x -= 1.0
    curve.update()
    bpy.context.view_layer.update()
    # From the key at frame 8 on it may be another place: it is none.
    assert same_bits(play(cloth, [5, 8]), {frame: live[frame] for frame in (5, 8)})
    scene.frame_set(12)
    told = readout.report(cloth)
    assert told.icon != "CHECKMARK" and "go to frame 9, and play" in status(cloth)
    simulated = sessions.find(cloth).take.simulated
    assert same_bits(play(cloth, range(9, 13)), {frame: live[frame] for frame in range(9, 13)})
    assert readout.report(cloth).icon == "CHECKMARK" and sessions.find(cloth).take.simulated == simulated


def test_keys_that_another_blender_edited_are_asked_for(cloth, scene, tmp_path):
    curve, path = jumping(cloth), tmp_path / "cloth.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    play(cloth, FRAMES)
    sessions.drop_all()
    curve.keyframe_points[0].co.y -= 0.2
    curve.update()
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    cloth = bpy.data.objects["Cloth"]
    play(cloth, [6])
    assert waits(cloth)


def test_settings_that_a_script_sets_at_the_start_need_no_second_visit(scene):
    obj = grid()
    swing(obj)
    add_hooke(obj, **WELL)
    scene.frame_set(1)
    obj.hooke.stiffness = 1500.0
    play(obj, range(2, 13))
    assert len(sessions.find(obj).take) == 12


def test_the_start_is_not_remembered_while_other_frames_are_shown(cloth, scene):
    scene.frame_set(1)
    scene.frame_set(5)
    scene.frame_set(2)
    assert waits(cloth)


@pytest.mark.parametrize("update", [True, False])
@pytest.mark.parametrize("frame", [14, 6.5])
def test_an_edit_where_no_frame_can_be_compared_is_asked_for(frame, update, cloth, scene):
    live = play(cloth, FRAMES)
    scene.frame_set(int(frame), subframe=frame % 1)
    modifier_above(cloth, scene)
    if update:
        bpy.context.view_layer.update()
        assert waits(cloth)
    scene.frame_set(13)
    # Told to begin anew, or tuned live.
    assert (readout.report(cloth).icon != "CHECKMARK" and "from frame 1" in status(cloth)) or waits(cloth)
    again = play(cloth, FRAMES)
    assert readout.report(cloth).icon == "CHECKMARK" and not same_bits(again, live)


@pytest.mark.parametrize("edit", ["select", "view", "edit mode"])
def test_what_changes_nothing_needs_no_look_wherever_it_is_done(edit, cloth, scene):
    swing(cloth)
    live = play(cloth, FRAMES)
    scene.frame_set(14)
    if edit == "select":
        cloth.select_set(False)
    elif edit == "view":
        cloth.hooke.bake_step = 2
    else:
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert readout.report(cloth).figures
    assert same_bits(play(cloth, [9, 12]), {frame: live[frame] for frame in (9, 12)})
    assert readout.report(cloth).figures


def test_frames_from_disk_are_asked_for_where_none_is_shown(cloth, scene, tmp_path):
    path = tmp_path / "cloth.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    play(cloth, FRAMES)
    sessions.drop_all()
    cloth.modifiers.new("Cast", "CAST").factor = 0.3
    cloth.modifiers.move(len(cloth.modifiers) - 1, 0)
    scene.frame_set(14)
    assert waits(bpy.data.objects["Cloth"])


@pytest.mark.parametrize("update", [True, False])
def test_a_lower_end_shows_its_frame(update, cloth, scene):
    live = play(cloth, FRAMES)
    cloth.hooke.frame_end = 8
    if update:
        bpy.context.view_layer.update()
    else:
        scene.frame_set(12)
    assert same_bits(evaluated_positions(cloth), live[8])
