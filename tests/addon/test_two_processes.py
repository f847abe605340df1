# SPDX-License-Identifier: GPL-3.0-or-later
"""An artist who plays and a farm that renders from the same project at the same time."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.play import sessions

from .scenes import add_hooke, grid, play, swing, turn
from .script import said
from .sharing import FRAMES

# HOOKE_ROUNDS=200 is the long run.
ROUNDS = int(os.environ.get("HOOKE_ROUNDS", "4"))


def process(role, file, shown):
    """One of the two."""
    script = Path(__file__).with_name("sharing.py")
    command = [sys.executable, str(script), role, str(file), str(shown), str(ROUNDS), "7"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.newest
def test_every_frame_is_right_or_refused_with_a_sentence(scene, tmp_path):
    file, shown = tmp_path / "cloth.blend", tmp_path / "shown.npz"
    obj = grid()
    swing(obj, frames=(1, 20))
    turn(obj)
    add_hooke(obj, frame_end=FRAMES[-1])
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    np.savez(shown, **{str(frame): positions for frame, positions in play(obj, FRAMES).items()})
    shutil.rmtree(cache_files.path_of(obj).parent)
    sessions.drop_all()
    artist = process("artist", file, shown)
    while "begun" not in artist.stdout.readline():
        assert artist.poll() is None
    reader = process("reader", file, shown)
    told, errors = reader.communicate(timeout=60 + 10 * ROUNDS)
    _, artist_errors = artist.communicate("enough\n", timeout=60)
    lines = told.splitlines()
    counts = {word: sum(line.startswith(word) for line in lines) for word in ("right", "refused", "WRONG")}
    print(counts)
    assert reader.returncode == artist.returncode == 0
    assert counts["WRONG"] == 0 and counts["right"] >= ROUNDS // 2
    assert [line for line in said(errors).splitlines() if not line.startswith("hooke: ")] == []
    ends = sum("the render ends before frame" in line for line in errors.splitlines())
    assert ends == counts["refused"]
    assert said(artist_errors) == ""
