# SPDX-License-Identifier: GPL-3.0-or-later
"""The cache on disk: what it survives, what makes it stale, and that it is bounded."""

import contextlib
import struct
from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import cache_files
from hooke.addon.play import sessions
from hooke.addon.readout import cache_status
from hooke.core.cache import DiskFrames

from .scenes import activate, add_hooke, evaluated_positions, grid, play, same_bits, swing

FRAMES = range(1, 13)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "cloth.blend"


@pytest.fixture
def cloth(scene, file):
    """A saved sheet that was simulated over the whole range."""
    obj = add_hooke(grid())
    save(file)
    play(obj, FRAMES)
    return obj


def save(file):
    assert bpy.ops.wm.save_as_mainfile(filepath=str(file)) == {"FINISHED"}


def reopen(file, name="Cloth"):
    assert bpy.ops.wm.open_mainfile(filepath=str(file)) == {"FINISHED"}
    obj = bpy.data.objects[name]
    activate(obj)
    return obj


def swinging():
    obj = grid()
    swing(obj)
    return obj


def simulated(obj):
    """Number of frames that were simulated, not read, since the file was opened."""
    return sessions.find(obj).take.simulated


def test_the_file_is_pc2_of_what_is_shown(cloth, file):
    content = (file.with_name("cloth_hooke") / "cache" / "Cloth.pc2").read_bytes()
    magic, version, points, first, rate, samples = struct.unpack("<12siiffi", content[:32])
    assert (magic, version, points, first, rate, samples) == (b"POINTCACHE2\0", 1, 25, 1.0, 1.0, 12)
    live = play(cloth, FRAMES)
    stored = np.frombuffer(content[32:], "<f4").reshape(12, 25, 3)
    assert all(same_bits(stored[frame - 1].copy(), live[frame]) for frame in FRAMES)


def test_in_any_order_after_opening_nothing_is_simulated_again(cloth, file):
    live = play(cloth, FRAMES)
    cloth = reopen(file)
    order = [int(frame) for frame in np.random.default_rng(1).permutation(FRAMES)]
    assert same_bits(play(cloth, order), {frame: live[frame] for frame in order})
    assert simulated(cloth) == 0


@pytest.mark.parametrize("moved", [False, True])
def test_pins_that_move_otherwise_since_are_noticed_after_opening(moved, scene, file):
    cloth = add_hooke(swinging())
    save(file)
    live = play(cloth, FRAMES)
    cloth = reopen(file)
    if moved:
        cloth.animation_data_clear()
        swing(cloth, distance=0.9)
    shown = play(cloth, [8])[8]
    assert same_bits(shown, live[8]) != moved
    assert ("go to" in sessions.find(cloth).hint) == moved


def test_renaming_keeps_it(cloth, file):
    live = play(cloth, FRAMES)
    cloth.name = cloth.data.name = "Curtain"
    save(file)
    cloth = reopen(file, "Curtain")
    assert same_bits(play(cloth, [7, 12]), {frame: live[frame] for frame in (7, 12)})
    assert simulated(cloth) == 0


def duplicate(obj):
    """A copy with its own mesh, as Shift D makes it; both see the next update of the scene."""
    activate(obj)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.context.object


def test_a_duplicate_gets_its_own(cloth, file):
    live = play(cloth, FRAMES)
    copy = duplicate(cloth)
    assert copy.hooke.cache_id != cloth.hooke.cache_id
    assert same_bits(play(copy, [9])[9], live[9])
    assert simulated(copy) == 0
    copy.hooke.stiffness = 50.0
    softer = play(copy, FRAMES)
    assert np.abs(softer[12] - live[12]).max() > 1e-3
    save(file)
    assert same_bits(play(reopen(file), [12])[12], live[12])
    assert same_bits(play(bpy.data.objects["Cloth.001"], [12])[12], softer[12])


def test_saved_under_another_name_both_have_it(cloth, file, tmp_path):
    live = play(cloth, FRAMES)
    other = tmp_path / "elsewhere" / "second.blend"
    other.parent.mkdir()
    save(other)
    cloth.hooke.frame_end = 14
    live |= play(cloth, [13, 14])
    for path, frame in ((other, 14), (file, 12)):
        (cloth := reopen(path)).hooke.frame_end = frame
        assert same_bits(play(cloth, [frame])[frame], live[frame])
        assert simulated(cloth) == 0


def test_the_first_save_takes_it_along(scene, file):
    cloth = add_hooke(grid())
    live = play(cloth, FRAMES)
    save(file)
    assert not list((Path(bpy.app.tempdir) / "hooke").glob("*"))
    assert same_bits(play(reopen(file), [12])[12], live[12])


def test_undo_of_another_edit_keeps_it(cloth):
    live = play(cloth, FRAMES)
    bpy.ops.ed.undo_push(message="before")
    cloth.hooke.stiffness = 20.0
    bpy.ops.ed.undo_push(message="stiffness")
    play(cloth, [6])
    assert cache_status(cloth)[0] == "Stale: 12 frames are of other settings, mesh or motion"
    bpy.ops.ed.undo()
    cloth = bpy.data.objects["Cloth"]
    assert same_bits(play(cloth, [6, 12]), {frame: live[frame] for frame in (6, 12)})
    assert cache_status(cloth)[0] == "Cached on disk: frames 1 to 12"


def test_a_setting_changed_and_changed_back(cloth):
    live, density = play(cloth, FRAMES), cloth.hooke.area_density
    cloth.hooke.area_density = 3.0
    play(cloth, [4])
    assert "Stale" in cache_status(cloth)[0]
    cloth.hooke.area_density = density
    assert same_bits(play(cloth, [4])[4], live[4])
    assert simulated(cloth) == len(FRAMES) - 1


