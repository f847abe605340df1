# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that collide with each other: live, scrubbed, baked, rendered, reopened and resumed frames are the same."""

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
from .pairs import all_same, play_all, reset_all, simulated, some
from .scenes import (
    activate,
    bake,
    baked_keys,
    clear_bake,
    key_positions,
    same_bits,
)

# They touch from the sixth frame on.
LAST = 9
FRAMES = range(1, LAST + 1)


@pytest.fixture
def scene(scene):
    """The scene, with as few frames as that."""
    scene.frame_end = LAST
    return scene


@pytest.fixture(scope="module")
def played():
    """What playback showed of both, once it was played."""
    return {}


@pytest.fixture
def live(pair, played):
    """Shown positions by object and frame, played once for all tests, in this file or in one before it."""
    if not played:
        played.update(play_all(pair, FRAMES))
        sessions.drop_all()
        shutil.rmtree(cache_files.path_of(pair[0]).parent)
    return played


@pytest.mark.newest
def test_scrubbing_and_simulating_again_show_what_playback_showed(pair, live):
    assert all_same(play_all(pair, FRAMES), live)
    order = np.random.default_rng(5).permutation(FRAMES).tolist()
    assert all_same(play_all(pair, order), some(live, order))
    assert simulated(pair) == [LAST - 1, LAST - 1]


@pytest.mark.newest
def test_each_alone_simulates_what_both_showed(pair):
    """Frames of one that is kept do not hinder those of the other, which goes on by itself."""
    live = play_all(pair, FRAMES)
    for obj in pair:
        sessions.reset(obj)
        assert all_same(play_all(pair, FRAMES), live)
    assert sorted(simulated(pair)) == [2 * (LAST - 1)] * 2


def cached(obj):
    """The object's cache files by their content."""
    path = cache_files.path_of(obj)
    return {file: file.read_bytes() for file in path.parent.glob(f"{path.stem}.*")}


@pytest.mark.parametrize("kept", [(7, 7), (5, 8), (8, 5), (LAST, 4)])
def test_a_file_that_is_opened_again_goes_on_bit_for_bit(kept, pair, live, tmp_path):
    """Also where Blender was killed before the frames of one were written."""
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    files = {}
    for obj, count in zip(pair, kept, strict=True):
        reset_all(pair)
        play_all(pair, range(1, count + 1))
        files |= cached(obj)
    bpy.ops.wm.save_mainfile()
    sessions.drop_all()
    for path, content in files.items():
        path.write_bytes(content)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cloth.blend"))
    pair = [bpy.data.objects[name] for name in ("Cloth", "Below")]
    rest = range(min(kept) + 1, LAST + 1)
    assert all_same(play_all(pair, rest), some(live, rest))
    assert simulated(pair) == [LAST - count for count in kept]


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["Cloth", "Below"])
def test_another_process_gives_the_same_bits(name, pair, live, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    script = Path(__file__).with_name("playback.py")
    command = [sys.executable, script, tmp_path / "cloth.blend", name, f"1-{LAST}", tmp_path / "shown.npz"]
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, encoding="utf-8", errors="replace"
    )
    assert result.returncode == 0, result.stderr
    with np.load(tmp_path / "shown.npz") as shown:
        assert same_bits({frame: shown[str(frame)] for frame in FRAMES}, live[name])


@pytest.mark.nightly
def test_a_render_without_a_cache_shows_the_same(pair, live, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    script = Path(__file__).with_name("rendering.py")
    command = [sys.executable, script, tmp_path / "cloth.blend", "Below", f"7-{LAST}", tmp_path / "shown.npz"]
    result = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=HANGS,
    )
    assert result.returncode == 0, result.stderr
    with np.load(tmp_path / "shown.npz") as shown:
        assert same_bits({f: shown[str(f)] for f in FRAMES[6:]}, some(live, FRAMES[6:])["Below"])


def test_baked_keys_are_the_live_positions(pair, live):
    """Of one as well as of all that are selected."""
    cloth, below = pair
    bake(cloth)
    keys = [key_positions(key) for key in baked_keys(cloth)]
    assert all(same_bits(keys[frame - 1], live["Cloth"][frame]) for frame in FRAMES[1:])
    clear_bake(cloth)
    reset_all(pair)
    activate(below)
    cloth.select_set(True)
    assert bpy.ops.hooke.bake(mode="SHAPE_KEYS", selected=True) == {"FINISHED"}
    for obj in pair:
        keys = [key_positions(key) for key in baked_keys(obj)]
        assert all(same_bits(keys[frame - 1], live[obj.name][frame]) for frame in FRAMES[1:])


def test_one_that_renders_not_is_simulated_for_a_render_of_the_other(pair, live):
    bpy.data.objects["Below"].hide_render = True
    bpy.context.scene.frame_set(LAST)
    ranges.complete(bpy.context.scene)
    assert same_bits(sessions.find(pair[0]).displayed.at(LAST - 1), live["Cloth"][LAST])
