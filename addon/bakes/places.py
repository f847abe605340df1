# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the files of bakes lie, and which of them are Hooke's own to replace and delete.

A bake of NAME.blend lies in NAME_hooke/ beside it, that of an unsaved file in a folder of Hooke's until the file is
saved. Paths come from files that others may have written. So Hooke deletes a file only in one of these folders, behind
no link, with a sidecar that names the same bake, and with the content that the bake wrote, by a checksum.
"""

import hashlib
import os
import stat
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import bpy

from ...core import output_files
from ...core.cache_files import files_of
from ...core.file_names import folded, is_device
from ...core.pc2 import PC2
from .. import preferences
from ..mesh_io import MeshError
from . import file_ownership

# Properties that take "//" paths need this option from Blender 4.5 on; older ones refuse it.
RELATIVE_PATHS: set[str] = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5) else set()

_SUFFIX = "_hooke"
# In bytes: what file systems take as a name, what of it is left for numbers and endings, what Blender takes as a path.
_LONGEST_NAME, _ENDINGS, _LONGEST_PATH = 255, 32, 1023

# Bytes and number of the samples by which a file is known again.
_SAMPLE, _SAMPLES = 1 << 16, 32


class Place(NamedTuple):
    """Absolute path of a cache file to write, and what to say about it."""

    path: Path
    warnings: tuple[str, ...] = ()


def place(obj, filepath="", blend=""):
    """Place for an object's cache file.

    filepath: the file itself where the artist names one, else "". blend: file that the bake will be saved into, ""
    for the open one. Raises MeshError for a file that exists and is not from this object's own last bake, for a folder
    that is a link, and for a path that is too long.
    """
    blend = blend or bpy.data.filepath
    warnings: tuple[str, ...] = ()
    if filepath:
        path = _named(obj, absolute(filepath))
    elif blend:
        path = free(folder_of(blend), obj)
    else:
        path = free(temporary_folder(), obj)
        warnings = (
            f"the cache of '{obj.name}' lies in a temporary folder until the file is saved: save it, and the cache "
            "moves beside it",
        )
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise MeshError(
            f"the path of the cache of '{obj.name}' is longer than the {_LONGEST_PATH} bytes that Blender reads: give "
            "the .blend file or its folders a shorter name"
        )
    return Place(path, warnings)


def free(folder, obj):
    """A path in a folder of Hooke's for the object that neither exists nor is played by a modifier of the open file.

    On any system: see `folded`. Raises MeshError where the folder is a link.
    """
    if is_link(folder):
        raise MeshError(
            f"{folder} is a link, which Hooke does not follow: put a folder in its place, or choose a cache file"
        )
    name = file_name(obj.name)
    taken, number = {folded(str(path)) for path in in_use()}, 0
    if folder.is_dir():
        taken.update(folded(str(path)) for path in folder.iterdir())
    while True:
        path = folder / (f"{name}.{number:03d}.pc2" if number else f"{name}.pc2")
        if not any(folded(str(file)) in taken for file in files_of(path)):
            return path
        number += 1


def file_name(name):
    """Name of a file of an object of this name, without its ending, valid on any system."""
    cleaned = bpy.path.clean_name(name) or "Object"
    return shortened(f"_{cleaned}" if is_device(cleaned) else cleaned, _LONGEST_NAME - _ENDINGS)


def stored(path):
    """The path as the modifier keeps it: relative where a file is open, written alike everywhere, else absolute."""
    if not bpy.data.filepath:
        return str(path)
    try:
        return "//" + type(path)(bpy.path.relpath(str(path)).removeprefix("//")).as_posix()
    except ValueError:
        # Another drive on Windows.
        return str(path)


def folder_of(blend):
    """Folder of the bakes of a .blend file."""
    path = Path(os.path.abspath(blend))
    name = preferences.name_beside(path)
    return path.with_name(f"{shortened(name, _LONGEST_NAME - len(_SUFFIX))}{_SUFFIX}")


def temporary_folder():
    """A folder of Hooke's: the extension's own, or where Hooke is no extension that of this run of Blender."""
    users = preferences.user_folder("bakes")
    return users if users is not None else Path(bpy.app.tempdir) / "hooke_bakes"


def shortened(name, limit):
    """A file name of at most so many bytes; what is cut off counts by its checksum."""
    encoded = os.fsencode(name)
    if len(encoded) <= limit:
        return name
    return f"{encoded[: limit - 9].decode(errors='ignore')}-{zlib.crc32(encoded):08x}"


def is_own(folder, *blends):
    """Whether a folder is one of Hooke's and no link: that for unsaved files, or that of a .blend file."""
    return folder in {temporary_folder(), *(folder_of(blend) for blend in blends if blend)} and not is_link(
        folder
    )


