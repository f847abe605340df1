# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes beside frames that an artist has, where these are of something else: both come out right, and both stay."""

import contextlib
import json
import re
import shutil

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.play import sessions
from hooke.core.cache import DiskFrames

from .scenes import (
    activate,
    add_hooke,
    bake,
    baked_keys,
    clear_bake,
    fcurves,
    grid,
    key_positions,
    play,
    same_bits,
    swing,
)
from .script import in_a_process, opened, run

FRAMES = range(1, 13)


@pytest.fixture
def file(scene, tmp_path):
    """A file whose artist played all frames and moved the pins' last key after that."""
    path = tmp_path / "cloth.blend"
    obj = grid()
    swing(obj, frames=(1, 6, 12))
    add_hooke(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    play(obj, FRAMES)
    bpy.context.scene.frame_set(1)
    for curve in fcurves(obj):
        curve.keyframe_points[-1].co.y += 0.5
        curve.update()
    bpy.ops.wm.save_mainfile()
    return path


def cached(file):
    """Every file of the artist's cache."""
    folder = file.parent / "cloth_hooke" / "cache"
    return {path: path.read_bytes() for path in sorted(folder.glob("Cloth*"))}


def live(file):
    """What the frames are now."""
    obj = opened(file)
    shutil.rmtree(cache_files.path_of(obj).parent)
    return play(obj, FRAMES)


def keys_of(path):
    return [key_positions(key) for key in baked_keys(opened(path))]


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("held", [False, True], ids=["alone", "the artist has it open"])
def test_the_command_line_bakes_what_is_there_now_and_leaves_the_artist_s_frames(held, file, tmp_path):
    before, output, report = cached(file), tmp_path / "out.blend", tmp_path / "report.json"
    path = cache_files.path_of(bpy.data.objects["Cloth"])
    sessions.drop_all()
    with contextlib.closing(DiskFrames.open(path)) if held else contextlib.nullcontext():
        result = in_a_process(file, "--object", "Cloth", "--output", output, "--report", report)
    assert (result.returncode, result.stderr) == (0, "")
    assert cached(file) == before
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert (figures["frames"], figures["frames_from_cache"]) == (12, 0)
    assert "12 frames from the cache" in result.stdout
    shown = live(file)
    assert all(same_bits(key, shown[frame]) for frame, key in zip(FRAMES, keys_of(output), strict=True))


def test_other_settings_leave_the_artist_s_frames(file, tmp_path):
    before, output = cached(file), tmp_path / "out.blend"
    result = run(file, "--object", "Cloth", "--output", output, "--substeps", 9)
    assert (result.returncode, result.stderr) == (0, "")
    assert cached(file) == before
    assert len(keys_of(output)) == 12


def test_what_fits_is_told_and_used(file, tmp_path):
    obj = bpy.data.objects["Cloth"]
    # The first pass finds where the pins move otherwise, the second begins anew.
    play(obj, FRAMES)
    shown = play(obj, FRAMES)
    sessions.drop_all()
    report, output = tmp_path / "report.json", tmp_path / "out.blend"
    result = run(file, "--object", "Cloth", "--output", output, "--report", report)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search(r"hooke: 12 frames from the cache .*Cloth\.pc2", result.stdout)
    assert json.loads(report.read_text(encoding="utf-8"))["frames_from_cache"] == 11
    assert all(same_bits(key, shown[frame]) for frame, key in zip(FRAMES, keys_of(output), strict=True))


def test_the_operator_counts_no_frame_twice(file, capfd):
    obj = bpy.data.objects["Cloth"]
    activate(obj)
    capfd.readouterr()
    bake(obj)
    told = re.findall(r"(\d+) of (\d+) frames", capfd.readouterr().out)
    assert told[-1] == ("12", "12")
    assert all(int(done) <= int(total) for done, total in told)
    baked = [key_positions(key) for key in baked_keys(obj)]
    clear_bake(obj)
    shown = live(file)
    assert all(same_bits(key, shown[frame]) for frame, key in zip(FRAMES, baked, strict=True))


def test_a_group_that_does_not_exist_is_a_wrong_argument(file):
    before = file.read_bytes()
    result = run(file, "--object", "Cloth", "--pin-group", "Pinn")
    assert result.returncode == 2
    assert (
        result.stderr == "hooke: 'Cloth' has no vertex group 'Pinn' to pin: name one of its groups, 'Pin'\n"
    )
    assert file.read_bytes() == before


def test_time_remapping_is_refused(file, scene):
    scene.render.frame_map_old, scene.render.frame_map_new = 100, 50
    activate(bpy.data.objects["Cloth"])
    with pytest.raises(RuntimeError, match=r"Time Stretching .* \(Old 100, New 50\)"):
        bpy.ops.hooke.bake()
    bpy.ops.wm.save_mainfile()
    result = run(file, "--object", "Cloth")
    assert result.returncode == 2
    assert "Time Stretching" in result.stderr and len(result.stderr.splitlines()) == 1


def test_duplicate_play_delete_duplicate(scene, tmp_path, capfd):
    obj = add_hooke(grid())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    shown = play(obj, FRAMES)
    for _ in range(3):
        activate(obj)
        assert bpy.ops.object.duplicate() == {"FINISHED"}
        copy = bpy.context.object
        bpy.context.view_layer.update()
        assert same_bits(play(copy, FRAMES), shown)
        assert not sessions.find(copy).cache_problem
        assert bpy.ops.object.delete() == {"FINISHED"}
    assert "in use" not in "".join(capfd.readouterr())


@pytest.mark.newest
def test_no_process_leaves_a_temporary_folder(file, tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    assert in_a_process(file, "--object", "Cloth").returncode == 0
    assert in_a_process(file, "--object", "Nothing").returncode == 2
    assert list(temporary.iterdir()) == []


def test_a_read_only_project_plays_on_resets_and_is_baked_elsewhere(file, tmp_path, monkeypatch):
    obj = bpy.data.objects["Cloth"]
    play(obj, FRAMES)
    shown = play(obj, FRAMES)
    obj.hooke.frame_end = 15
    path = cache_files.path_of(obj)
    sessions.drop_all()

    def refuse(*_arguments, **_options):
        raise PermissionError(13, "Permission denied")

    # As root, which tests may run as, no folder is read-only: a lock that cannot be made stands for it.
    monkeypatch.setattr("hooke.core.file_lock.take", refuse)
    before = cached(file)
    play(obj, FRAMES)
    further = play(obj, [13, 14, 15])
    assert np.abs(further[15] - further[13]).max() > 1e-4
    assert "may only be read" in sessions.find(obj).cache_problem
    activate(obj)
    assert bpy.ops.hooke.reset() == {"FINISHED"}
    assert same_bits(play(obj, FRAMES), shown)
    bake(obj, "MESH_CACHE", filepath=str(tmp_path / "elsewhere.pc2"))
    assert cached(file) == before
    assert path.is_file()
