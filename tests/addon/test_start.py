# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a simulation begins and how its time runs: pre-roll, saved pose, time scale, loop blend."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .scenes import (
    activate,
    add_hooke,
    bake,
    baked_keys,
    evaluated_positions,
    grid,
    key_positions,
    play,
    same_bits,
)

FRAMES = range(1, 13)


@pytest.fixture
def cloth(scene):
    return add_hooke(grid())


def test_a_pre_roll_begins_as_many_frames_later(cloth, scene):
    plain = play(cloth, range(1, 13))
    scene.frame_end = cloth.hooke.frame_end = 20
    plain |= play(cloth, range(13, 20))
    cloth.hooke.pre_roll = 7
    shown = play(cloth, FRAMES)
    for frame in FRAMES:
        assert np.abs(shown[frame] - plain[frame + 7]).max() <= 1e-6
    assert same_bits(play(cloth, [1])[1], shown[1])


def test_a_pre_roll_holds_the_pins_where_they_start(scene):
    cloth = add_hooke(grid(), pre_roll=200, substeps=1, acceleration="NONE")
    first, second = play(cloth, [1, 2]).values()
    assert same_bits(first[[0, 4]], np.array([[-1, -1, 0], [1, -1, 0]], dtype=np.float32))
    # It has settled: what moves is a small part of what it fell.
    assert np.abs(second - first).max() < 0.02 < np.abs(first[:, 2]).max()


def test_the_saved_pose_is_the_first_frame(cloth, scene):
    live = play(cloth, FRAMES)
    assert bpy.ops.hooke.save_pose() == {"FINISHED"}
    again = play(cloth, FRAMES)
    assert np.abs(again[1] - live[12]).max() <= 1e-6
    # At rest, not with the speed it had: half of g dt^2 n (n + 1) as a free vertex falls.
    assert np.abs(again[2] - again[1]).max() < 0.1
    network = sessions.find(cloth).network
    base = np.array([vertex.co for vertex in cloth.data.vertices])
    assert np.allclose(network.points, base, atol=1e-6)
    assert bpy.ops.hooke.forget_pose() == {"FINISHED"}
    assert same_bits(play(cloth, FRAMES), live)


def test_a_saved_pose_survives_the_file_and_undo(cloth, scene, tmp_path):
    play(cloth, FRAMES)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.hooke.save_pose()
    bpy.ops.ed.undo_push(message="saved")
    live = play(cloth, range(1, 6))
    path = str(tmp_path / "cloth.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    cloth = bpy.data.objects["Cloth"]
    activate(cloth)
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, range(1, 6)), live)


def test_no_pose_can_be_saved_before_there_is_one(cloth, scene):
    assert not bpy.ops.hooke.save_pose.poll()
    assert not bpy.ops.hooke.forget_pose.poll()


@pytest.mark.parametrize("factor", [0.25, 2.0])
def test_time_scale_is_the_speed_of_time(factor, scene):
    # Without a pin everything falls freely: under backward Euler z = -g h^2 n (n + 1) / 2 after n substeps of h.
    how = {"air_drag": 0.0, "time_stepping": "BACKWARD_EULER", "break_symmetry": False}
    cloth = add_hooke(grid(pins={}), time_scale=factor, **how)
    shown = play(cloth, FRAMES)
    h, n = factor / 24 / cloth.hooke.substeps, 11 * cloth.hooke.substeps
    assert np.allclose(shown[12][:, 2], -9.81 * h**2 * n * (n + 1) / 2, rtol=1e-5)


def test_a_loop_ends_where_it_begins_live_and_baked(cloth, scene):
    plain = play(cloth, FRAMES)
    cloth.hooke.loop_blend = 5
    looped = play(cloth, FRAMES)
    assert sessions.find(cloth).take.simulated == 11
    assert same_bits({f: looped[f] for f in range(1, 8)}, {f: plain[f] for f in range(1, 8)})
    assert np.abs(looped[12] - plain[1]).max() <= 1e-6
    assert all(np.abs(looped[f] - plain[f]).max() > 1e-4 for f in range(8, 13))
    bake(cloth)
    assert all(
        same_bits(key_positions(key), looped[f]) for f, key in zip(FRAMES, baked_keys(cloth), strict=True)
    )


def test_a_pre_roll_shows_at_the_start_frame_at_once(scene):
    cloth = add_hooke(grid(), pre_roll=5)
    scene.frame_set(1)
    first = evaluated_positions(cloth)
    assert np.abs(first[:, 2]).max() > 0.01
    assert same_bits(play(cloth, FRAMES)[1], first)
