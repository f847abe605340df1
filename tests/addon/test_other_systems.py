# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths as Windows takes them, by Python's own Windows paths: nothing here has run there."""

import ntpath
from pathlib import PurePosixPath, PureWindowsPath

import bpy
import pytest

from hooke.addon.bakes import places

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


def test_a_cache_on_another_drive_is_stored_absolute(scene, tmp_path, monkeypatch):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    # As Blender's own function does it there, by Python's.
    monkeypatch.setattr(
        bpy.path, "relpath", lambda path: "//" + ntpath.relpath(path, "C:\\shots").replace("\\", "/")
    )
    assert places.stored(PureWindowsPath("C:\\shots\\shot_hooke\\Cloth.pc2")) == "//shot_hooke/Cloth.pc2"
    assert places.stored(PureWindowsPath("D:\\caches\\Cloth.pc2")) == "D:\\caches\\Cloth.pc2"
