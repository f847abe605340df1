# SPDX-License-Identifier: GPL-3.0-or-later
"""What a frame shows does not depend on how it was reached: whichever is rendered first is as it is baked."""

import shutil
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.play import sessions
from hooke.addon.sections.time_and_start import TimeAndStart

from ..waiting import HANGS
from . import rendering
from .scenes import (
    add_hooke,
    bake,
    baked_keys,
    evaluated_positions,
    grid,
    key_positions,
    play,
    same_bits,
    swing,
)
from .script import opened

FRAMES = range(1, 13)
# Of every setting a value that makes a difference; a sheet does without the last one.
SETTINGS = {
    "time_scale": 0.5,
    "pre_roll": 3,
    "break_symmetry": False,
    "loop_blend": 6,
    "use_saved_pose": True,
    "start_at_rest": True,
}
CHOSEN = [{name: value} for name, value in SETTINGS.items()] + [SETTINGS]


def test_every_setting_is_tried():
    assert set(SETTINGS) == set(TimeAndStart().properties)


def saved(path, settings):
    """A file of a swinging sheet with some settings that nothing was simulated of; returns its baked frames."""
    cloth = grid()
    swing(cloth)
    add_hooke(cloth, substeps=2)
    play(cloth, range(1, 5))
    bpy.ops.hooke.save_pose()
    for name, value in ({"use_saved_pose": False} | settings).items():
        setattr(cloth.hooke, name, value)
    bpy.ops.hooke.reset()
    bpy.context.scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bake(cloth)
    baked = dict(zip(FRAMES, map(key_positions, baked_keys(cloth)), strict=True))
    forgotten(cloth)
    return baked


def forgotten(cloth):
    folder = cache_files.path_of(cloth).parent
    sessions.drop_all()
    shutil.rmtree(folder, ignore_errors=True)


def same(a, b):
    """Within what keys round."""
    return np.abs(a - b).max() <= 1e-6


@pytest.mark.sampled(6)
@pytest.mark.parametrize("settings", CHOSEN, ids=lambda chosen: "-".join(chosen))
def test_any_frame_that_is_rendered_first_is_as_it_is_baked(settings, scene, tmp_path):
    path = tmp_path / "cloth.blend"
    baked, shown = saved(path, settings), []

    def show(*_):
        shown.append(evaluated_positions(bpy.data.objects["Cloth"]))

    for frame in (12, 9, 2):
        cloth = opened(path)
        scene = bpy.context.scene
        rendering.prepare(scene, str(tmp_path / "picture"))
        scene.frame_start = scene.frame_end = frame
        bpy.app.handlers.render_post.append(show)
        bpy.ops.render.render(animation=True)
        bpy.app.handlers.render_post.remove(show)
        assert same(shown.pop(), baked[frame]) and not shown, frame
        forgotten(cloth)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("settings", CHOSEN, ids=lambda chosen: "-".join(chosen))
def test_the_first_pass_is_as_the_second_and_as_the_bake(settings, scene, tmp_path):
    path = tmp_path / "cloth.blend"
    baked = saved(path, settings)
    cloth = opened(path)
    first, second = play(cloth, FRAMES), play(cloth, FRAMES)
    assert same_bits(first, second)
    assert all(same(first[frame], baked[frame]) for frame in FRAMES)
    # Backwards from disk, and each alone.
    assert same_bits(dict(sorted(play(cloth, reversed(FRAMES)).items())), first)


@pytest.mark.nightly
@pytest.mark.parametrize("settings", CHOSEN, ids=lambda chosen: "-".join(chosen))
def test_a_frame_of_a_farm_is_as_it_is_baked(settings, scene, tmp_path):
    path, output = tmp_path / "cloth.blend", tmp_path / "shown.npz"
    baked = saved(path, settings)
    script = Path(rendering.__file__)
    subprocess.run(
        [sys.executable, str(script), str(path), "Cloth", "10-10", str(output)], check=True, timeout=HANGS
    )
    assert same(np.load(output)["10"], baked[10])


@pytest.mark.parametrize("end", [6, 9])
def test_frames_past_an_end_that_was_lowered_show_the_end(end, scene):
    cloth = add_hooke(grid(), substeps=2)
    live = play(cloth, FRAMES)
    cloth.hooke.frame_end = end
    shown = play(cloth, [12, end + 1, end])
    assert all(same_bits(positions, live[end]) for positions in shown.values())
    cloth.hooke.frame_end = 12
    assert same_bits(play(cloth, FRAMES), live)


def test_past_the_end_frames_that_lack_are_not_taken_for_the_last(scene):
    cloth = add_hooke(grid(), substeps=2)
    live = play(cloth, range(1, 6))
    scene.frame_set(40)
    assert same_bits(evaluated_positions(cloth), live[5])
    assert "last one simulated" in sessions.find(cloth).hint
