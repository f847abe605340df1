# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty Blender with the extension registered, for every test."""

import sys

import bpy
import pytest

import hooke
from hooke.addon import cli

from .pairs import sheets
from .scenes import grid, swing
from .script import said


def pytest_itemcollected(item):
    """Show Blender's announcements of removals, and do not raise them.

    Blender warns while it reads a property and takes no notice of an exception there: types that are being
    registered stay half registered, and the process may crash later.
    """
    announcement = "default:.*expected to be removed in Blender:DeprecationWarning"
    item.add_marker(pytest.mark.filterwarnings(announcement))


@pytest.fixture(scope="session", autouse=True)
def empty_file(tmp_path_factory):
    """Where an empty file is kept; preferences and add-ons are as Blender comes, and tests change neither.

    Reading it takes two thirds of the time of emptying Blender's own.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    path = tmp_path_factory.mktemp("empty") / "empty.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    return str(path)


@pytest.fixture(autouse=True)
def blender(monkeypatch, empty_file):
    """An empty file, Hooke registered; after the test unregistered, and no handler may have raised.

    Blender prints an exception that leaves a handler through sys.excepthook and goes on, so that a test
    would not notice it.
    """
    raised = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: raised.append(error))
    bpy.ops.wm.read_homefile(filepath=empty_file)
    hooke.register()
    yield
    hooke.unregister()
    assert not raised


@pytest.fixture
def scene():
    """The scene, with a range short enough to simulate in every test."""
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 12
    return bpy.context.scene


@pytest.fixture
def pair(scene):
    """The free sheet and the one below it that collide with each other, not yet simulated."""
    return sheets(effort="DRAFT")


@pytest.fixture
def command_line(scene, tmp_path, capfd):
    """Run the command on the scene saved as a file; returns exit status, stderr's lines, and whether the file
    is as it was."""

    def run(*arguments):
        file = tmp_path / "scene.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(file))
        before, entries = file.read_bytes(), sorted(path.name for path in tmp_path.iterdir())
        capfd.readouterr()
        exit_status = cli.main(["bake", *map(str, arguments)])
        unchanged = file.read_bytes() == before and sorted(p.name for p in tmp_path.iterdir()) == entries
        return exit_status, said(capfd.readouterr().err).splitlines(), unchanged

    return run


@pytest.fixture
def folder(tmp_path):
    """The test's own folder, empty."""
    return tmp_path


@pytest.fixture
def file(scene, folder):
    """A file with a swinging sheet that Hooke has not seen yet."""
    swing(grid())
    path = folder / "cloth.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path
