# SPDX-License-Identifier: GPL-3.0-or-later
"""Saving and opening: the set-up stays, the simulation starts again from its start frame."""

from pathlib import Path

import bpy
import numpy as np
import pytest

import hooke
from hooke.addon.play import sessions

from .keyed_meshes import with_animated_keys, with_modifiers
from .scenes import (
    activate,
    add_hooke,
    bake,
    clear_bake,
    evaluated_positions,
    grid,
    link,
    play,
    same_bits,
    status,
    swing,
)
from .snapshots import differences, snapshot

FRAMES = range(1, 13)
SETTINGS = {
    "stiffness": 321.0,
    "shear": 0.5,
    "bending": 0.25,
    "mass": 2.0,
    "damping": 0.125,
    "pin_stiffness": 7.0,
    "substeps": 4,
    "iterations": 3,
    "frame_start": 2,
    "frame_end": 11,
}


@pytest.fixture
def file(tmp_path):
    """Where the test saves."""
    return str(tmp_path / "cloth.blend")


def save(file):
    assert bpy.ops.wm.save_as_mainfile(filepath=file) == {"FINISHED"}


def reopen(file, name="Cloth"):
    """Open the file again and return the object."""
    assert bpy.ops.wm.open_mainfile(filepath=file) == {"FINISHED"}
    obj = bpy.data.objects[name]
    activate(obj)
    return obj


def test_settings_and_modifier_stay(file, scene):
    obj = add_hooke(with_modifiers(), **SETTINGS)
    modifiers = [modifier.name for modifier in obj.modifiers]
    save(file)
    obj = reopen(file)
    assert obj.hooke.enabled
    assert obj.hooke.pin_group == "Pin"
    assert {name: getattr(obj.hooke, name) for name in SETTINGS} == SETTINGS
    assert [modifier.name for modifier in obj.modifiers] == modifiers
    assert status(obj) == "Starts at frame 2: go there, and press play"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("played", [0, 6, 12])
def test_after_opening_the_same_bits(played, file, scene):
    obj = grid()
    swing(obj)
    add_hooke(obj)
    live = play(obj, FRAMES)
    bpy.ops.hooke.reset()
    play(obj, range(1, played + 1))
    save(file)
    obj = reopen(file)
    assert not sessions.by_object
    assert same_bits(play(obj, FRAMES), live)


def test_saved_in_the_middle_it_goes_on_after_opening(file, scene):
    obj = add_hooke(grid())
    save(file)
    live = play(obj, range(1, 8))
    save(file)
    # Saving is not an interruption.
    live |= play(obj, range(8, 11))
    obj = reopen(file)
    assert bpy.context.scene.frame_current == 7
    assert same_bits(evaluated_positions(obj), live[7])
    assert same_bits(play(obj, [8, 4, 10]), {frame: live[frame] for frame in (8, 4, 10)})
    live |= play(obj, [11])
    assert "frame 11" in status(obj)
    bpy.ops.hooke.reset()
    assert same_bits(play(obj, range(1, 12)), live)


def test_saved_without_a_cache_the_pose_is_kept_until_the_start(file, scene):
    obj = add_hooke(grid())
    live = play(obj, range(1, 8))
    save(file)
    sessions.drop_all()
    for path in (Path(file).with_name("cloth_hooke") / "cache").iterdir():
        path.unlink()
    obj = reopen(file)
    assert same_bits(evaluated_positions(obj), live[7])
    play(obj, [8])
    assert status(obj) == "Nothing is simulated up to here: go to frame 1, and play"
    assert same_bits(play(obj, range(1, 8)), live)


def test_saving_writes_the_same_mesh_as_before_hooke(file, scene):
    obj = with_animated_keys()
    scene.frame_set(1)
    before = {name: snapshot(obj)[name] for name in ("mesh", "keys", "weights")}
    add_hooke(obj)
    play(obj, FRAMES)
    scene.frame_set(1)
    save(file)
    after = snapshot(reopen(file))
    assert differences(before, {name: after[name] for name in before}) == []


def test_a_bake_is_in_the_file_and_can_be_cleared_after_opening(file, scene):
    obj = add_hooke(with_modifiers())
    scene.frame_set(1)
    play(obj, FRAMES)
    scene.frame_set(1)
    before = snapshot(obj)
    bake(obj)
    baked = play(obj, FRAMES)
    scene.frame_set(1)
    save(file)
    obj = reopen(file)
    assert same_bits(play(obj, FRAMES), baked)
    bpy.context.scene.frame_set(1)
    clear_bake(obj)
    assert differences(before, snapshot(obj)) == []


