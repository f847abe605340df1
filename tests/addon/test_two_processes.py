# SPDX-License-Identifier: GPL-3.0-or-later
"""An artist who plays and a farm that renders from the same project at the same time."""

import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files, readout
from hooke.addon.play import sessions
from hooke.addon.readout import cache_status
from hooke.core.cache import DiskFrames, frame_count

from ..waiting import HANGS
from .scenes import add_hooke, grid, play, same_bits, swing, turn
from .script import said
from .sharing import FRAMES

# HOOKE_ROUNDS=200 is the long run.
ROUNDS = int(os.environ.get("HOOKE_ROUNDS", "4"))
# HOOKE_KILLS=60 likewise.
KILLS = int(os.environ.get("HOOKE_KILLS", "1"))
# Shares of the rounds, seed and number, and one kill at a time: of what takes long by its number nothing hangs.
SHARES = [
    pytest.param(seed, min(12, ROUNDS - begun), id=f"{begun + 1}-")
    for seed, begun in enumerate(range(0, ROUNDS, 12), 7)
]


def process(role, file, shown, seed=7, rounds=1):
    """One of the two."""
    script = Path(__file__).with_name("sharing.py")
    command = [sys.executable, str(script), role, str(file), str(shown), str(rounds), str(seed)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8", errors="replace")


@pytest.fixture
def project(scene, tmp_path):
    """A saved file with a swinging sheet, nothing of it cached, and a file with its frames as they are."""
    file, shown = tmp_path / "cloth.blend", tmp_path / "shown.npz"
    obj = grid()
    swing(obj, frames=(1, 20))
    turn(obj)
    add_hooke(obj, frame_end=FRAMES[-1])
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    np.savez(shown, **{str(frame): positions for frame, positions in play(obj, FRAMES).items()})
    shutil.rmtree(cache_files.path_of(obj).parent)
    sessions.drop_all()
    return file, shown


def beside_an_artist(project, role, seed, rounds):
    """Lines on stdout, and stderr, of one that comes to its end while an artist plays about."""
    artist = process("artist", *project, seed, rounds)
    while "begun" not in artist.stdout.readline():
        assert artist.poll() is None
    other = process(role, *project, seed, rounds)
    told, errors = other.communicate(timeout=HANGS)
    _, artist_errors = artist.communicate("enough\n", timeout=HANGS)
    assert other.returncode == artist.returncode == 0
    assert said(artist_errors) == ""
    return told.splitlines(), errors


@pytest.mark.nightly
@pytest.mark.parametrize(("seed", "rounds"), SHARES)
def test_every_frame_is_right_or_refused_with_a_sentence(seed, rounds, project):
    lines, errors = beside_an_artist(project, "reader", seed, rounds)
    counts = {word: sum(line.startswith(word) for line in lines) for word in ("right", "refused", "WRONG")}
    print(counts)
    assert counts["WRONG"] == 0 and counts["right"] >= rounds // 2
    assert [line for line in said(errors).splitlines() if not line.startswith("hooke: ")] == []
    ends = sum("the render ends before frame" in line for line in errors.splitlines())
    assert ends == counts["refused"]


@pytest.mark.nightly
@pytest.mark.parametrize(("seed", "rounds"), SHARES)
def test_playback_goes_on_whatever_another_writes(seed, rounds, project):
    lines, errors = beside_an_artist(project, "player", seed, rounds)
    passes = [line for line in lines if line.split()[0] in ("true", "live", "FROZEN", "WRONG")]
    print(Counter(passes))
    assert [line for line in said(errors).splitlines() if not line.startswith("hooke: ")] == []
    assert len(passes) == rounds and {*passes} <= {"true", "live"}


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(KILLS))
def test_what_a_killed_blender_left_is_gone_on_from(seed, project):
    file, shown = project
    path = cache_files.path_of(bpy.data.objects["Cloth"])
    with np.load(shown) as frames:
        true = {int(frame): positions for frame, positions in frames.items()}
    artist, most = process("artist", file, shown, seed), random.Random(seed).randrange(1, FRAMES[-1])
    # Its passes are of other lengths and settings: any of them may be the one.
    while frame_count(path) < most:
        assert artist.poll() is None
    artist.kill()
    artist.communicate()
    bpy.ops.wm.open_mainfile(filepath=str(file))
    print(f"killed after frame {frame_count(path)}")
    obj = bpy.data.objects["Cloth"]
    assert same_bits(play(obj, FRAMES), true)
    assert cache_status(obj)[0] == f"Cached on disk: frames 1 to {FRAMES[-1]}"


def taken_away(path):
    for file in path.parent.iterdir():
        file.unlink()


def begun_anew(path):
    """Another Blender has begun to write it with the same settings, and is at frame 3."""
    frames = DiskFrames.open(path)
    kept, inputs = [(frames[index], frames.notes[index]) for index in range(3)], frames.inputs
    owner, count, start = frames.owner, frames.vertex_count, frames.frame_start
    frames.close()
    anew = DiskFrames.create(path, count, start, inputs, owner=owner)
    for positions, note in kept:
        anew.append(positions, note)
    anew.close()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("lose", [taken_away, begun_anew])
@pytest.mark.parametrize("shown", [1, 2, 6])
def test_a_cache_that_is_lost_while_it_is_read_stops_nothing(lose, shown, scene, tmp_path):
    obj = grid()
    swing(obj)
    add_hooke(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cloth.blend"))
    true = play(obj, range(1, 13))
    sessions.drop_all()
    seen = play(obj, range(1, shown + 1))
    sessions.find(obj).close()
    lose(cache_files.path_of(obj))
    seen |= play(obj, range(shown + 1, 13))
    frames = list(seen.values())
    assert not any(same_bits(one, other) for one, other in pairwise(frames))
    if sessions.find(obj).tuned is not None:
        told = [complaint.text for complaint in readout.report(obj).complaints]
        assert any(text.startswith("The cached frames are gone. Tuned live since frame") for text in told)
        assert max(np.abs(seen[frame] - true[frame]).max() for frame in true) < 0.1
    else:
        assert same_bits(seen, true)
    assert same_bits(play(obj, range(1, 13)), true)
