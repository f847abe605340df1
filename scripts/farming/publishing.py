# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts a finished folder in its place, whole or not at all, whoever else does the same."""

import errno
import json
import os
import secrets
import shutil
from pathlib import Path

from . import held_files

RECORD = "variant.json"


def record_of(folder):
    """What a variant's folder says of itself, a dict; {} where it is none."""
    try:
        found = json.loads(Path(folder, RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_taken(folder):
    """Whether there is something in the place of a variant's folder that is none."""
    folder = Path(folder)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        return True
    return folder.exists() and not {"key", "status"} <= record_of(folder).keys()


def is_done(folder, key):
    """Whether a folder holds the finished variant of these inputs."""
    record = record_of(folder)
    return record.get("key") == key and record.get("status") == "done"


def write_record(folder, record):
    """Write what a folder says of itself; it is on the disk before this returns. Raises OSError."""
    with open(Path(folder, RECORD), "w", encoding="utf-8") as file:
        json.dump(record, file, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())


def publish(made, final):
    """Rename a folder to its place; returns the record of what is there then.

    made: beside `final`. What finished the same inputs first stays, and `made` goes; any other variant's folder is
    replaced. Raises OSError, also where something else is there.
    """
    made, final = Path(made), Path(final)
    key = record_of(made).get("key")
    while True:
        try:
            # Renaming onto a folder that is not empty is refused: of two at a time, one is first.
            held_files.rename(made, final)
            return record_of(final)
        except OSError:
            if not final.exists():
                raise
        if is_done(final, key):
            shutil.rmtree(made, ignore_errors=True)
            return record_of(final)
        if is_taken(final):
            raise FileExistsError(
                errno.EEXIST, "what is there is no folder of a variant's: move it away", final
            )
        aside = final.with_name(f".{secrets.token_hex(4)}.replaced")
        try:
            held_files.rename(final, aside)
        except FileNotFoundError:
            continue
        shutil.rmtree(aside, ignore_errors=True)
