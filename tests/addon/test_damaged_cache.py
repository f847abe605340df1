# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache that does not check out is stale, in one sentence: nothing raises, no wrong frame is shown, and it plays."""

import random
import shutil

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.play import sessions
from hooke.addon.readout import cache_status

from .scenes import activate, add_hooke, grid, play, same_bits, status, swing

FRAMES = range(1, 13)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Folder of a saved file whose frames are all cached, and what playback showed; empty until it is played."""
    return tmp_path_factory.mktemp("whole"), {}


@pytest.fixture
def whole(scene, made):
    """The same, played once for all tests."""
    folder, live = made
    if not live:
        obj = grid()
        swing(obj)
        add_hooke(obj, frame_end=14)
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "cloth.blend"))
        live.update(play(obj, range(1, 15)))
        bpy.ops.hooke.reset()
        play(obj, FRAMES)
        scene.frame_set(1)
        bpy.ops.wm.save_mainfile()
        sessions.drop_all()
    return made


@pytest.fixture
def file(whole, tmp_path):
    """A copy of it, opened while its cache is as it was."""
    folder = tmp_path / "copied"
    shutil.copytree(whole[0], folder)
    bpy.ops.wm.open_mainfile(filepath=str(folder / "cloth.blend"))
    return folder / "cloth.blend"


def other_vertex_count(files):
    change(files["pc2"], 16, b"\x07\0\0\0")


def other_vertex_count_everywhere(files):
    other_vertex_count(files)
    content = files["jsonl"].read_bytes()
    files["jsonl"].write_bytes(content.replace(b"25", b"7", 1))


def not_a_number(files):
    change(files["pc2"], 32 + 5 * 300, np.full(3, np.nan, dtype="<f4").tobytes())


def moved_vertex(files):
    change(files["pc2"], 32 + 7 * 300, np.ones(3, dtype="<f4").tobytes())


def nested_sidecar(files):
    files["jsonl"].write_bytes(b"[" * 100_000 + b"\n")


def sidecar_of_nothing(files):
    files["jsonl"].write_bytes(b"null\n" * 13)


def sidecar_without_a_field(files):
    content = files["jsonl"].read_bytes()
    files["jsonl"].write_bytes(content.replace(b'"step"', b'"stop"').replace(b'"scene"', b'"seen"'))


def cut_in_half(files):
    for path in files.values():
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(files):
    for path in files.values():
        path.write_bytes(b"")


def without_states(files):
    files["state0"].unlink()
    files["state1"].unlink()


def swapped_states(files):
    first, second = files["state0"].read_bytes(), files["state1"].read_bytes()
    files["state0"].write_bytes(second)
    files["state1"].write_bytes(first)


def giant(files):
    change(files["pc2"], 28, b"\xff\xff\xff\x7f")
    with open(files["pc2"], "r+b") as file:
        file.truncate(1 << 40)


def change(path, at, content):
    data = bytearray(path.read_bytes())
    data[at : at + len(content)] = content
    path.write_bytes(data)


def flipped(seed):
    """Some bits of one of the files are others."""

    def damage(files):
        rng = random.Random(seed)
        path = files[rng.choice(sorted(files))]
        data = bytearray(path.read_bytes())
        for _ in range(rng.choice([1, 1, 8])):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)

    damage.__name__ = f"flipped_{seed}"
    return damage


DAMAGES = (
    other_vertex_count,
    other_vertex_count_everywhere,
    not_a_number,
    moved_vertex,
    nested_sidecar,
    sidecar_of_nothing,
    sidecar_without_a_field,
    cut_in_half,
    empty,
    without_states,
    swapped_states,
    giant,
    *map(flipped, range(16)),
)


@pytest.mark.sampled(28)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_no_wrong_frame_and_no_exception(damage, file, whole):
    live = whole[1]
    path = cache_files.path_of(bpy.data.objects["Cloth"])
    assert path.is_file()
    sessions.drop_all()
    damage({ending: path.with_suffix(f".{ending}") for ending in ("pc2", "jsonl", "state0", "state1")})
    bpy.ops.wm.open_mainfile(filepath=str(file))
    obj = bpy.data.objects["Cloth"]
    activate(obj)
    bpy.context.scene.frame_set(8)
    shown = sessions.find(obj)
    if shown.cached > 7:
        assert same_bits(play(obj, [8])[8], live[8])
    else:
        assert any(words in status(obj) for words in ("go to frame 1", "the last one simulated"))
    assert "\n" not in cache_status(obj)[0]
    # The first pass may find where the frames are damaged, the second begins anew.
    play(obj, range(1, 15))
    assert same_bits(play(obj, range(1, 15)), live)
    assert bpy.ops.wm.save_mainfile() == {"FINISHED"}
    assert bpy.ops.hooke.bake() == {"FINISHED"}
