# SPDX-License-Identifier: GPL-3.0-or-later
"""What was simulated before a change is not shown as if it were valid after it; the start frame starts anew."""

import bpy
import numpy as np
import pytest

from hooke.addon import readout
from hooke.addon.play import sessions

from . import changes
from .changes import CHANGES, pin_animation_edited_at_the_end
from .pairs import sheets
from .scenes import (
    add_hooke,
    evaluated_world_positions,
    fcurves,
    grid,
    link,
    play,
    same_bits,
    status,
    swing,
)

FRAMES = range(1, 13)
# With another mesh, or another frame to start from, there is nothing to go on from.
WAITING = (changes.vertices_moved, changes.vertices_added, changes.faces_removed, changes.faces_split)


@pytest.fixture
def cloth(scene):
    """A swinging sheet with a parent, a shape key, and a modifier above Hooke."""
    obj = grid(pins={0: 1.0, 2: 0.5, 4: 1.0})
    obj.parent = link(bpy.data.objects.new("Parent", None))
    swing(obj)
    obj.shape_key_add(name="Basis")
    lift = obj.shape_key_add(name="Lift")
    lift.data[12].co.z, lift.value = 0.4, 0.1
    smooth = obj.modifiers.new("Smooth", "SMOOTH")
    smooth.factor = 0.1
    # One substep a frame: what is asked is what is noticed.
    return add_hooke(obj, substeps=1)


def make(change, obj, scene):
    """Make the change as the interface does, after which Blender updates the view layer; returns the start."""
    change(obj, scene)
    bpy.context.view_layer.update()
    return obj.hooke.frame_start


@pytest.mark.sampled(26)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_after_a_change_in_the_middle_only_the_start_frame_makes_it_true_again(change, cloth, scene):
    play(cloth, range(1, 6))
    before = evaluated_world_positions(cloth)
    assert "strain" in status(cloth)
    start = make(change, cloth, scene)
    play(cloth, [5])
    waits = change in WAITING or start != 1
    assert (f"go to frame {start}" if waits else "uned live") in status(cloth)
    # It does not become valid by going on or back.
    play(cloth, [6, 4, 5])
    assert f"go to frame {start}" in status(cloth)
    again = play(cloth, range(start, 6))
    assert "strain" in status(cloth) and "tuned" not in status(cloth)
    after = evaluated_world_positions(cloth)
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, range(start, 6)), again)
    # The change matters, else it would not have had to start again.
    assert after.shape != before.shape or np.abs(after - before).max() > 1e-5


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "change", [changes.frame_rate, changes.frame_rate_base, changes.gravity, changes.gravity_off]
)
@pytest.mark.parametrize("members", [1, 2])
def test_what_changes_of_the_scene_makes_frames_stale_at_once(members, change, scene):
    cloth = sheets(effort="DRAFT")[0] if members == 2 else add_hooke(grid())
    play(cloth, range(1, 6))
    assert sessions.find(cloth).cached == 5
    change(cloth, scene)
    bpy.context.view_layer.update()
    assert sessions.find(cloth).cached == 0
    assert ("uned live since frame 5" if members == 1 else "go to frame 1") in status(cloth)
    assert readout.cache_status(cloth)[0].startswith("Stale: 5 frames")


SETTINGS = {
    "frame_start": 4,
    "friction": 0.9,
    "substeps": 7,
    "air_drag": 0.5,
    "pre_roll": 3,
    "gravity_weight": 0.5,
    "pin_stiffness": 50.0,
    "self_collision": True,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "value"), SETTINGS.items())
def test_a_setting_from_a_script_makes_frames_stale_at_once(name, value, cloth, scene):
    play(cloth, range(1, 6))
    setattr(cloth.hooke, name, value)
    bpy.context.view_layer.update()
    assert sessions.find(cloth).cached == 0
    assert readout.cache_status(cloth)[0].startswith("Stale: 5 frames")


