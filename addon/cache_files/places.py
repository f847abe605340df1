# SPDX-License-Identifier: GPL-3.0-or-later
"""Where caches of simulated frames lie, and what the files of an object are called.

An object keeps the name of its files in `cache_id`, so that renaming it loses nothing. The folder belongs to the
.blend file: beside it, or in the extension's user folder, as the preferences say.
"""

import os
import re
import zlib
from pathlib import Path
from typing import Any

import bpy

from ...core import cache
from ...core.cache import CacheError
from ...core.cache_files import files_of
from ...core.file_names import folded, is_device
from .. import preferences

# Ends the name of the files of a bake beside frames that someone else keeps.
SPARE = ".bake"

# A file name on every system, with room for the ending.
_ID = re.compile(r"[\w-]([\w.-]*[\w-])?")
_LONGEST_ID = 200


def folder(blend_path=None):
    """Folder of the caches of a .blend file, by default the open one, or None to cache in memory.

    A file that was never saved has one in Blender's temporary folder, which ends with the session. The environment
    variable HOOKE_CACHE names another folder than the preferences, for bakes of one file side by side.
    Raises CacheError where a link puts another folder in its place.
    """
    blend_path = bpy.data.filepath if blend_path is None else blend_path
    named = os.environ.get("HOOKE_CACHE")
    place = "NAMED" if named else preferences.cache_place()
    if place == "MEMORY":
        return None
    if not blend_path:
        return _without_links(Path(bpy.app.tempdir), "hooke")
    path = Path(blend_path).absolute()
    users = Path(named).absolute() if named else None
    if place == "USER":
        users = preferences.user_folder("cache")
    if users is not None:
        return _without_links(users, f"{_shortened(path.stem, 150)}-{zlib.crc32(str(path).encode()):08x}")
    return _without_links(path.parent, f"{preferences.name_beside(path)}_hooke", "cache")


def _without_links(base, *names):
    """A folder in a folder that is trusted; raises CacheError if it is really somewhere else."""
    inside = base.joinpath(*names)
    if os.path.realpath(inside) != os.path.join(os.path.realpath(base), *names):
        raise CacheError(
            f"the cache folder {inside} is a link to {os.path.realpath(inside)}, where Hooke does not write: put a "
            "folder in its place"
        )
    return inside


def is_id(text):
    """Whether a text can be the name of an object's files."""
    return (
        _ID.fullmatch(text) is not None
        and not is_device(text)
        and not folded(text).endswith(SPARE)
        and len(text.encode()) <= _LONGEST_ID
    )


def new_id(obj, unused=False):
    """A name for the object's files that no other object and no other file in the folder has, on any system.

    unused: nor an object of that name that was there before.
    """
    others: Any = bpy.data.objects
    taken = {folded(other.hooke.cache_id) for other in others if other != obj}
    name = _shortened(re.sub(r"[^\w-]", "_", obj.name), _LONGEST_ID - 10) or "Object"
    name = f"_{name}" if is_device(name) else name
    number = 1
    while (candidate := name if number == 1 else f"{name}-{number}") and (
        folded(candidate) in taken or not is_free(candidate, unused)
    ):
        number += 1
    return candidate


def is_free(candidate, unused=False):
    """Whether the files of an id are missing or, unless it is to be an unused one, Hooke's with this id."""
    try:
        place = folder()
    except CacheError:
        return True
    if place is None or not place.is_dir():
        return True
    own = {folded(file.name) for file in files_of(place / f"{candidate}.pc2")}
    # A disk that compares other letters than it keeps has them under a name that is spelled otherwise.
    stems = {file.stem for file in place.iterdir() if folded(file.name) in own}
    return not stems or (
        not unused
        and all(cache.read_inputs(place / f"{stem}.pc2", owner=candidate) is not None for stem in stems)
    )


def _shortened(text, most):
    """A text of at most so many bytes."""
    return text.encode()[:most].decode(errors="ignore")
