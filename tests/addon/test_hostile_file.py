# SPDX-License-Identifier: GPL-3.0-or-later
"""A .blend that somebody else wrote cannot make Hooke touch anything outside its own folders.

Each case saves a project whose ids, folders or files lead elsewhere, opens it as an artist would, plays, resets, saves
under another name, renders from, bakes and runs the command line on it, and compares every file outside by checksum.
"""

import contextlib
import hashlib
import os
import shutil

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files, cli
from hooke.addon.play import sessions
from hooke.core.cache import DiskFrames

from .rendering import prepare
from .scenes import activate, add_hooke, grid, play, same_bits

FRAMES = range(1, 6)
ENDINGS = ("pc2", "jsonl", "state0", "state1")


@pytest.fixture
def others(tmp_path):
    """A folder with other people's files, and a whole cache of another object."""
    folder = tmp_path / "others"
    folder.mkdir()
    frames = DiskFrames.create(folder / "Cloth.pc2", 25, 1, {}, owner="Somebody")
    for _ in FRAMES:
        frames.append(np.zeros((25, 3)), {}, {"x": np.zeros(3)})
    frames.close()
    for ending in ENDINGS:
        (folder / f"X.{ending}").write_bytes(b"POINTCACHE2\0 precious " + ending.encode())
    (folder / "notes.txt").write_bytes(b"notes")
    return folder


def checksums(folder):
    """Every file and link below a folder, with a checksum of its content or where it leads."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[path] = os.readlink(path)
        elif path.is_file():
            found[path] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def absolute_id(project, others, obj):
    obj.hooke.cache_id = str(others / "X")


def climbing_id(project, others, obj):
    obj.hooke.cache_id = "../../../others/X"


def foreign_separator(project, others, obj):
    obj.hooke.cache_id = "..\\..\\..\\others\\X"


def long_id(project, others, obj):
    obj.hooke.cache_id = 300 * "X"


def odd_id(project, others, obj):
    obj.hooke.cache_id = "X\n; rm"


def same_id_twice(project, others, obj):
    other = obj.copy()
    other.data = obj.data.copy()
    bpy.context.scene.collection.objects.link(other)
    obj.hooke.cache_id = other.hooke.cache_id = "../../../others/X"


def linked_files(project, others, obj):
    folder = project / "shot_hooke" / "cache"
    folder.mkdir(parents=True)
    for ending in ENDINGS:
        (folder / f"Cloth.{ending}").symlink_to(others / f"X.{ending}")


def hard_linked_files(project, others, obj):
    folder = project / "shot_hooke" / "cache"
    folder.mkdir(parents=True)
    for ending in ENDINGS:
        os.link(others / f"X.{ending}", folder / f"Cloth.{ending}")


def dangling_links(project, others, obj):
    folder = project / "shot_hooke" / "cache"
    folder.mkdir(parents=True)
    for ending in ENDINGS:
        (folder / f"Cloth.{ending}").symlink_to(others / f"new.{ending}")


def linked_cache_folder(project, others, obj):
    (project / "shot_hooke").mkdir()
    (project / "shot_hooke" / "cache").symlink_to(others)


def linked_outer_folder(project, others, obj):
    (others / "cache").mkdir()
    shutil.copy(others / "Cloth.pc2", others / "cache")
    (project / "shot_hooke").symlink_to(others)


def others_cache_in_its_place(project, others, obj):
    folder = project / "shot_hooke" / "cache"
    folder.mkdir(parents=True)
    for path in others.glob("Cloth.*"):
        shutil.copy(path, folder)


CASES = (
    absolute_id,
    climbing_id,
    foreign_separator,
    long_id,
    odd_id,
    same_id_twice,
    linked_files,
    hard_linked_files,
    dangling_links,
    linked_cache_folder,
    linked_outer_folder,
    others_cache_in_its_place,
)


@pytest.fixture(params=CASES, ids=lambda case: case.__name__)
def hostile(request, scene, tmp_path, others):
    """The saved project of each case."""
    project = tmp_path / "project"
    project.mkdir()
    scene.frame_end = FRAMES[-1]
    obj = add_hooke(grid())
    prepare(scene, str(project / "picture"))
    request.param(project, others, obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(project / "shot.blend"))
    return project / "shot.blend"


def opened(path):
    bpy.ops.wm.open_mainfile(filepath=str(path))
    obj = bpy.data.objects["Cloth"]
    activate(obj)
    return obj


@pytest.mark.sampled(12)
def test_no_file_outside_changes(hostile, others, tmp_path, capfd):
    before = checksums(others)
    obj = opened(hostile)
    live = play(obj, FRAMES)
    assert np.abs(live[5] - live[1]).max() > 0.01, "it plays all the same"
    assert same_bits(play(obj, reversed(FRAMES)), live)
    assert checksums(others) == before
    assert bpy.ops.hooke.reset() == {"FINISHED"}
    assert same_bits(play(obj, FRAMES), live)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    bpy.context.view_layer.update()
    bpy.data.objects.remove(bpy.context.object)
    sessions.discard(obj)
    activate(obj)
    assert bpy.ops.hooke.simulate() == {"FINISHED"}
    assert checksums(others) == before
    # Where the folder is a link, the bake is refused with a sentence.
    with contextlib.suppress(RuntimeError):
        bpy.ops.hooke.bake(mode="MESH_CACHE")
        bpy.ops.hooke.clear_bake()
    bpy.ops.hooke.bake(mode="SHAPE_KEYS")
    bpy.ops.hooke.clear_bake()
    bpy.ops.render.render()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "project" / "second.blend"))
    obj = opened(hostile)
    play(obj, FRAMES)
    assert cli.main(["bake", "--object", "Cloth", "--output", str(tmp_path / "project" / "out.blend")]) == 0
    obj = opened(hostile)
    bpy.ops.hooke.remove()
    bpy.ops.wm.read_homefile(use_empty=True)
    assert checksums(others) == before


def test_an_id_that_hooke_could_not_have_made_leads_nowhere(scene, tmp_path):
    obj = add_hooke(grid())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    for bad in (
        "/etc/x",
        "../x",
        "a/b",
        "..",
        ".x",
        "a\\b",
        "x\n",
        "",
        " ",
        "x" * 300,
        "x.",
        "C:x",
        "x.bake",
    ):
        obj.hooke.cache_id = bad
        assert cache_files.path_of(obj) is None, bad
    for good in ("Cloth", "Cloth-2", "Tücher", "Cloth.001", "_"):
        obj.hooke.cache_id = good
        assert cache_files.path_of(obj).parent == tmp_path / "shot_hooke" / "cache", good


def test_another_id_takes_the_place_of_a_bad_one(scene, tmp_path):
    obj = add_hooke(grid())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    obj.hooke.cache_id = "../x"
    play(obj, FRAMES)
    assert obj.hooke.cache_id == "Cloth"
    assert (tmp_path / "shot_hooke" / "cache" / "Cloth.pc2").is_file()