def is_ours(path, owner, digest, *blends):
    """Whether a file lies in a folder of Hooke's and is an owner's bake with this checksum; blends: as of `is_own`."""
    return is_own(path.parent, *blends) and file_ownership.are_of(path, owner, digest) and holds(path, digest)


def holds(path, digest):
    """Whether there is a file, which is no link, whose content has this checksum; "" is that of none."""
    return bool(digest) and not is_link(path) and path.is_file() and content_digest(path) == digest


def content_digest(path):
    """Checksum of a file's size and of samples all over its content, as a string; "" for one that cannot be read.

    Small files are read whole, large ones in the same time: others may have made them as large as they like.
    """
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            read = hashlib.blake2b(size.to_bytes(8, "little"), digest_size=16)
            last = max(0, size - _SAMPLE)
            for number in range(_SAMPLES):
                file.seek(last * number // (_SAMPLES - 1))
                read.update(file.read(_SAMPLE))
    except OSError:
        return ""
    return read.hexdigest()


def is_link(path):
    """Whether a path is a symbolic link or one of Windows' junctions, wherever it leads."""
    try:
        status: Any = os.lstat(path)
    except OSError:
        return False
    junction = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)
    return stat.S_ISLNK(status.st_mode) or (junction is not None and status.st_reparse_tag == junction)


def remove_if_empty(folder):
    """Remove a folder of Hooke's beside a .blend if nothing is in it."""
    if (
        folder.name.endswith(_SUFFIX)
        and not is_link(folder)
        and folder.is_dir()
        and not any(folder.iterdir())
    ):
        folder.rmdir()


def players():
    """Generator of the objects of the open file that play a file, each with the modifier that does."""
    for obj in bpy.data.objects:
        modifiers: Any = obj.modifiers
        for modifier in modifiers:
            if modifier.type == "MESH_CACHE" and modifier.filepath:
                yield obj, modifier


def in_use():
    """Absolute paths of the files that modifiers of the open file play, a set."""
    return {absolute(modifier.filepath, obj.library) for obj, modifier in players()}


def absolute(filepath, library=None):
    """Absolute path of what a property holds; library: the one that its owner is linked from."""
    return Path(os.path.normpath(bpy.path.abspath(filepath, library=library)))


def with_ending(path):
    """The path of a cache file that was named, perhaps without its ending."""
    return path if path.suffix else path.with_suffix(".pc2")


def _named(obj, path):
    if path.is_dir():
        raise MeshError(f"{path} is a folder: give the name of a cache file")
    if not path.parent.is_dir():
        raise MeshError(f"the folder of {path} does not exist: create it or choose another")
    path = with_ending(path)
    if folded(str(path)) in {folded(str(played)) for played in in_use()}:
        raise MeshError(f"{path} is played by another object or bake already: choose another cache file")
    record = obj.hooke.bake
    own = record.cache_file and absolute(record.cache_file) == path and holds(path, record.cache_digest)
    if os.path.lexists(path) and not (own and output_files.is_of(path, PC2)):
        raise MeshError(
            f"{path} exists and is not from a bake of '{obj.name}': choose another cache file or remove it"
        )
    return path