@pytest.mark.sampled(21)
@pytest.mark.parametrize("change", [c for c in CHANGES if c is not pin_animation_edited_at_the_end])
def test_a_change_at_the_start_frame_starts_anew(change, cloth, scene):
    play(cloth, range(1, 6))
    scene.frame_set(cloth.hooke.frame_start)
    start = make(change, cloth, scene)
    # Elsewhere than at the start, what was simulated before is stale.
    play(cloth, [4])
    assert f"go to frame {start}" in status(cloth)
    again = play(cloth, range(start, 6))
    assert "strain" in status(cloth)
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, range(start, 6)), again)


def test_a_later_change_of_the_pins_motion_is_noticed_where_it_begins(cloth, scene):
    parent = cloth.parent
    for frame, height in ((1, 0.0), (6, 0.0), (12, 1.0)):
        parent.location.z = height
        parent.keyframe_insert("location", index=2, frame=frame)
    for point in fcurves(parent)[0].keyframe_points:
        point.interpolation = "LINEAR"
    live = play(cloth, FRAMES)
    fcurves(parent)[0].keyframe_points[-1].co.y = 2.0
    assert same_bits(play(cloth, range(1, 7)), {frame: live[frame] for frame in range(1, 7)})
    assert "strain" in status(cloth)
    play(cloth, [7])
    assert "tuned live" in status(cloth)
    play(cloth, [3, 7])
    assert status(cloth) == "The object's motion and the pins' motion changed: go to frame 1, and play"
    again = play(cloth, FRAMES)
    assert "frame 12" in status(cloth)
    assert np.abs(again[12] - live[12]).max() > 1e-3


@pytest.mark.sampled(20)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_bake_after_a_change_is_of_the_changed_scene(change, cloth, scene):
    cloth.hooke.frame_end = 5
    play(cloth, range(1, 6))
    change(cloth, scene)
    start = cloth.hooke.frame_start
    assert bpy.ops.hooke.bake() == {"FINISHED"}
    baked = play(cloth, range(start, 6))
    assert bpy.ops.hooke.clear_bake() == {"FINISHED"}
    bpy.ops.hooke.reset()
    live = play(cloth, range(start, 6))
    assert all(np.abs(baked[frame] - live[frame]).max() <= 2e-6 for frame in live)


def test_a_bake_starts_anew_where_earlier_frames_turn_out_to_be_stale(cloth, scene):
    play(cloth, FRAMES)
    scene.frame_set(1)
    # At the start frame nothing shows that the pins will be elsewhere at the end.
    pin_animation_edited_at_the_end(cloth, scene)
    assert bpy.ops.hooke.bake() == {"FINISHED"}
    baked = play(cloth, FRAMES)
    assert bpy.ops.hooke.clear_bake() == {"FINISHED"}
    bpy.ops.hooke.reset()
    live = play(cloth, FRAMES)
    assert all(np.abs(baked[frame] - live[frame]).max() <= 2e-6 for frame in live)


def test_a_change_and_its_opposite_start_anew_with_the_same_result(cloth, scene):
    live = play(cloth, FRAMES)
    cloth.hooke.stretch_stiffness = 5.0
    play(cloth, FRAMES)
    cloth.hooke.stretch_stiffness = 5e3
    assert same_bits(play(cloth, FRAMES), live)


def test_a_later_end_goes_on(cloth, scene):
    play(cloth, FRAMES)
    cloth.hooke.frame_end = 20
    further = play(cloth, range(13, 21))
    assert "frame 20" in status(cloth)
    bpy.ops.hooke.reset()
    again = play(cloth, range(1, 21))
    assert same_bits({frame: again[frame] for frame in further}, further)


def test_nothing_is_simulated_in_edit_mode(cloth, scene):
    live = play(cloth, range(1, 6))
    bpy.ops.object.mode_set(mode="EDIT")
    scene.frame_set(6)
    scene.frame_set(7)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "frame 5" in status(cloth)
    live |= play(cloth, range(6, 13))
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), live)


def test_nothing_is_simulated_while_the_mesh_is_edited_through_another_object(cloth, scene):
    play(cloth, range(1, 6))
    other = link(cloth.copy())
    other.hooke.enabled = False
    cloth.select_set(False)
    bpy.context.view_layer.objects.active = other
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    scene.frame_set(6)
    scene.frame_set(1)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.data.objects.remove(other)
    assert play(cloth, range(1, 6))[5].shape == (81, 3)