def test_a_bake_plays_without_the_extension(file, scene):
    obj = add_hooke(with_modifiers())
    bake(obj)
    baked = play(obj, FRAMES)
    save(file)
    hooke.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=file)
        assert same_bits(play(bpy.data.objects["Cloth"], FRAMES), baked)
        # Saved and opened without it, the file still knows its settings.
        save(file)
    finally:
        hooke.register()
    obj = reopen(file)
    assert obj.hooke.bake.exists
    clear_bake(obj)
    play(obj, FRAMES)
    assert "frame 12" in status(obj)


def test_without_the_extension_the_last_pose_stays(file, scene):
    obj = add_hooke(grid())
    live = play(obj, range(1, 8))
    save(file)
    hooke.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=file)
        obj = bpy.data.objects["Cloth"]
        assert same_bits(evaluated_positions(obj), live[7])
        assert same_bits(play(obj, [8])[8], live[7])
    finally:
        hooke.register()


def test_opening_another_file_forgets_every_simulation(file, scene):
    obj = add_hooke(grid())
    save(file)
    play(obj, FRAMES)
    assert sessions.by_object
    bpy.ops.wm.read_homefile(use_empty=True)
    assert not sessions.by_object
    obj = reopen(file)
    assert not sessions.by_object


def test_reverting_in_the_middle(file, scene):
    obj = add_hooke(grid())
    save(file)
    live = play(obj, FRAMES)
    bpy.ops.wm.revert_mainfile()
    obj = bpy.data.objects["Cloth"]
    assert status(obj) == "Starts at frame 1: go there, and press play"
    assert same_bits(play(obj, FRAMES), live)


def linked(file, name):
    """Link an object from the file into the scene."""
    with bpy.data.libraries.load(file, link=True) as (_, data):
        data.objects = [name]
    return link(data.objects[0])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("saved_at", [1, 7])
def test_a_linked_simulated_object_is_refused_and_hinders_nobody(saved_at, file, scene):
    obj = add_hooke(grid(name="There"))
    play(obj, range(1, saved_at + 1))
    save(file)
    bpy.ops.wm.read_homefile(use_empty=True)
    there = linked(file, "There")
    here = add_hooke(grid(name="Here"))
    shown = play(here, range(-2, 13))
    assert "frame 12" in status(here)
    assert np.abs(shown[12] - shown[1]).max() > 0.05
    assert "'There' is linked from" in status(there)
    assert "make it local first" in status(there)
    activate(there)
    for operator in (bpy.ops.hooke.bake, bpy.ops.hooke.add):
        with pytest.raises(RuntimeError, match="is linked from"):
            operator()


def test_appended_it_runs(file, scene):
    obj = add_hooke(grid(name="There"))
    live = play(obj, FRAMES)
    save(file)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(file, link=False) as (_, data):
        data.objects = ["There"]
    there = link(data.objects[0])
    here = add_hooke(grid(name="Here"))
    shown = play(there, FRAMES)
    assert same_bits(shown, live)
    assert "frame 12" in status(here)


def test_a_library_override_of_a_linked_mesh_is_refused(file, scene):
    add_hooke(grid(name="There"))
    save(file)
    bpy.ops.wm.read_homefile(use_empty=True)
    there = linked(file, "There")
    override = there.override_create(remap_local_usages=True)
    activate(override)
    assert override.library is None
    with pytest.raises(RuntimeError, match="'There' is linked from"):
        bpy.ops.hooke.add()
    play(override, FRAMES)
    assert "is linked from" in status(override)


def test_hooke_is_not_removed_from_what_is_linked(scene, tmp_path, capfd):
    library = str(tmp_path / "library.blend")
    bpy.data.libraries.write(library, {add_hooke(grid())})
    bpy.data.objects.remove(bpy.data.objects["Cloth"])
    with bpy.data.libraries.load(library, link=True) as (_, data):
        data.objects = ["Cloth"]
    obj = link(data.objects[0])
    activate(obj)
    assert bpy.ops.hooke.remove() == {"CANCELLED"}
    assert obj.hooke.enabled and "'Cloth' is linked" in capfd.readouterr().out
