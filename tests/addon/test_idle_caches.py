# SPDX-License-Identifier: GPL-3.0-or-later
"""Caches that nobody plays hold no file: their folder can be moved, and the next frame goes on."""

import bpy

from hooke.addon import cache_files
from hooke.addon.play import handlers
from hooke.core.file_lock import NAME

from .scenes import add_hooke, grid, play, same_bits, swing


def test_an_idle_cache_is_let_go_and_goes_on(scene, tmp_path, monkeypatch):
    obj = grid()
    swing(obj)
    add_hooke(obj, frame_end=12)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "sheet.blend"))
    straight = play(obj, range(1, 7))
    lock = cache_files.path_of(obj).with_name(NAME)
    bpy.ops.hooke.reset()
    play(obj, range(1, 4))
    handlers.let_go_of_idle()
    assert lock.exists()
    monkeypatch.setattr(handlers, "IDLE", 0.0)
    handlers.let_go_of_idle()
    assert not lock.exists()
    assert same_bits(play(obj, range(4, 7)), {frame: straight[frame] for frame in range(4, 7)})
    assert lock.exists() and cache_files.count(obj) == 6
