# SPDX-License-Identifier: GPL-3.0-or-later
"""Jumping about on the timeline: ahead, before the start, beyond the end, and between frames."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .scenes import add_hooke, bake, evaluated_positions, grid, play, same_bits, status, swing, turn

FRAMES = range(1, 13)


@pytest.fixture
def cloth(scene):
    """A sheet that swings and turns."""
    obj = grid()
    swing(obj)
    turn(obj)
    return add_hooke(obj)


def input_pose(obj):
    """Base positions, which enter Hooke's modifier where nothing is above it."""
    return np.array([vertex.co for vertex in obj.data.vertices], dtype=np.float32)


def test_ahead_shows_the_nearest_simulated_frame_and_says_so(cloth):
    live = play(cloth, range(1, 6))
    ahead = play(cloth, [9, 7, 12])
    assert all(same_bits(shown, live[5]) for shown in ahead.values())
    assert status(cloth) == "Shows frame 5, the last one simulated: play on from there"
    assert len(sessions.find(cloth).frames) == 5


def test_after_jumping_ahead_the_simulation_goes_on_where_it_was(cloth):
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    play(cloth, [*range(1, 6), 9, 3])
    assert "frame 5" in status(cloth)
    assert same_bits(play(cloth, range(6, 13)), {frame: live[frame] for frame in range(6, 13)})


def test_ahead_without_a_start_shows_the_input_and_says_what_it_waits_for(cloth, scene):
    for frame in (6, 7, 12):
        assert same_bits(play(cloth, [frame])[frame], input_pose(cloth))
        assert status(cloth) == "Nothing is simulated up to here: go to frame 1, and play"
    assert sessions.find(cloth).take.simulation is None


def test_before_anything_it_says_where_it_starts(cloth, scene):
    cloth.hooke.frame_start = 4
    assert "frame 4" in status(cloth)
    scene.frame_set(4)
    assert status(cloth) == "Ready at frame 4: press play"


def test_before_the_start_the_input_passes(cloth, scene):
    cloth.hooke.frame_start = 4
    live = play(cloth, range(4, 10))
    before = play(cloth, [3, 1, -10, 0])
    assert all(same_bits(shown, input_pose(cloth)) for shown in before.values())
    # Nothing is lost by having been there.
    assert same_bits(play(cloth, range(4, 10)), live)
    assert same_bits(play(cloth, [1, 8])[8], live[8])


def test_entering_from_before_the_start_is_the_same_simulation(cloth, scene):
    cloth.hooke.frame_start = 4
    live = play(cloth, range(4, 13))
    bpy.ops.hooke.reset()
    assert same_bits(
        {frame: shown for frame, shown in play(cloth, range(-2, 13)).items() if frame >= 4}, live
    )


def test_beyond_the_end_the_last_frame_stays(cloth, scene):
    live = play(cloth, range(1, 20))
    assert all(same_bits(live[frame], live[12]) for frame in range(12, 20))
    assert len(sessions.find(cloth).frames) == 12
    assert "frame 12" in status(cloth)
    assert same_bits(play(cloth, [500])[500], live[12])


def test_after_an_earlier_end_its_frame_stays_and_a_later_one_forgets_nothing(cloth, scene):
    live = play(cloth, range(1, 10))
    cloth.hooke.frame_end = 6
    assert same_bits(play(cloth, [8, 9, 12]), dict.fromkeys((8, 9, 12), live[6]))
    cloth.hooke.frame_end = 12
    assert same_bits(play(cloth, [8, 9]), {8: live[8], 9: live[9]})
    cloth.hooke.frame_end = 6
    bake(cloth)
    assert len([item for item in cloth.hooke.bake.items if item.kind == "KEY"]) == 6


def test_an_end_before_the_start_simulates_nothing_and_is_refused_in_a_bake(cloth, scene):
    cloth.hooke.frame_end = -3
    shown = play(cloth, range(1, 4))
    assert all(same_bits(positions, shown[1]) for positions in shown.values())
    with pytest.raises(RuntimeError, match="frames 1 to -3: set an end that does not come before the start"):
        bpy.ops.hooke.bake()


def test_reset_goes_to_the_start_and_forgets(cloth, scene):
    live = play(cloth, range(1, 8))
    assert bpy.ops.hooke.reset() == {"FINISHED"}
    assert scene.frame_current == 1
    assert status(cloth) == "Ready at frame 1: press play"
    assert same_bits(play(cloth, range(1, 8)), live)


def between(cloth, scene, frame, share):
    """Shown positions on a subframe."""
    scene.frame_set(frame, subframe=share)
    return evaluated_positions(cloth)


def test_subframes_are_halfway_in_object_space(cloth, scene):
    live = play(cloth, FRAMES)
    for frame in range(1, 12):
        shown = between(cloth, scene, frame, 0.5)
        assert np.abs(shown - (live[frame] + live[frame + 1]) / 2).max() <= 1e-6


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_subframes_leave_the_simulation_as_it_was(share, cloth, scene):
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    # As motion blur does: the frame, then a little before and after it, from the very first on.
    for frame in FRAMES:
        scene.frame_set(frame)
        scene.frame_set(frame - 1, subframe=1.0 - share)
        scene.frame_set(frame, subframe=share)
        scene.frame_set(frame)
        assert same_bits(play(cloth, [frame])[frame], live[frame])
    assert same_bits(play(cloth, FRAMES), live)


def test_a_subframe_after_the_last_frame_holds_it(cloth, scene):
    live = play(cloth, range(1, 6))
    assert same_bits(between(cloth, scene, 5, 0.5), live[5])
    assert same_bits(between(cloth, scene, 8, 0.5), live[5])
    assert same_bits(between(cloth, scene, 0, 0.5), input_pose(cloth))


def test_an_edit_on_a_subframe_makes_the_simulation_stale(cloth, scene):
    play(cloth, range(1, 6))
    scene.frame_set(3, subframe=0.5)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    scene.frame_set(3, subframe=0.75)
    assert status(cloth) == "The mesh and the vertex groups changed: go to frame 1, and play"
    assert play(cloth, range(1, 6))[5].shape == (81, 3)


def test_a_subframe_before_any_simulation_shows_the_input(cloth, scene):
    assert same_bits(between(cloth, scene, 1, 0.5), input_pose(cloth))
    assert same_bits(between(cloth, scene, 4, 0.5), input_pose(cloth))
