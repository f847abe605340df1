# SPDX-License-Identifier: GPL-3.0-or-later
"""When the files of bakes are moved and deleted.

Clear Bake deletes nothing, since undo brings the bake back: a file goes when the .blend is closed, if it was cleared,
is Hooke's own (see `places`), and neither the open scene nor the .blend on disk refers to it. Caches of simulated
frames, which come and go, have folders of their own.
"""

import secrets
import shutil
from pathlib import Path

import bpy

from ...core import held_files, output_files
from ...core.cache import CacheError, write_pc2
from ...core.file_names import folded
from ..console import warn
from ..mesh_io import MeshError
from . import file_ownership, places

PLAYER = "Hooke Cache"

# Files whose bakes were cleared since the .blend was opened, with owners and checksums; those the .blend on disk refers
# to.
_released: dict[Path, tuple[str, str]] = {}
_on_disk: set[Path] = set()

# Files that this run of Blender wrote, with owners and checksums, and folders.
_written: dict[Path, tuple[str, str]] = {}
_made: set[Path] = set()

# Files that were written over, each with where it is kept until the .blend is saved.
_aside: dict[Path, Path] = {}


class UnwrittenError(MeshError):
    """A bake that could not be written to disk; the message says why. Its frames are good to try again."""


def own_players(obj):
    """The modifiers that play the object's bake, a list: those the record names, where they can be a bake's."""
    names = [item.name for item in obj.hooke.bake.items if item.kind == "CACHE"]
    found = [obj.modifiers[name] for name in names if name.startswith(PLAYER) and name in obj.modifiers]
    return [modifier for modifier in found if modifier.type == "MESH_CACHE"]


def write(obj, path, frames, frame_start, blend=""):
    """Write an object's frames as a PC2 file, with its folder; returns the checksum of its content.

    blend: file that the bake will be saved into, "" for the open one. Raises UnwrittenError where that fails, and
    leaves file and folder as before.
    """
    owner = file_ownership.owner_of(obj) if places.is_own(path.parent, blend or bpy.data.filepath) else ""
    try:
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True)
            _made.add(path.parent)
        if path.exists():
            _aside[path] = path.with_name(f"{path.name[:40]}.{secrets.token_hex(4)}.before")
            held_files.rename(path, _aside[path])
        write_pc2(path, frames, frame_start)
        _written[path] = owner, places.content_digest(path)
        file_ownership.write(path, *_written[path], len(obj.data.vertices), frame_start)
    except (OSError, CacheError) as error:
        withdraw(path)
        # The core's sentence has the system's reason, too, but neither the object nor its remedy.
        refused = error if isinstance(error, OSError) else error.__cause__
        because = (
            held_files.because(refused, "choose another file")
            if isinstance(refused, OSError)
            else f"({error}): choose another file"
        )
        raise UnwrittenError(f"the cache of '{obj.name}' cannot be written to {path} {because}") from error
    except BaseException:
        withdraw(path)
        raise
    return _written[path][1]


def release(obj, modifier):
    """Let go of the file of a bake that is cleared; `discard_released` deletes it when nothing can bring it back."""
    _released[places.absolute(modifier.filepath)] = file_ownership.owner_of(obj), obj.hooke.bake.cache_digest


def discard_released():
    """Delete released files of Hooke's own that neither the open scene nor the .blend on disk refers to."""
    _forget_aside()
    kept = {folded(str(path)) for path in _on_disk | places.in_use()}
    for path, (owner, digest) in _released.items():
        if folded(str(path)) not in kept and places.is_ours(path, owner, digest, bpy.data.filepath):
            _delete(path, owner)
    _released.clear()


def before_save(filepath):
    """Copy temporary caches beside the file that is about to be saved, and play them from there."""
    if not filepath:
        return
    for obj in [obj for obj in bpy.data.objects if obj.type == "MESH" and obj.library is None]:
        for modifier in own_players(obj):
            path = places.absolute(modifier.filepath)
            if path.parent == places.temporary_folder() and path.is_file() and not places.is_link(path):
                _take_along(obj, modifier, path, filepath)


def _take_along(obj, modifier, path, blend):
    record = obj.hooke.bake
    try:
        target, owner, digest = (
            places.free(places.folder_of(blend), obj),
            file_ownership.owner_of(obj),
            record.cache_digest,
        )
        ours = places.is_ours(path, owner, digest)
        _copy(path, target)
        if ours:
            file_ownership.write(target, owner, digest, len(obj.data.vertices), record.frame_start)
    except (OSError, MeshError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        warn(f"hooke: the cache {path} cannot be copied beside {blend} ({reason}): it stays where it is")
        return
    _released[path] = owner, digest
    # Blender makes absolute paths relative where the file is saved for the first time, as it does for all.
    modifier.filepath = record.cache_file = str(target)


def after_save(filepath):
    """Know which caches the .blend on disk refers to; copies saved elsewhere do not count."""
    if filepath and bpy.data.filepath and Path(filepath) == Path(bpy.data.filepath):
        _forget_aside()
        after_load()


def after_load():
    """Know which caches the .blend on disk refers to."""
    _on_disk.clear()
    _on_disk.update(places.in_use())


def saved(filepath):
    """Tidy up after a .blend was saved by renaming: caches it no longer refers to go, where they are its own."""
    _forget_aside()
    if bpy.data.filepath and output_files.is_same(Path(filepath), Path(bpy.data.filepath)):
        after_load()
        discard_released()


def discard(path, owner, digest, blend):
    """Delete a cache that a .blend file played before it was saved, where it is Hooke's own and nothing plays it."""
    kept = {folded(str(played)) for played in _on_disk | places.in_use()}
    if folded(str(path)) not in kept and places.is_ours(path, owner, digest, blend):
        _delete(path, owner)


def withdraw(path):
    """Remove a cache if this run of Blender has just written it, and bring back the one it was written over."""
    owner, digest = _written.pop(path, ("", ""))
    if places.holds(path, digest):
        if file_ownership.are_of(path, owner, digest):
            file_ownership.remove(path, owner)
        else:
            held_files.remove(path)
    _bring_back(path)


def _delete(path, owner):
    """Delete a file of Hooke's, and the folder beside the .blend if nothing else is in it; says where it cannot."""
    try:
        file_ownership.remove(path, owner)
        places.remove_if_empty(path.parent)
    except (OSError, CacheError) as error:
        warn(f"hooke: a cache is not needed and cannot be deleted: {error}")


def _bring_back(path):
    """Put a file that was written over in its place again; remove the folder that this run made if nothing is in it."""
    if path in _aside:
        held_files.replace(_aside.pop(path), path)
    folder = path.parent
    if folder in _made and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _forget_aside():
    for aside in _aside.values():
        held_files.remove(aside)
    _aside.clear()


def _copy(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = output_files.partial(target)
    try:
        with open(path, "rb") as source, open(partial, "xb") as copy:
            shutil.copyfileobj(source, copy)
        held_files.replace(partial, target)
    finally:
        held_files.remove(partial)
        places.remove_if_empty(target.parent)
