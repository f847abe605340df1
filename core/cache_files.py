# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a cache: their names, owner and lock, and the messages of failures."""

import contextlib
import os

from . import checkpoint, held_files, pc2
from .file_lock import FileBusy, Lock
from .frames import CacheError
from .regular_file import RegularFile
from .sidecar import belongs_to

_REMEDIES = {"written": "choose another folder", "read": "check its folder", "removed": "check its folder"}
IN_USE = "it is in use by another Blender: close it there, or save the file under another name"


class explained:
    """Turns the system's errors, and those of files that are no cache, into CacheError."""

    def __init__(self, path, done):
        self._path, self._done = path, done

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, CacheError):
            return
        failure = f"the cache {self._path} cannot be {self._done}"
        if isinstance(error, FileBusy):
            raise CacheError(f"{failure}: {IN_USE}") from error
        if isinstance(error, OSError):
            if self._done == "written" or held_files.is_held(error):
                raise CacheError(f"{failure} {held_files.because(error, _REMEDIES[self._done])}") from error
            raise CacheError(f"{failure} ({error.strerror or error}): {_REMEDIES[self._done]}") from error
        if isinstance(error, (ValueError, MemoryError)):
            reason = "there is no memory for it" if isinstance(error, MemoryError) else error
            remedy = "; simulate again or remove it" if self._done == "read" else ""
            raise CacheError(f"{failure}: {reason}{remedy}") from error


def sidecar_of(path):
    """The file that says what a PC2 file's frames are, and whose."""
    return path.with_suffix(".jsonl")


def files_of(path):
    """All files of a cache; the one that says whose they are last, so that it outlasts the others."""
    return [*checkpoint.slots(path), path, sidecar_of(path)]


def delete(path):
    """Remove all files of a cache that are there."""
    for file in files_of(path):
        held_files.remove(file)


def lock_to_write(path):
    """The lock, or None and why the files may only be read; raises OSError where they are missing."""
    for file in (path, sidecar_of(path)):
        os.lstat(file)
    try:
        lock = Lock(path)
    except FileBusy:
        return None, IN_USE
    except (OSError, ValueError) as error:
        return None, _read_only(error)
    try:
        for file in (path, sidecar_of(path)):
            with contextlib.closing(RegularFile(file, writable=True)) as written:
                written.size()
    except (OSError, ValueError) as error:
        lock.release()
        return None, _read_only(error)
    return lock, ""


def _read_only(error):
    return (
        f"it may only be read ({getattr(error, 'strerror', None) or error}): save the file under another name"
    )


def check_owned(path, owner, *, writable):
    """Raise ValueError unless all files that are there are Hooke's, and of this owner's cache.

    writable: whether they are to be overwritten, for which they must have no other name.
    """
    proven = False
    for file in reversed(files_of(path)):
        with contextlib.closing(RegularFile(file, writable=writable)) as present:
            try:
                empty = not present.size()
            except FileNotFoundError:
                continue
            if file == sidecar_of(path):
                proven = not empty
                ours = belongs_to(present, owner)
            elif file == path:
                begin = present.read(0, len(pc2.MAGIC))
                ours = pc2.MAGIC.startswith(begin) and (proven or empty)
            else:
                ours = checkpoint.is_ours(present) and (proven or empty)
            if not ours:
                raise ValueError(f"{file.name} is not Hooke's, or of another object: move it away")
