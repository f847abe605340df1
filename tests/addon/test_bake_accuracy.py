# SPDX-License-Identifier: GPL-3.0-or-later
"""The error a bake reports is the one Blender shows, and principal shapes keep it small with few keys."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .keyed_meshes import with_animated_keys
from .scenes import add_hooke, bake, baked_keys, clear_bake, evaluated_positions, fcurves, grid, play

SIDE, LAST = 17, 60


@pytest.fixture
def sheet(scene):
    """A sheet of 2 m hung at two corners that falls and swings, and its simulated frames."""
    scene.frame_end = LAST
    obj = add_hooke(grid(SIDE))
    play(obj, range(1, LAST + 1))
    return obj, np.array(list(sessions.find(obj).frames[:LAST]))


def shown_error(obj, frames):
    """Largest distance of any evaluated vertex from its simulated position in any frame, float64."""
    shown = np.array(list(play(obj, range(1, len(frames) + 1)).values()), dtype=np.float64)
    return np.sqrt(((shown - frames) ** 2).sum(axis=2)).max()


@pytest.mark.sampled(6)
@pytest.mark.newest
@pytest.mark.parametrize(
    ("mode", "options"),
    [
        ("SHAPE_KEYS", {}),
        ("SHAPE_KEYS", {"step": 4}),
        ("SHAPE_KEYS", {"step": 1000}),
        ("PRINCIPAL_SHAPES", {"tolerance": 2e-3}),
        ("PRINCIPAL_SHAPES", {"tolerance": 1e-4}),
        ("MESH_CACHE", {}),
    ],
)
def test_the_error_reported_is_the_error_shown(mode, options, sheet):
    obj, frames = sheet
    bake(obj, mode, **options)
    recorded = obj.hooke.bake.largest_error
    # Both are sums in float32 of coordinates up to 2 m; the last digits depend on the order of summation.
    assert shown_error(obj, frames) == pytest.approx(recorded, abs=1e-6)
    if mode == "PRINCIPAL_SHAPES":
        assert 0.0 < recorded <= options["tolerance"]
    if mode == "MESH_CACHE":
        assert recorded == shown_error(obj, frames) == 0.0


def test_beside_moving_keys_the_error_reported_is_the_error_shown(scene):
    # The basis is not the start pose here.
    obj = add_hooke(with_animated_keys())
    play(obj, range(1, 13))
    frames = np.array(list(sessions.find(obj).frames[:12]))
    bake(obj, "PRINCIPAL_SHAPES", tolerance=5e-3)
    assert shown_error(obj, frames) == pytest.approx(obj.hooke.bake.largest_error, abs=1e-6)
    assert obj.hooke.bake.largest_error <= 5e-3


@pytest.mark.nightly
def test_principal_shapes_are_few_and_the_file_is_small(sheet, tmp_path):
    obj, _ = sheet
    sizes = {}
    for mode in ("SHAPE_KEYS", "PRINCIPAL_SHAPES"):
        sizes[mode, "without"] = saved_size(tmp_path)
        bake(obj, mode, tolerance=1e-2)
        sizes[mode, "with"] = saved_size(tmp_path)
        shapes = len(baked_keys(obj))
        clear_bake(obj)
    assert shapes == obj.hooke.bake.shapes <= LAST // 2
    added = {
        mode: sizes[mode, "with"] - sizes[mode, "without"] for mode in ("SHAPE_KEYS", "PRINCIPAL_SHAPES")
    }
    # Half of the keys at most, and a keyframe of every key in every frame: of the size of six vertices each.
    assert 1.25 * added["PRINCIPAL_SHAPES"] < added["SHAPE_KEYS"]


def saved_size(folder):
    """Size [bytes] of the open file, saved as a copy, not compressed."""
    path = folder / "size.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True, compress=False)
    return path.stat().st_size


@pytest.mark.newest
def test_weights_are_keyed_in_every_frame_linear_and_within_the_slider(sheet):
    obj, _ = sheet
    bake(obj, "PRINCIPAL_SHAPES", tolerance=2e-3)
    keys = baked_keys(obj)
    assert [key.name for key in keys] == [f"Hooke Shape {place:03d}" for place in range(1, len(keys) + 1)]
    for key, curve in zip(keys, fcurves(obj.data.shape_keys), strict=True):
        values = [point.co[1] for point in curve.keyframe_points]
        assert [point.co[0] for point in curve.keyframe_points] == list(range(1, LAST + 1))
        assert {point.interpolation for point in curve.keyframe_points} == {"LINEAR"}
        assert key.slider_min <= min(values) and max(values) <= key.slider_max
        assert max(map(abs, values)) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.newest
def test_between_frames_principal_shapes_lie_on_the_line(sheet, scene):
    obj, frames = sheet
    bake(obj, "PRINCIPAL_SHAPES", tolerance=2e-3)
    scene.frame_set(20, subframe=0.5)
    middle = (frames[19].astype(float) + frames[20]) / 2
    # A mean of two errors is no larger than the larger one.
    assert np.linalg.norm(evaluated_positions(obj) - middle, axis=1).max() <= 2e-3 + 1e-6


def test_with_physics_in_the_scene_a_bake_sees_it(scene):
    frames = range(1, 13)
    # The sheet's pins follow a soft body, which only the whole scene simulates.
    ball = grid(side=3, name="Ball")
    ball.modifiers.new("Softbody", "SOFT_BODY").settings.use_goal = False
    cloth = grid()
    modifier = cloth.modifiers.new("Follow", "SHRINKWRAP")
    modifier.target, modifier.vertex_group = ball, "Pin"
    add_hooke(cloth)
    live = play(cloth, frames)
    bpy.ops.hooke.reset()
    bake(cloth)
    shown = play(cloth, frames)
    assert max(np.abs(shown[frame] - live[frame]).max() for frame in frames) <= 1e-6
