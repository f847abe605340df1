# SPDX-License-Identifier: GPL-3.0-or-later
"""With colliders live, scrubbed, baked, rendered, reopened and resumed frames are the same numbers."""

import shutil
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.play import ranges, sessions

from ..waiting import HANGS
from .colliding import SCENES, another_sheet, dropped, moving_ball, skinned_leg, still_block
from .scenes import (
    activate,
    bake,
    baked_keys,
    clear_bake,
    key_positions,
    play,
    same_bits,
    status,
)

LAST = 9
FRAMES = range(1, LAST + 1)
# Bits are the same or not whatever the motion; two substeps have an end within a frame as three have.
SUBSTEPS = 2


@pytest.fixture(params=SCENES, ids=lambda build: build.__name__)
def cloth(request, scene):
    """A sheet above each of the colliders, not yet simulated."""
    scene.frame_end = LAST
    return dropped(request.param, substeps=SUBSTEPS)


@pytest.fixture(scope="module")
def played():
    """What playback showed above each of the colliders, by the function that builds it."""
    return {}


@pytest.fixture
def live(request, cloth, played):
    """Shown positions by frame, played once for all tests of a collider, in this file or in one before it."""
    build = request.node.callspec.params["cloth"]
    if build not in played:
        played[build] = play(cloth, FRAMES)
        sessions.drop_all()
        shutil.rmtree(cache_files.path_of(cloth).parent)
    return played[build]


def free_fall(cloth):
    """What would be shown without colliders."""
    cloth.hooke.collisions = False
    shown = play(cloth, FRAMES)
    cloth.hooke.collisions = True
    return shown


@pytest.mark.sampled(12)
def test_what_is_below_matters(cloth, live):
    assert np.abs(live[LAST] - free_fall(cloth)[LAST]).max() > 0.05


@pytest.mark.sampled(18)
def test_scrubbing_and_simulating_again_show_what_playback_showed(cloth, live):
    assert same_bits(play(cloth, FRAMES), live)
    assert "strain" in status(cloth)
    order = np.random.default_rng(5).permutation(FRAMES).tolist()
    assert same_bits(play(cloth, order), {frame: live[frame] for frame in order})
    assert sessions.find(cloth).take.simulated == LAST - 1


@pytest.mark.sampled(12)
def test_baked_keys_are_the_live_positions(cloth, live):
    # Simulated by the bake, and of the frames that are there since.
    for _ in range(2):
        bake(cloth)
        keys = [key_positions(key) for key in baked_keys(cloth)]
        assert all(same_bits(keys[frame - 1], live[frame]) for frame in FRAMES[1:])
        clear_bake(cloth)
    assert sessions.find(cloth).cached == LAST


@pytest.mark.sampled(9)
def test_a_file_that_is_opened_again_goes_on_bit_for_bit(cloth, live, tmp_path):
    kept = 5
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    bpy.ops.hooke.reset()
    play(cloth, range(1, kept + 1))
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    cloth = bpy.data.objects["Cloth"]
    # The start frame is never shown: what the simulation began with is in the snapshot.
    assert same_bits(play(cloth, FRAMES[kept:]), {frame: live[frame] for frame in FRAMES[kept:]})
    assert sessions.find(cloth).take.simulated == LAST - kept


@pytest.mark.nightly
@pytest.mark.parametrize("build", [moving_ball, skinned_leg], ids=lambda build: build.__name__)
def test_another_process_gives_the_same_bits(build, scene, tmp_path):
    cloth = dropped(build)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    live = play(cloth, FRAMES)
    command = [
        sys.executable,
        Path(__file__).with_name("playback.py"),
        tmp_path / "cloth.blend",
        "Cloth",
        f"1-{LAST}",
    ]
    result = subprocess.run(
        [*map(str, command), str(tmp_path / "shown.npz")],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert result.returncode == 0, result.stderr
    with np.load(tmp_path / "shown.npz") as other:
        assert same_bits({frame: other[str(frame)] for frame in FRAMES}, live)


@pytest.mark.nightly
def test_a_render_without_a_cache_shows_the_same(scene, tmp_path):
    cloth = dropped(skinned_leg)
    live = play(cloth, FRAMES)
    bpy.ops.hooke.reset()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    script = Path(__file__).with_name("rendering.py")
    command = [sys.executable, script, tmp_path / "cloth.blend", "Cloth", f"7-{LAST}", tmp_path / "shown.npz"]
    result = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=HANGS,
    )
    assert result.returncode == 0, result.stderr
    with np.load(tmp_path / "shown.npz") as shown:
        assert same_bits({f: shown[str(f)] for f in FRAMES[6:]}, {f: live[f] for f in FRAMES[6:]})


def test_what_is_hidden_collides_nowhere(scene):
    cloth = dropped(still_block)
    bpy.data.objects["Block"].hide_set(True)
    live = play(cloth, FRAMES)
    cloth.hooke.collisions = False
    assert same_bits(play(cloth, FRAMES), live)
    cloth.hooke.collisions = True
    # A bake has a scene of its own, in which nothing is hidden.
    bake(cloth)
    assert same_bits(key_positions(baked_keys(cloth)[LAST - 1]), live[LAST])


@pytest.mark.nightly
def test_a_simulated_collider_that_renders_not_is_simulated_for_a_render(scene, tmp_path):
    cloth = dropped(another_sheet)
    live = play(cloth, FRAMES)
    bpy.data.objects["Below"].hide_render = True
    for obj in sessions.simulated_objects(scene):
        sessions.reset(obj)
    scene.frame_set(LAST)
    ranges.complete(scene)
    assert same_bits(sessions.find(cloth).displayed.at(LAST - 1), live[LAST])


@pytest.mark.nightly
def test_a_sheet_that_falls_on_another_is_baked_with_it(scene):
    cloth = dropped(another_sheet)
    live = play(cloth, FRAMES)
    for obj in sessions.simulated_objects(scene):
        sessions.reset(obj)
    activate(cloth)
    bake(cloth)
    keys = [key_positions(key) for key in baked_keys(cloth)]
    clear_bake(cloth)
    assert same_bits(keys[LAST - 1], live[LAST])
