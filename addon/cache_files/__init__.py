# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames of an object on disk: that every object has files of its own, which follow it through copies and saves.

The claims of a .blend are checked: an id that Hooke could not have made leads nowhere, a folder that leads elsewhere is
refused, and files are written or removed only if they say that they are Hooke's, with this id.
"""

import shutil
from pathlib import Path
from typing import Any

import bpy

from ...core import cache
from ...core.cache import CacheError, DiskFrames, MemoryFrames
from ...core.file_names import folded
from .. import preferences
from ..console import warn
from .places import SPARE, folder, is_free, is_id, new_id


def memory():
    """Empty frames in memory, with the limit of the preferences."""
    return MemoryFrames(preferences.memory_limit())


def path_of(obj, spare=False):
    """PC2 file of the object's cache, or None where it is kept in memory or has no place.

    spare, here and below: of the cache beside it, for frames that must not replace those that are there.
    """
    try:
        return _place(obj, spare)
    except CacheError:
        return None


def _owner(obj, spare):
    return obj.hooke.cache_id + SPARE * spare


def _place(obj, spare):
    """As `path_of`, but raises CacheError where there is no place that can be trusted."""
    place = folder() if is_id(obj.hooke.cache_id) else None
    return None if place is None else place / f"{_owner(obj, spare)}.pc2"


def made_from(obj, spare=False):
    """The inputs of the object's cache on disk, as given to `create`, or None without a cache."""
    path = path_of(obj, spare)
    return None if path is None else cache.read_inputs(path, owner=_owner(obj, spare))


def count(obj, spare=False):
    """Number of frames of the object that are on disk."""
    path = path_of(obj, spare)
    return 0 if path is None else cache.frame_count(path)


def open_frames(obj, spare=False):
    """The DiskFrames of the object; raises CacheError where they cannot be read."""
    path = _place(obj, spare)
    if path is None:
        raise CacheError(
            f"the frames of '{obj.name}' are kept in memory: choose a cache on disk in Hooke's preferences"
        )
    return DiskFrames.open(path, vertex_count=len(obj.data.vertices), owner=_owner(obj, spare))


def create(obj, vertex_count, inputs, spare=False):
    """Empty frames for an object, and "" or why they are in memory and not on disk."""
    mend_id(obj)
    try:
        path = _place(obj, spare)
        if path is None:
            return memory(), ""
        start, owner = obj.hooke.frame_start, _owner(obj, spare)
        return DiskFrames.create(path, vertex_count, start, inputs, owner=owner), ""
    except CacheError as error:
        return memory(), str(error)


def bound(frames):
    """Let frames in memory, or the part of them that is, take as much as the preferences allow now."""
    in_memory = getattr(frames, "more", frames)
    if isinstance(in_memory, MemoryFrames):
        in_memory.limit = preferences.memory_limit()


def mend_id(obj):
    """Give the object another id if its id is not one of Hooke, or names files of another object."""
    given = obj.hooke.cache_id
    if given and obj.library is None and not (is_id(given) and is_free(given)):
        obj.hooke.cache_id = new_id(obj)


def part_copies(sessions):
    """Give files of their own to objects of the open file that came with the name of another's: as duplicates, with a
    copied scene, or from another file.

    sessions: dict of session_uid -> Session. Of several with one name, one that is simulated already keeps it.
    """
    objects: Any = bpy.data.objects
    owners: dict = {}
    for obj in objects:
        if obj.type == "MESH" and obj.hooke.cache_id:
            owners.setdefault(folded(obj.hooke.cache_id), []).append(obj)
    for alike in owners.values():
        if len(alike) > 1:
            _part(sorted(alike, key=lambda obj: _seniority(obj, sessions)), sessions)


def _seniority(obj, sessions):
    """The reason why an object keeps its files: a linked one would ask for others whenever it is opened."""
    return obj.session_uid not in sessions, obj.library is None, obj.session_uid


def _part(objects, sessions):
    """Let the first of some objects keep its files, and give the others copies of those that they have the name of."""
    keeper = objects[0]
    for obj in objects[1:]:
        source, owner = path_of(obj), obj.hooke.cache_id
        obj.hooke.cache_id = new_id(obj, unused=True)
        if source is not None:
            running = sessions.get(keeper.session_uid) if owner == keeper.hooke.cache_id else None
            _copy(source, owner, obj, running)


def _copy(source, owner, obj, running):
    """Copy a cache that a running session has open, or that lies on disk; returns whether there was one."""
    frames = running.disk_frames() if running is not None else None
    target, opened = path_of(obj), None
    try:
        if target is None or (frames is None and not source.is_file()):
            return False
        if frames is None:
            frames = opened = DiskFrames.open(source, owner=owner)
        frames.copy(target, owner=obj.hooke.cache_id).close()
    except CacheError as error:
        warn(f"hooke: the copy begins without cached frames: {error}")
        return False
    finally:
        if opened is not None:
            opened.close()
    return True


def follow_saved_file(objects, sessions, before):
    """After saving under another name, let the caches be where the saved file looks for them.

    before: folder of the caches before saving. The file saved from keeps its own.
    """
    try:
        now = folder()
    except CacheError:
        return
    if now is None or before is None or now == before:
        return
    for obj in objects:
        owner = obj.hooke.cache_id
        if not is_id(owner):
            continue
        running = sessions.get(obj.session_uid)
        source = before / f"{owner}.pc2"
        if _copy(source, owner, obj, running) and running is not None and running.disk_frames() is not None:
            running.take.move_to(open_frames(obj))
        if before.is_relative_to(bpy.app.tempdir):
            _remove(source, owner)


def remove(obj, spare=False):
    """Remove the files of an object's cache, which no session may have open."""
    path = path_of(obj, spare)
    if path is None:
        return
    _remove(path, _owner(obj, spare))
    for emptied in (path.parent, path.parent.parent):
        if emptied.is_dir() and not any(emptied.iterdir()):
            emptied.rmdir()


def _remove(path, owner):
    try:
        cache.remove(path, owner=owner)
    except CacheError as error:
        warn(f"hooke: {error}")


def exists(obj):
    """Whether frames of the object are on disk."""
    return made_from(obj) is not None


def delete_all(in_use):
    """Remove every cache from the user folder but the PC2 files in use; returns the bytes freed."""
    users = preferences.user_folder("cache")
    freed = 0
    for path in sorted(users.glob("*/*.pc2")) if users is not None else ():
        if path in in_use or path.parent.is_symlink():
            continue
        size = sum(file.lstat().st_size for file in path.parent.glob(f"{path.stem}.*"))
        try:
            freed += size if cache.remove(path) else 0
        except CacheError as error:
            warn(f"hooke: {error}")
    return freed


def forget_unsaved():
    """Remove the caches of a file that was never saved: the next one begins without any."""
    shutil.rmtree(Path(bpy.app.tempdir) / "hooke", ignore_errors=True)
