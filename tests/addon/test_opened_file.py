# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that is opened says which of its frames are cached, before anything is played."""

import bpy
import pytest

from hooke.addon.play import handlers, sessions
from hooke.addon.readout import cache_status

from .scenes import add_hooke, evaluated_positions, grid, play, same_bits, status

FRAMES = range(1, 13)


def opened(left_at, file, scene):
    """A sheet in a file that was saved at a frame and opened again, and what was shown there."""
    cloth = add_hooke(grid())
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    live = play(cloth, FRAMES)
    scene.frame_set(left_at)
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.open_mainfile(filepath=str(file))
    return bpy.data.objects["Cloth"], live[left_at]


@pytest.mark.parametrize("left_at", [1, 6])
def test_it_says_which_frames_are_cached(left_at, scene, tmp_path):
    cloth, shown = opened(left_at, tmp_path / "cloth.blend", scene)
    # In a window a timer calls it as soon as the file is open.
    handlers.show_opened()
    assert cache_status(cloth)[0] == "Cached on disk: frames 1 to 12"
    assert "frame 12" in status(cloth) and "Starts" not in status(cloth)
    assert same_bits(evaluated_positions(cloth), shown)
    assert sessions.find(cloth).take.simulated == 0


@pytest.mark.parametrize(
    ("left_at", "said"),
    [(1, "Ready at frame 1: press play"), (6, "The settings changed: go to frame 1, and play")],
)
def test_it_says_why_they_hold_no_more(left_at, said, scene, tmp_path):
    cloth, _ = opened(left_at, tmp_path / "cloth.blend", scene)
    cloth.hooke.stiffness = 70.0
    handlers.show_opened()
    assert cache_status(cloth)[0] == "Stale: 12 frames are of other settings, mesh or motion"
    assert status(cloth) == said
