# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the files of Mesh Cache bakes lie, and when they go.

A bake of NAME.blend lies in NAME_hooke/ beside it, that of an unsaved file in a folder of Hooke's until the file is
saved; caches of simulated frames, which come and go, have folders of their own. Clear Bake deletes nothing, since undo
brings the bake back: a file goes when the .blend is closed, if it was cleared, lies in one of these folders, and
neither the open scene nor the .blend on disk refers to it.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import bpy

from .. import preferences
from ..mesh_io import MeshError

# What a property that takes "//" paths must say since Blender 4.5 and cannot say before.
RELATIVE_PATHS: set[str] = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5) else set()

# Files whose bakes were cleared since the .blend was opened, and those the .blend on disk refers to.
_released: set[Path] = set()
_on_disk: set[Path] = set()


class Place(NamedTuple):
    """Absolute path of a cache file to write, and what to say about it."""

    path: Path
    warnings: tuple[str, ...] = ()


def place(obj, filepath="", blend=""):
    """Place for an object's cache file.

    filepath: the file itself where the artist names one, else "". blend: file that the bake will be saved into, ""
    for the open one. Raises MeshError for a file that exists and is not from this object's own last bake.
    """
    if filepath:
        return Place(_named(obj, _absolute(filepath)))
    name = _name(obj)
    blend = blend or bpy.data.filepath
    if blend:
        return Place(_free(_folder(Path(blend)), name))
    warning = (
        f"the cache of '{obj.name}' lies in a temporary folder until the file is saved: save it, and the cache moves "
        "beside it"
    )
    return Place(_free(_temporary_folder(), name), (warning,))


def stored(path):
    """The path as the modifier keeps it: relative where a file is open, else absolute."""
    if not bpy.data.filepath:
        return str(path)
    try:
        return bpy.path.relpath(str(path))
    except ValueError:
        # Another drive on Windows.
        return str(path)


def release(filepath):
    """Let go of the file of a bake that is cleared; `discard_released` deletes it when nothing can bring it back."""
    _released.add(_absolute(filepath))


def discard_released():
    """Delete released files in Hooke's folders that neither the open scene nor the .blend on disk refers to."""
    folders = {_temporary_folder()}
    if bpy.data.filepath:
        folders.add(_folder(Path(bpy.data.filepath)))
    for path in _released - _on_disk - _in_use():
        if path.parent in folders:
            _remove(path)
    _released.clear()


def before_save(filepath):
    """Copy temporary caches beside the file that is about to be saved, and play them from there."""
    if not filepath:
        return
    for obj, modifier in _players():
        path = _absolute(modifier.filepath)
        if path.parent != _temporary_folder() or not path.is_file():
            continue
        try:
            target = _free(_folder(Path(filepath)), _name(obj))
            _copy(path, target)
        except OSError as error:
            print(
                f"hooke: the cache {path} cannot be copied beside {filepath} ({error.strerror}): it stays where it is",
                file=sys.stderr,
            )
            continue
        # Blender makes absolute paths relative where the file is saved for the first time, as it does for all.
        modifier.filepath = str(target)
        _released.add(path)


def after_save(filepath):
    """Know which caches the .blend on disk refers to; copies saved elsewhere do not count."""
    if filepath and bpy.data.filepath and Path(filepath) == Path(bpy.data.filepath):
        after_load()


def after_load():
    """Know which caches the .blend on disk refers to."""
    _on_disk.clear()
    _on_disk.update(_in_use())


def saved(filepath):
    """Tidy up after a .blend was saved by renaming: caches it no longer refers to go, where they are its own."""
    if bpy.data.filepath and Path(filepath) == Path(bpy.data.filepath):
        after_load()
        discard_released()


def withdraw(filepath):
    """Remove a cache that was just written, where no .blend on disk refers to it."""
    if filepath and _absolute(filepath) not in _on_disk:
        _remove(_absolute(filepath))


def _remove(path):
    """Remove a cache, and the folder beside the .blend if nothing else is in it."""
    path.unlink(missing_ok=True)
    folder = path.parent
    if folder.name.endswith("_hooke") and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _named(obj, path):
    if path.is_dir():
        raise MeshError(f"{path} is a folder: give the name of a cache file")
    if not path.parent.is_dir():
        raise MeshError(f"the folder of {path} does not exist: create it or choose another")
    path = path if path.suffix else path.with_suffix(".pc2")
    if path in _in_use():
        raise MeshError(f"{path} is played by another object or bake already: choose another cache file")
    last = obj.hooke.bake.cache_file
    if path.exists() and not (last and _absolute(last) == path):
        raise MeshError(
            f"{path} exists and is not from a bake of '{obj.name}': choose another cache file or remove it"
        )
    return path


def _free(folder, name):
    """A path in the folder that neither exists nor is played by a modifier of the open file."""
    taken, number = _in_use(), 0
    while True:
        path = folder / (f"{name}.{number:03d}.pc2" if number else f"{name}.pc2")
        if not path.exists() and path not in taken:
            return path
        number += 1


def _folder(blend):
    return blend.absolute().parent / f"{blend.stem}_hooke"


def _temporary_folder():
    """A folder of Hooke's: the extension's own, or where Hooke is no extension that of this run of Blender."""
    users = preferences.user_folder("bakes")
    return users if users is not None else Path(bpy.app.tempdir) / "hooke_bakes"


def _name(obj):
    return bpy.path.clean_name(obj.name) or "Object"


def _players():
    """Generator of the objects of the open file that play a file, each with the modifier that does."""
    for obj in bpy.data.objects:
        modifiers: Any = obj.modifiers
        for modifier in modifiers:
            if modifier.type == "MESH_CACHE" and modifier.filepath:
                yield obj, modifier


def _in_use():
    return {_absolute(modifier.filepath) for _, modifier in _players()}


def _absolute(filepath):
    return Path(os.path.normpath(bpy.path.abspath(filepath)))


def _copy(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.partial")
    try:
        shutil.copyfile(path, partial)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)
