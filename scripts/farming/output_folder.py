# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a wedge's results: whose it is, who works in it, and what of it is done."""

import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path

from hooke.core.file_lock import FileBusy, Lock

from . import publishing

# Beside the variants, with what is needed to make them.
ROOM = ".farm"


class NotOurs(Exception):
    """The folder cannot take the results of this wedge; the message says why and what to do."""


@contextmanager
def opened(folder, identity):
    """Have a folder for the results of a wedge to oneself.

    identity: of `Wedge.identity`. Raises NotOurs where it holds another wedge's results, or where another farm works
    in it; OSError where it cannot be written.
    """
    folder = Path(folder)
    _check(folder, identity)
    room = folder / ROOM
    room.mkdir(parents=True, exist_ok=True)
    try:
        lock = Lock(room / "farm")
    except FileBusy:
        raise NotOurs(
            f"another farm is at work in {folder}: wait for it, or choose another --output"
        ) from None
    try:
        _check(folder, identity)
        write_whole(room / "wedge.json", json.dumps(identity, indent=2) + "\n")
        yield room
    finally:
        lock.release()


def check_free(folder):
    """Raise NotOurs where a folder is a file, or holds what is of no farm; OSError where it cannot be read."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise NotOurs(f"{folder} is a file: give a folder as --output")
    if folder.is_dir() and wedge_of(folder) is None and any(path.name != ROOM for path in folder.iterdir()):
        raise NotOurs(f"{folder} holds files that are no results of a farm: give an empty folder as --output")


def _check(folder, identity):
    check_free(folder)
    known = wedge_of(folder)
    if known not in (None, identity):
        names = ", ".join(f"{name}={','.join(values[:6])}" for name, values in known["axes"]) or "no wedge"
        raise NotOurs(
            f"{folder} has the results of another wedge ({names}): choose another --output or remove it"
        )


def wedge_of(folder):
    """The identity of the wedge whose results a folder holds, or None."""
    try:
        found = json.loads((Path(folder) / ROOM / "wedge.json").read_text(encoding="utf-8"))
        named = all(isinstance(name, str) and isinstance(values, list) for name, values in found["axes"])
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return found if named else None


def record(folder, variant):
    """The record of a variant as it is in the folder, of whichever attempt is there, or {}.

    What is done counts only if it was made from the same inputs.
    """
    found = publishing.record_of(Path(folder, variant.name))
    return found if found.get("key") == variant.key else {}


def sweep(folder):
    """Remove what attempts that were killed left beside the variants; none is at work now."""
    for path in Path(folder).glob(".*.*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)


def write_whole(path, text):
    """Write a text file that others may read at any time: it is there whole, or as before. Raises OSError."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
