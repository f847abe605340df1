# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the system gives no more: open files, memory, and space on the disk."""

import re

import bpy
import numpy as np
import pytest

from hooke.addon import operators, preferences
from hooke.addon.play import sessions
from hooke.addon.readout import cache_status

from .full_disk import bounds, files_up_to, make_large
from .rendering import prepare
from .scenes import add_hooke, baked_keys, grid, key_positions, play, same_bits, simulated_positions, swing
from .script import opened, run

FRAMES = range(1, 13)
MANY, DESCRIPTORS = 70, 64


@pytest.fixture
def few_descriptors():
    """Fewer open files than objects; macOS gives 256 by default."""
    system = bounds()
    before = system.getrlimit(system.RLIMIT_NOFILE)
    system.setrlimit(system.RLIMIT_NOFILE, (DESCRIPTORS, before[1]))
    yield
    system.setrlimit(system.RLIMIT_NOFILE, before)


@pytest.mark.nightly
def test_many_objects_play_save_and_render_with_few_descriptors(few_descriptors, scene, tmp_path):
    first = grid(side=2, name="Sheet")
    objects = [first]
    for _ in range(MANY - 1):
        copy = first.copy()
        copy.data = first.data.copy()
        scene.collection.objects.link(copy)
        objects.append(copy)
    path = str(tmp_path / "many.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    for obj in objects:
        operators.add_hooke(scene, obj)
    for frame in range(1, 5):
        scene.frame_set(frame)
    assert all(sessions.find(obj).cached == 4 for obj in objects)
    assert {cache_status(obj)[0] for obj in objects} == {"Cached on disk: frames 1 to 4"}
    shown = simulated_positions(first)
    assert all(same_bits(simulated_positions(obj), shown) for obj in objects)
    assert bpy.ops.wm.save_mainfile() == {"FINISHED"}
    prepare(scene, str(tmp_path / "picture"))
    scene.frame_start, scene.frame_end = 5, 6
    assert bpy.ops.render.render(animation=True) == {"FINISHED"}
    assert all(sessions.find(obj).cached == 6 for obj in objects)
    bpy.ops.wm.open_mainfile(filepath=path)
    bpy.context.scene.frame_set(4)
    assert all(same_bits(simulated_positions(obj), shown) for obj in bpy.data.objects if obj.type == "MESH")


@pytest.mark.newest
def test_a_disk_that_fills_during_a_bake_keeps_the_frames_so_far_and_says_why(scene, tmp_path):
    obj = grid()
    swing(obj)
    make_large()
    path, output = tmp_path / "cloth.blend", tmp_path / "out.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    before = path.read_bytes()
    with files_up_to(3200):
        result = run(path, "--object", "Cloth", "--output", output)
    lines = result.stderr.splitlines()
    assert result.returncode == 1
    assert "File too large" in lines[-1] and "No such file" not in result.stderr
    assert all(line.startswith("hooke: ") for line in lines)
    assert path.read_bytes() == before and not output.exists()
    assert (tmp_path / "cloth_hooke" / "cache" / "Cloth.pc2").is_file()
    result = run(path, "--object", "Cloth", "--output", output)
    assert (result.returncode, result.stderr) == (0, "")
    kept = re.search(r"hooke: (\d+) frames from the cache", result.stdout)
    assert 2 <= int(kept[1]) < 12
    baked = [key_positions(key) for key in baked_keys(opened(output))]
    live = play(add_hooke(opened(path)), FRAMES)
    assert all(same_bits(key, live[frame]) for frame, key in zip(FRAMES, baked, strict=True))


def test_a_disk_that_fills_while_it_plays_is_told_and_memory_takes_the_rest(scene, tmp_path):
    obj = grid()
    swing(obj)
    add_hooke(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    with files_up_to(3200):
        shown = play(obj, FRAMES)
        assert not sessions.find(obj).problem
        assert "File too large" in cache_status(obj)[0]
    assert np.abs(shown[12] - shown[1]).max() > 0.01
    bpy.ops.hooke.reset()
    assert same_bits(play(obj, FRAMES), shown)
    assert cache_status(obj)[0] == "Cached on disk: frames 1 to 12"


def test_memory_is_bounded(scene, monkeypatch):
    monkeypatch.setattr(preferences, "cache_place", lambda: "MEMORY")
    monkeypatch.setattr(preferences, "memory_limit", lambda: 5 * 25 * 12)
    cloth = add_hooke(grid())
    shown = play(cloth, FRAMES)
    assert len(sessions.find(cloth).frames) == 5
    assert "5 frames fill the memory limit" in sessions.find(cloth).problem
    assert same_bits(shown[12], shown[5])
    monkeypatch.setattr(preferences, "memory_limit", lambda: 1e9)
    unbounded = play(cloth, FRAMES)
    assert len(sessions.find(cloth).frames) == 12
    assert same_bits({frame: unbounded[frame] for frame in range(1, 6)}, {f: shown[f] for f in range(1, 6)})
