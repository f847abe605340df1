# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that a command may overwrite: an existing file is replaced by its own kind alone, and no two files are one.

1. A path is written where nothing is, or where a regular file of the kind that is written is; never through a link,
   and no device, FIFO or folder.
2. No two of the files that a command reads and writes are one, whatever they are called: spelling, links and second
   names on the disk are resolved.
3. A written file appears under its name when it is complete. A second name of the file before keeps that.

`check` says so before anything is done, `put` and `write` once more where they write.
"""

import contextlib
import os
import secrets
import stat
import tempfile
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from . import held_files
from .file_kinds import Kind
from .file_names import folded, is_device
from .regular_file import open_regular

_SPECIAL = {
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
}


class Refused(ValueError):
    """A file that must not be written; the message names it, the reason and the remedy."""


class Output(NamedTuple):
    """A file that is to be written: what its path is for, as people know it, such as an option; and its Kind."""

    role: str
    path: Path
    kind: Kind


def check(outputs, others=()):
    """Raise Refused unless all Outputs can be written, and are files of their own; reads beginnings, writes nothing.

    others: (role, path) of what is read, or written by other means, and must be none of them.
    """
    for output in outputs:
        check_replaceable(output.path, output.kind)
        check_folder(output.path)
    named = [(output.role, output.path) for output in outputs]
    for (role, path), (other_role, other) in [
        *combinations(named, 2),
        *((a, b) for a in named for b in others),
    ]:
        if is_same(path, other):
            raise Refused(f"{role} and {other_role} are one file, {path}: give one of them another name")
        if is_within(other, path):
            raise Refused(f"{role} is {path}, in which {other_role} lies: give it another name")


def check_replaceable(path, kind):
    """Raise Refused where something exists at a path that is no regular file of a Kind."""
    if os.name == "nt" and is_device(path.name):
        raise Refused(f"{path} cannot be written because it is a device: give another name")
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise Refused(f"{path} cannot be written ({error.strerror}): give another name") from error
    if stat.S_ISLNK(status.st_mode):
        raise Refused(f"{path} is a link to {os.path.realpath(path)}: name that, or move the link away")
    if not stat.S_ISREG(status.st_mode):
        what = _SPECIAL.get(stat.S_IFMT(status.st_mode), "no regular file")
        raise Refused(f"{path} cannot be written because it is {what}: give the name of a file")
    if not is_of(path, kind):
        raise Refused(f"{path} exists and is not {kind.name}: give another name, or move it away")


def is_of(path, kind):
    """Whether there is a regular file at a path, which is no link, of a Kind."""
    try:
        with open_regular(path, os.O_RDONLY) as file:
            return kind.recognises(file)
    except (OSError, ValueError, RecursionError):
        return False


def check_folder(path):
    """Raise Refused unless the folder of a path exists and takes files."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise Refused(f"the folder of {path} does not exist: create it or choose another")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Refused(f"{path} cannot be written ({error.strerror}): choose another folder") from error


def make_folder(path):
    """Make a folder, with those it lies in, unless it is there; raises Refused where it cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(
            f"{path} cannot be a folder for what is written ({error.strerror}): choose another"
        ) from error


def is_same(one, other):
    """Whether two paths lead to one file; of files that are not there yet, whether they may on any system."""
    with contextlib.suppress(OSError):
        return os.path.samefile(one, other)
    there = os.path.lexists(one) or os.path.lexists(other)
    return _resolved(one, exact=there) == _resolved(other, exact=there)


def is_within(path, folder):
    """Whether a path that may not be there yet is below another."""
    exact = os.path.lexists(folder)
    below, above = _resolved(path, exact), _resolved(folder, exact)
    return below.startswith(os.path.join(above, ""))


def _resolved(path, exact):
    """Absolute path without links; not exact: `folded`."""
    resolved = os.path.realpath(path)
    return resolved if exact else folded(resolved)


def put(made, path, kind):
    """Let a file that is whole have its name, in place of one of its Kind; raises Refused, OSError."""
    check_replaceable(path, kind)
    held_files.replace(made, path)


def write(path, content, kind):
    """Write a file of bytes whole, in place of one of its Kind; raises Refused, OSError, and leaves what was there."""
    made = partial(path)
    try:
        made.write_bytes(content)
        put(made, path, kind)
    finally:
        held_files.remove(made)


def partial(path):
    """An unused path beside another, with its ending: for a file that is to be `put` there."""
    return path.with_name(f".{secrets.token_hex(4)}.partial{path.suffix}")
