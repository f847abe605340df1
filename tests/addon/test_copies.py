# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of an object, by whatever way it came, has a cache of its own: playing it leaves the original's as it is."""

import shutil

import bpy
import pytest

from hooke.addon.play import sessions
from hooke.addon.readout import cache_status

from .scenes import add_hooke, grid, play, same_bits, swing

FRAMES = range(1, 13)


@pytest.fixture
def original(scene, folder):
    """A saved file whose sheet is cached, and what it showed."""
    obj = grid()
    swing(obj)
    add_hooke(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    return obj, play(obj, FRAMES)


def cached(folder):
    """Contents of all files of a folder's caches, by path."""
    files = [file for file in folder.rglob("*") if file.suffix in (".pc2", ".jsonl", ".state0", ".state1")]
    return {file: file.read_bytes() for file in files}


def full_copy(scene):
    """The sheet of a full copy of the scene, which is shown."""
    bpy.ops.scene.new(type="FULL_COPY")
    assert bpy.context.scene != scene
    return next(obj for obj in bpy.context.scene.objects if obj.type == "MESH")


def other_motion(obj):
    obj.hooke.mass = 5.0
    obj.hooke.gravity_weight = 0.5


def test_a_full_copy_of_a_scene_leaves_the_originals_cache(original, scene, folder):
    obj, shown = original
    before = cached(folder)
    copy = full_copy(scene)
    other_motion(copy)
    play(copy, range(1, 6))
    assert cache_status(copy)[0] == "Cached on disk: frames 1 to 5"
    assert copy.hooke.cache_id != obj.hooke.cache_id
    after = cached(folder)
    assert all(after[file] == content for file, content in before.items())
    bpy.context.window.scene = scene
    assert same_bits(play(obj, FRAMES), shown)
    assert cache_status(obj)[0] == "Cached on disk: frames 1 to 12"


def test_a_full_copy_that_was_saved_with_the_originals_name_gets_its_own(original, scene, folder):
    with sessions.paused():
        full_copy(scene)
        bpy.ops.wm.save_mainfile()
    before = cached(folder)
    bpy.ops.wm.open_mainfile(filepath=str(folder / "shot.blend"))
    copy = next(obj for obj in bpy.context.scene.objects if obj.type == "MESH")
    assert copy.hooke.cache_id == bpy.data.objects["Cloth"].hooke.cache_id and copy.name != "Cloth"
    other_motion(copy)
    play(copy, range(1, 6))
    after = cached(folder)
    assert all(after[file] == content for file, content in before.items())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["shot copy.blend", "shot.v2.blend", "shot.blend1", "SHOT.blend", "shot"])
def test_a_file_copied_beside_the_original_leaves_its_cache(original, name, folder):
    sessions.drop_all()
    before = cached(folder)
    if (folder / name).exists():
        pytest.skip("the disk takes both names for one file")
    shutil.copy(folder / "shot.blend", folder / name)
    bpy.ops.wm.open_mainfile(filepath=str(folder / name))
    copy = bpy.data.objects["Cloth"]
    other_motion(copy)
    play(copy, range(1, 6))
    after = cached(folder)
    assert all(after.get(file) == content for file, content in before.items())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("played_first", [True, False])
def test_an_appended_object_has_its_own_cache(original, played_first, scene, folder):
    obj, shown = original
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "library.blend"))
    other_motion(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "other.blend"))
    shown = play(obj, FRAMES)
    if not played_first:
        bpy.ops.wm.save_mainfile()
        bpy.ops.wm.open_mainfile(filepath=str(folder / "other.blend"))
        obj = bpy.data.objects["Cloth"]
    before = cached(folder)
    with bpy.data.libraries.load(str(folder / "library.blend")) as (_, wanted):
        wanted.objects = ["Cloth"]
    (appended,) = wanted.objects
    bpy.context.scene.collection.objects.link(appended)
    play(appended, range(1, 6))
    after = cached(folder)
    assert appended.hooke.cache_id != obj.hooke.cache_id
    assert all(after.get(file) == content for file, content in before.items())
    assert same_bits(play(obj, FRAMES), shown)