def test_what_was_changed_while_hooke_was_away_is_noticed(cloth, file):
    cloth.data.vertices[12].co.z += 0.25
    save(file)
    cloth = reopen(file)
    play(cloth, [6])
    assert "go to frame 1" in sessions.find(cloth).hint
    assert "Stale: 12 frames" in cache_status(cloth)[0]


def test_reset_leaves_it_until_it_is_simulated_again_and_undo_brings_it_back(cloth, file):
    live = play(cloth, FRAMES)
    activate(cloth)
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.hooke.reset() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="reset")
    assert cache_status(cloth)[0] == "Nothing cached"
    play(cloth, [6])
    assert "go to frame 1" in sessions.find(cloth).hint
    bpy.ops.ed.undo()
    cloth = bpy.data.objects["Cloth"]
    made = simulated(cloth)
    assert same_bits(play(cloth, [6, 12]), {frame: live[frame] for frame in (6, 12)})
    assert simulated(cloth) == made
    activate(cloth)
    assert bpy.ops.hooke.reset() == {"FINISHED"}
    assert same_bits(play(cloth, range(1, 4)), {frame: live[frame] for frame in range(1, 4)})
    assert simulated(cloth) == made + 2


def test_another_blender_that_has_it_open_is_not_disturbed(cloth, file):
    path = cache_files.path_of(cloth)
    before = path.read_bytes()
    sessions.drop(cloth)
    with contextlib.closing(DiskFrames.open(path)):
        cloth.hooke.stiffness = 70.0
        shown = play(cloth, FRAMES)
        assert "in use by another Blender" in cache_status(cloth)[0]
        assert path.read_bytes() == before
    assert np.abs(shown[12] - shown[1]).max() > 0.05


def test_several_blenders_render_from_one_cache(cloth, file):
    live = play(cloth, FRAMES)
    sessions.drop(cloth)
    with contextlib.closing(DiskFrames.open(cache_files.path_of(cloth))):
        cloth = reopen(file)
        assert same_bits(play(cloth, [9, 3, 12]), {frame: live[frame] for frame in (9, 3, 12)})
        assert simulated(cloth) == 0


def test_a_reader_simulates_on_in_memory_and_says_so(cloth, file):
    live = play(cloth, FRAMES)
    path = cache_files.path_of(cloth)
    sessions.drop(cloth)
    with contextlib.closing(DiskFrames.open(path)):
        cloth = reopen(file)
        before = {name: name.read_bytes() for name in path.parent.iterdir()}
        cloth.hooke.frame_end = 20
        play(cloth, [12])
        shown = play(cloth, range(13, 21))
        assert not sessions.find(cloth).problem
        assert "in use by another Blender" in cache_status(cloth)[0]
        assert same_bits(play(cloth, FRAMES), live)
        assert before == {name: name.read_bytes() for name in path.parent.iterdir()}
    sessions.drop(cloth)
    bpy.ops.hooke.reset()
    alone = play(cloth, range(1, 21))
    assert same_bits({frame: alone[frame] for frame in shown}, shown)


def test_a_folder_that_cannot_be_written_is_told_and_memory_takes_its_place(scene, file):
    file.with_name("cloth_hooke").write_bytes(b"a file where the folder should be")
    cloth = add_hooke(grid())
    save(file)
    shown = play(cloth, FRAMES)
    text, icon = cache_status(cloth)
    assert text.startswith("In memory only: the cache") and icon == "ERROR"
    assert same_bits(play(cloth, [5])[5], shown[5])


def test_simulating_fills_it_and_leaves_the_scene_where_it_is(scene, file):
    cloth = add_hooke(swinging())
    other = grid(name="Other")
    save(file)
    scene.frame_set(5)
    activate(cloth)
    scenes, objects = list(bpy.data.scenes), list(bpy.data.objects)
    assert bpy.ops.hooke.simulate() == {"FINISHED"}
    assert scene.frame_current == 5
    assert (list(bpy.data.scenes), list(bpy.data.objects)) == (scenes, objects)
    assert sessions.find(cloth).cached == 12
    cached = play(cloth, FRAMES)
    assert simulated(cloth) == 11
    bpy.data.objects.remove(other)
    bpy.ops.hooke.reset()
    assert same_bits(play(cloth, FRAMES), cached)


def test_a_render_reads_it(cloth, scene, file, tmp_path):
    live = play(cloth, FRAMES)
    cloth = reopen(file)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 1
    scene.render.resolution_x = scene.render.resolution_y = 4
    scene.render.filepath = str(tmp_path / "image")
    scene.frame_start, scene.frame_end = 7, 9
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    seen = {}

    def look(scene, depsgraph=None):
        seen[scene.frame_current] = evaluated_positions(cloth)

    bpy.app.handlers.render_post.append(look)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.render_post.remove(look)
    assert same_bits(seen, {frame: live[frame] for frame in (7, 8, 9)})
    assert simulated(cloth) == 0


@pytest.mark.parametrize("name", ["CON", "aux", "Lpt1"])
def test_no_cache_is_called_as_a_device_of_windows(name, scene, file):
    obj = add_hooke(grid(name=name))
    save(file)
    assert obj.hooke.cache_id == f"_{name}"
    # Nor by a file that says so.
    obj.hooke.cache_id = name
    shown = play(obj, FRAMES)
    assert obj.hooke.cache_id != name
    assert not any(path.stem == name for path in cache_files.folder().iterdir())
    assert same_bits(play(obj, reversed(FRAMES)), {frame: shown[frame] for frame in reversed(FRAMES)})
