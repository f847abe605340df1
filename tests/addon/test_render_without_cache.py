# SPDX-License-Identifier: GPL-3.0-or-later
"""A render shows every frame as it is, whatever of it is cached, or ends with a sentence and a status."""

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.mesh_io import POSITION
from hooke.addon.play import sessions
from hooke.core.cache import DiskFrames

from ..waiting import HANGS
from .rendering import prepare
from .scenes import add_hooke, fcurves, grid, link, play, same_bits, simulated_positions, swing, turn

FRAMES = range(1, 13)


@pytest.fixture
def file(tmp_path):
    """Where the test saves."""
    return tmp_path / "cloth.blend"


@pytest.fixture
def cloth(scene, file):
    """A saved sheet that swings and turns."""
    obj = grid()
    swing(obj)
    turn(obj)
    add_hooke(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    return obj


def remove_caches(cloth):
    """Let go of the file's caches, without which Windows keeps them, and remove what there is of them."""
    sessions.drop_all()
    if (folder := cache_files.path_of(cloth).parent).is_dir():
        shutil.rmtree(folder)


def live(cloth, played=12):
    """What each frame shows alone; then as many frames are played and saved."""
    shown = play(cloth, FRAMES)
    remove_caches(cloth)
    play(cloth, range(1, played + 1))
    bpy.ops.wm.save_mainfile()
    return shown


def rendered(file, frames):
    """Exit status, what Hooke said on stderr, and what each frame of a render in another process showed."""
    output = file.with_name("shown.npz")
    script = Path(__file__).with_name("rendering.py")
    command = [sys.executable, str(script), str(file), "Cloth", frames, str(output)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=HANGS)
    said = [line for line in result.stderr.splitlines() if line.startswith("hooke: ")]
    with np.load(output) as shown:
        return result.returncode, said, {int(name): shown[name] for name in shown}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("frames", "played"), [("1-12", 1), ("12-12", 6), ("still", 6)])
def test_what_is_missing_is_simulated(frames, played, cloth, file):
    shown = live(cloth, played)
    remove_caches(cloth)
    status, said, found = rendered(file, frames)
    assert (status, said) == (0, [])
    assert same_bits(found, {frame: shown[frame] for frame in found})
    first, last = (played, played) if frames == "still" else map(int, frames.split("-"))
    assert sorted(found) == list(range(first, last + 1))


@pytest.mark.newest
def test_a_cache_that_ends_early_is_continued(cloth, file):
    shown = live(cloth, 5)
    sessions.drop_all()
    status, said, found = rendered(file, "8-12")
    assert (status, said) == (0, [])
    assert same_bits(found, {frame: shown[frame] for frame in range(8, 13)})


@pytest.mark.newest
def test_beside_a_blender_that_has_it_open_it_simulates_on_and_says_so(cloth, file):
    shown = live(cloth, 5)
    sessions.drop_all()
    with contextlib.closing(DiskFrames.open(cache_files.path_of(cloth))):
        status, said, found = rendered(file, "1-12")
    assert status == 0
    assert len(said) == 1 and "in use by another Blender" in said[0] and "from frame 6 on" in said[0]
    assert same_bits(found, shown)


@pytest.mark.newest
def test_pins_that_move_otherwise_since_are_simulated_anew(cloth, file):
    live(cloth)
    for curve in fcurves(cloth):
        curve.keyframe_points[-1].co.y += 0.4
    bpy.ops.wm.save_mainfile()
    sessions.drop_all()
    status, said, found = rendered(file, "9-12")
    assert (status, said) == (0, [])
    alone = play(cloth, FRAMES)
    assert same_bits(found, {frame: alone[frame] for frame in range(9, 13)})


def test_motion_blur_sees_the_frame_after(cloth, scene, file):
    shown = live(cloth, 1)
    seen = {}
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, 1.0

    def look(scene, _):
        if POSITION in cloth.data.attributes:
            seen[scene.frame_float] = simulated_positions(cloth)

    bpy.app.handlers.frame_change_post.append(look)
    prepare(scene, str(file.with_suffix("")))
    scene.frame_start, scene.frame_end = 3, 4
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.frame_change_post.pop()
    assert np.abs(seen[4.5] - (shown[4] + shown[5]) / 2).max() < 1e-6


@pytest.mark.newest
def test_a_render_that_cannot_show_a_frame_ends_with_a_sentence(cloth, scene, file):
    cloth.hooke.integrator, cloth.hooke.substeps, cloth.hooke.stiffness = "EXPLICIT_EULER", 1, 1e6
    bpy.ops.wm.save_mainfile()
    status, said, found = rendered(file, "1-12")
    assert status == 1
    assert len(said) == 1 and "diverged" in said[0] and "the render ends before frame" in said[0]
    assert set(found) < set(FRAMES)


def test_after_a_refused_render_the_camera_is_back(cloth, scene, file):
    camera = link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    scene.camera = camera
    cloth.data.vertices[3].co.x = float("nan")
    scene.frame_set(3)
    with pytest.raises(RuntimeError, match=r"[Cc]amera"):
        bpy.ops.render.render()
    assert scene.camera == camera
