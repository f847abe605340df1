# SPDX-License-Identifier: GPL-3.0-or-later
"""With force fields live, scrubbed, baked, reopened and resumed frames are the same bits; where one changes, stale."""

import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon.play import sessions

from .blowing import field, keyed, keyed_gust, sheet
from .scenes import bake, baked_keys, key_positions, play, same_bits, simulated_positions, status

FRAMES = range(1, 13)


@pytest.mark.newest
def test_live_scrubbed_and_baked_frames_are_the_same_bits(scene):
    keyed_gust(field("WIND", noise=5.0))
    field("VORTEX", 2.0, name="Whirl")
    cloth = sheet()
    live = play(cloth, FRAMES)
    order = np.random.default_rng(5).permutation(FRAMES).tolist()
    assert same_bits(play(cloth, order), {frame: live[frame] for frame in order})
    assert sessions.find(cloth).take.simulated == 11
    kept = {}
    for frame in FRAMES[1:]:
        play(cloth, [frame])
        kept[frame] = simulated_positions(cloth)
    bpy.ops.hooke.reset()
    bake(cloth)
    baked = {frame: key_positions(key) for frame, key in zip(FRAMES[1:], baked_keys(cloth)[1:], strict=False)}
    assert same_bits(baked, kept)


def test_a_file_that_is_opened_again_goes_on_bit_for_bit(scene, tmp_path):
    keyed_gust(field("WIND", noise=5.0))
    cloth = sheet()
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    bpy.ops.hooke.reset()
    play(cloth, range(1, 8))
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    cloth = bpy.data.objects["Cloth"]
    assert same_bits(play(cloth, FRAMES[7:]), {frame: live[frame] for frame in FRAMES[7:]})
    assert sessions.find(cloth).take.simulated == 5


@pytest.mark.nightly
def test_another_process_gives_the_same_bits(scene, tmp_path):
    keyed_gust(field("WIND", noise=5.0))
    cloth = sheet()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    play(cloth, FRAMES)
    live = {}
    for frame in FRAMES:
        play(cloth, [frame])
        live[str(frame)] = np.array([vertex.co for vertex in _evaluated(cloth).vertices], dtype=np.float32)
    bpy.ops.hooke.reset()
    script, output = Path(__file__).with_name("playback.py"), tmp_path / "shown.npz"
    command = [sys.executable, script, tmp_path / "cloth.blend", "Cloth", "1-12", output]
    subprocess.run(command, check=True, capture_output=True)
    with np.load(output) as shown:
        assert same_bits(dict(shown), live)


def _evaluated(obj):
    return obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "change",
    [
        lambda obj: setattr(obj, "rotation_euler", (0.0, 0.0, 0.0)),
        lambda obj: setattr(obj.field, "strength", 3.0),
        lambda obj: setattr(obj.field, "type", "VORTEX"),
        lambda obj: setattr(obj.field, "use_max_distance", True),
        lambda obj: setattr(obj, "hide_viewport", True),
        lambda obj: bpy.data.objects.remove(obj),
        lambda obj: field("FORCE", name="Another"),
    ],
)
def test_a_field_that_changes_makes_frames_stale(change, scene):
    obj = field("WIND", 20.0)
    cloth = sheet()
    before = play(cloth, FRAMES)
    change(obj)
    bpy.context.view_layer.update()
    play(cloth, [6])
    session = sessions.find(cloth)
    assert len(session.take) == 0 and "go to frame 1" in status(cloth)
    after = play(cloth, FRAMES)
    assert len(session.take) == 12
    assert np.abs(after[12] - before[12]).max() > 1e-4


def test_keys_of_later_frames_that_change_make_frames_stale(scene):
    obj = field("WIND", 20.0)
    keyed(obj, {1: 0.0, 49: 0.0, 51: 20.0})
    cloth = sheet(stiffness=1e5)
    play(cloth, FRAMES)
    keyed(obj, {51: 80.0})
    bpy.context.view_layer.update()
    play(cloth, [6])
    assert len(sessions.find(cloth).take) == 0 and "go to frame 1" in status(cloth)
    assert len(play(cloth, FRAMES)) == len(sessions.find(cloth).take) == 12


def test_a_field_that_is_renamed_changes_nothing(scene):
    obj = field("WIND", 20.0)
    cloth = sheet()
    before = play(cloth, FRAMES)
    obj.name = "Breeze"
    bpy.context.view_layer.update()
    assert same_bits(play(cloth, FRAMES), before)
    assert sessions.find(cloth).take.simulated == 11
