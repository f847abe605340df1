# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths as Windows takes and stores them, by Python's own Windows paths, on any system."""

import ntpath
from pathlib import PurePosixPath, PureWindowsPath

import bpy
import pytest

from hooke.addon.bakes import places, played_file

from .scenes import add_hooke, bake, clear_bake, grid, play, same_bits

DEVICES = ("CON", "con", "Nul", "aux", "PRN", "COM1", "lpt9", "CON.left", "nul.001", "com¹", "CONOUT$")
FILES = ("Cone", "Auxiliary", "Null", "COM", "Com10", "Cloth", "Cloth.001", "Lpt")


def is_device(name):
    """Whether Windows takes a file's name for a device."""
    # A function of ntpath since Python 3.13, before a method that it takes away.
    known = getattr(ntpath, "isreserved", None)
    return known(name) if known is not None else PureWindowsPath(name).is_reserved()


@pytest.mark.parametrize("name", [*DEVICES, *FILES])
def test_no_bake_is_written_to_a_device(name):
    assert not is_device(f"{places.file_name(name)}.pc2")


@pytest.mark.parametrize("name", FILES)
def test_other_names_stay(name):
    assert places.file_name(name) == bpy.path.clean_name(name)


@pytest.mark.parametrize("name", ['a:b*c?"<>|', "back\\slash/slash", "ends in a dot.", " space "])
def test_names_have_no_letters_that_windows_refuses(name):
    file = f"{places.file_name(name)}.pc2"
    assert PureWindowsPath(file).name == PurePosixPath(file).name == file
    assert not set('<>:"/\\|?*') & set(file)


def test_a_cache_is_stored_as_every_system_reads_it(scene, tmp_path, monkeypatch):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    # As Blender's own function does it there, by Python's.
    monkeypatch.setattr(bpy.path, "relpath", lambda path: "//" + ntpath.relpath(path, "C:\\shots"))
    assert places.stored(PureWindowsPath("C:\\shots\\shot_hooke\\Cloth.pc2")) == "//shot_hooke/Cloth.pc2"
    assert places.stored(PureWindowsPath("D:\\caches\\Cloth.pc2")) == "D:\\caches\\Cloth.pc2"


def test_a_bake_with_the_separators_of_windows_is_the_objects_own(scene, tmp_path):
    # Blender writes them where it makes paths relative there.
    obj = add_hooke(grid(), frame_end=6)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    shown = play(obj, range(1, 7))
    bake(obj, "MESH_CACHE")
    (modifier,) = (modifier for modifier in obj.modifiers if modifier.type == "MESH_CACHE")
    modifier.filepath = "//shot_hooke\\Cloth.pc2"
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    obj = bpy.data.objects["Cloth"]
    assert played_file.problem(obj) == ""
    assert same_bits(play(obj, range(1, 7)), shown)
    assert places.in_use() == {tmp_path / "shot_hooke" / "Cloth.pc2"}
    clear_bake(obj)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert not (tmp_path / "shot_hooke" / "Cloth.pc2").exists()
