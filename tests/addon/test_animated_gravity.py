# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene's gravity that is animated acts as it is in every frame, the same live and baked."""

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .scenes import (
    activate,
    add_hooke,
    bake,
    baked_keys,
    evaluated_world_positions,
    fcurves,
    grid,
    key_positions,
    play,
    same_bits,
    simulated_positions,
    status,
)

FRAMES = range(1, 13)
SECOND = 24


@pytest.fixture
def cloth(scene):
    """A sheet in free fall without air, gravity going in a straight line from -10 m/s^2 to 2 m/s^2 over 12 frames."""
    sheet = add_hooke(grid(pins={}), air_drag=0.0)
    for frame, value in ((1, -10.0), (13, 2.0)):
        scene.gravity[2] = value
        scene.keyframe_insert("gravity", index=2, frame=frame)
    for curve in fcurves(scene):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    scene.frame_set(1)
    return sheet


def test_it_falls_as_the_equations_say(cloth, scene):
    cloth.hooke.substeps = 20
    play(cloth, FRAMES)
    t = 11 / SECOND
    # g(t) = -10 + 24 t, twice integrated; a method of first order is off by t |a| h / 2.
    fallen = -10.0 * t**2 / 2 + SECOND * t**3 / 6
    assert np.abs(evaluated_world_positions(cloth)[:, 2] - fallen).max() < t * 10.0 / (SECOND * 20)


def test_live_scrubbed_and_baked_are_the_same_bits(cloth, scene):
    live = play(cloth, FRAMES)
    assert sessions.find(cloth).take.simulated == 11 and "Tuned" not in status(cloth)
    assert same_bits(play(cloth, reversed(FRAMES)), {frame: live[frame] for frame in reversed(FRAMES)})
    kept = {}
    for frame in FRAMES[1:]:
        play(cloth, [frame])
        kept[frame] = simulated_positions(cloth)
    bpy.ops.hooke.reset()
    activate(cloth)
    bake(cloth)
    baked = {frame: key_positions(key) for frame, key in zip(FRAMES[1:], baked_keys(cloth)[1:], strict=False)}
    assert same_bits(baked, kept)


def test_a_file_that_is_opened_again_goes_on_bit_for_bit(cloth, scene, tmp_path):
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    play(cloth, range(1, 7))
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    cloth = bpy.data.objects["Cloth"]
    assert same_bits(play(cloth, FRAMES[6:]), {frame: live[frame] for frame in FRAMES[6:]})
    assert sessions.find(cloth).take.simulated == 6


def test_other_keys_make_frames_stale(cloth, scene):
    play(cloth, FRAMES)
    scene.gravity[2] = 30.0
    scene.keyframe_insert("gravity", index=2, frame=5)
    bpy.context.view_layer.update()
    shown = play(cloth, [8])[8]
    assert len(sessions.find(cloth).take) == 0 and "frame 1" in status(cloth)
    assert np.isfinite(shown).all()


def test_gravity_that_is_switched_off_by_a_key_is_off(scene):
    sheet = add_hooke(grid(pins={}), air_drag=0.0, break_symmetry=False)
    for frame, value in ((1, False), (6, True)):
        scene.use_gravity = value
        scene.keyframe_insert("use_gravity", frame=frame)
    scene.frame_set(1)
    shown = play(sheet, FRAMES)
    # But for the rounding of what bends it.
    assert np.abs(shown[5] - shown[1]).max() < 1e-15
    assert shown[12][:, 2].max() < -0.1


@pytest.mark.parametrize("name", ["gravity", "use_gravity"])
def test_gravity_keyed_from_nothing_finds_the_stiffness_of_what_is_pulled_as_hard(name, scene):
    cloth = add_hooke(grid(), stretch_stiffness=1e5)
    weighed = {}
    for strongest in (0.0, -10.0):
        scene.gravity[2], scene.use_gravity = strongest, True
        scene.keyframe_insert(name, frame=9)
        setattr(scene, name, (0.0, 0.0, 0.0) if name == "gravity" else False)
        scene.keyframe_insert(name, frame=1)
        scene.frame_set(1)
        sessions.reset(cloth)
        play(cloth, [1, 2])
        weighed[strongest] = sessions.find(cloth).simulation.system.pulls
        assert "Tuned" not in status(cloth)
    masses = sessions.find(cloth).simulation.network.masses
    # From rest there is no wind, and the air that resists pulls at nothing.
    np.testing.assert_allclose(weighed[-10.0] - weighed[0.0], 10.0 * masses, rtol=1e-6)


def test_gravity_that_a_driver_changes_is_not_known_beforehand(cloth, scene):
    scene.animation_data_clear()
    for path, expression in (("gravity", "-frame"), ("use_gravity", "frame > 3")):
        curve = scene.driver_add(path, 2) if path == "gravity" else scene.driver_add(path)
        curve.driver.expression = expression
    scene.frame_set(1)
    play(cloth, FRAMES)
    assert "strain" in status(cloth) and sessions.find(cloth).cached == len(FRAMES)
