# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the frames of an object are cached, and that every object has a place of its own.

An object keeps the name of its files in `cache_id`, so that renaming it loses nothing. The folder belongs to the
.blend file: beside it, or in the extension's user folder, as the preferences say.
"""

import re
import shutil
import zlib
from pathlib import Path
from typing import Any

import bpy

from ..core import cache
from ..core.cache import CacheError, DiskFrames, MemoryFrames
from . import preferences


def folder(blend_path=None):
    """Folder of the caches of a .blend file, by default the open one, or None to cache in memory.

    A file that was never saved has one in Blender's temporary folder, which ends with the session.
    """
    blend_path = bpy.data.filepath if blend_path is None else blend_path
    place = preferences.cache_place()
    if place == "MEMORY":
        return None
    if not blend_path:
        return Path(bpy.app.tempdir) / "hooke"
    path = Path(blend_path).absolute()
    users = preferences.user_folder("cache") if place == "USER" else None
    if users is not None:
        return users / f"{path.stem}-{zlib.crc32(str(path).encode()):08x}"
    # Bakes lie in the folder around it.
    return path.with_name(f"{path.stem}_hooke") / "cache"


def path_of(obj):
    """PC2 file of the object's cache, or None where it is kept in memory."""
    place = folder() if obj.hooke.cache_id else None
    return None if place is None else place / f"{obj.hooke.cache_id}.pc2"


def create(obj, vertex_count, inputs):
    """Empty frames for an object, and "" or why they are in memory and not on disk."""
    path, limit = path_of(obj), preferences.memory_limit()
    if path is None:
        return MemoryFrames(limit), ""
    try:
        return DiskFrames.create(path, vertex_count, obj.hooke.frame_start, inputs), ""
    except CacheError as error:
        return MemoryFrames(limit), str(error)


def bound(frames):
    """Let frames in memory take as much as the preferences allow now."""
    if isinstance(frames, MemoryFrames):
        frames.limit = preferences.memory_limit()


def new_id(obj):
    """A name for the object's files that no other object's have."""
    others: Any = bpy.data.objects
    taken = {other.hooke.cache_id for other in others if other != obj}
    name = re.sub(r"[^\w.-]", "_", obj.name)
    number = 1
    while (candidate := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return candidate


def part_copies(objects, sessions):
    """Give files of their own to objects that were copied with the name of their original's.

    objects: simulated objects; sessions: dict of session_uid -> Session, whose objects are originals.
    """
    owners = {}
    for obj in sorted(objects, key=lambda obj: (obj.session_uid not in sessions, obj.session_uid)):
        shared = obj.hooke.cache_id
        if not shared:
            continue
        if shared not in owners:
            owners[shared] = obj
            continue
        source = path_of(obj)
        obj.hooke.cache_id = new_id(obj)
        if source is not None:
            _copy(source, path_of(obj), sessions.get(owners[shared].session_uid))


def _copy(source, target, running):
    """Copy a cache that a running session has open, or that lies on disk; without one there is nothing to copy."""
    frames = running.disk_frames() if running is not None else None
    try:
        if frames is not None:
            frames.copy(target).close()
        elif source.is_file():
            frames = DiskFrames.open(source)
            frames.copy(target).close()
            frames.close()
    except CacheError as error:
        print(f"hooke: the copy begins without cached frames: {error}", flush=True)


def follow_saved_file(objects, sessions, before):
    """After saving under another name, let the caches be where the saved file looks for them.

    before: folder of the caches before saving. The file saved from keeps its own.
    """
    now = folder()
    if now is None or before is None or now == before:
        return
    for obj in objects:
        if not obj.hooke.cache_id:
            continue
        running = sessions.get(obj.session_uid)
        source, target = before / f"{obj.hooke.cache_id}.pc2", path_of(obj)
        _copy(source, target, running)
        if running is not None and running.disk_frames() is not None:
            running.take.move_to(DiskFrames.open(target))
        if before.is_relative_to(bpy.app.tempdir):
            cache.remove(source)


def remove(obj):
    """Remove the files of an object's cache, which no session may have open."""
    path = path_of(obj)
    if path is None:
        return
    cache.remove(path)
    for emptied in (path.parent, path.parent.parent):
        if emptied.is_dir() and not any(emptied.iterdir()):
            emptied.rmdir()


def exists(obj):
    """Whether frames of the object are on disk."""
    path = path_of(obj)
    return path is not None and path.is_file()


def delete_all(in_use):
    """Remove every cache from the user folder but the PC2 files in use; returns the bytes freed."""
    users = preferences.user_folder("cache")
    freed = 0
    for path in sorted(users.glob("*/*.pc2")) if users is not None else ():
        if path not in in_use:
            freed += sum(file.stat().st_size for file in path.parent.glob(f"{path.stem}.*"))
            cache.remove(path)
    return freed


def forget_unsaved():
    """Remove the caches of a file that was never saved: the next one begins without any."""
    shutil.rmtree(Path(bpy.app.tempdir) / "hooke", ignore_errors=True)
