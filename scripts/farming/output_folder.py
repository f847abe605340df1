# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a wedge's results: whose it is, who works in it, and what of it is done."""

import json
import re
import shutil
from contextlib import contextmanager
from pathlib import Path

from hooke.core import output_files
from hooke.core.file_kinds import PNG, Kind, beginning
from hooke.core.file_lock import FileBusy, Lock

from . import publishing

# Beside the variants, with what is needed to make them.
ROOM = ".farm"


def _wedge(file):
    return {"files", "objects", "axes", "common"} <= json.load(file).keys()


def _table(file):
    rows = json.load(file)
    return isinstance(rows, list) and all({"number", "settings", "status"} <= row.keys() for row in rows)


def _json(name, recognises):
    """A Kind of JSON files; what is of another structure is none."""

    def of_structure(file):
        try:
            return recognises(file)
        except (TypeError, AttributeError):
            return False

    return Kind(name, of_structure)


WEDGE, TABLE_JSON = _json("the wedge of a farm", _wedge), _json("the table of a farm", _table)
TABLE_CSV = beginning("the table of a farm", b"number,file,object,")
# What is written into the folder itself, beside variants and further pages of the contact sheet.
_WRITTEN = {
    f"{ROOM}/wedge.json": WEDGE,
    "table.json": TABLE_JSON,
    "table.csv": TABLE_CSV,
    "contact_sheet.png": PNG,
}
# Folders of attempts, see `publishing`: of those at work, and of what was replaced.
_LEFT = re.compile(r"\.\d+(_.*)?\.[0-9a-f]{8}|\.[0-9a-f]{8}\.replaced")


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
        write_whole(room / "wedge.json", json.dumps(identity, indent=2) + "\n", WEDGE)
        yield room
    finally:
        lock.release()


def check_free(folder, files=()):
    """Raise NotOurs where a folder is a file, holds what is of no farm, or some files that are baked.

    Raises OSError where it cannot be read, output_files.Refused where what is written would replace anything else.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise NotOurs(f"{folder} is a file: give a folder as --output")
    inside = next((file for file in files if output_files.is_within(Path(file), folder)), None)
    if inside is not None:
        raise NotOurs(
            f"{inside} lies in {folder}: give another folder as --output than one with what is baked"
        )
    room = folder / ROOM
    if room.is_symlink() or (room.exists() and not room.is_dir()):
        raise NotOurs(f"{room} is no folder of a farm's: move it away")
    for name, kind in _WRITTEN.items():
        output_files.check_replaceable(folder / name, kind)
    if folder.is_dir() and wedge_of(folder) is None and any(path.name != ROOM for path in folder.iterdir()):
        raise NotOurs(f"{folder} holds files that are no results of a farm: give an empty folder as --output")


def check_variants(folder, variants):
    """Raise NotOurs where anything else is where a variant's folder is to be."""
    for variant in variants:
        path = Path(folder, variant.name)
        if publishing.is_taken(path):
            raise NotOurs(f"{path} is no folder of a variant's: move it away, or choose another --output")


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
    for path in Path(folder).glob(".*"):
        if _LEFT.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)


def write_whole(path, text, kind):
    """Write a text file that others may read at any time, in place of one of its Kind: it is there whole, or as before.

    Raises OSError, output_files.Refused.
    """
    output_files.write(path, text.encode(), kind)
