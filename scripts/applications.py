# SPDX-License-Identifier: GPL-3.0-or-later
"""Find a Blender application on this machine, as `BLENDER`, on the PATH, or where its installers put it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from glob import glob

from commands import HANGS, run_quietly
from farming import command_words

# The first with extensions.
LOWEST = (4, 2)
PLACES = (
    "/Applications/Blender.app/Contents/MacOS/Blender",
    "/snap/bin/blender",
    "/opt/blender*/blender",
    "C:/Program Files/Blender Foundation/Blender */blender.exe",
)


def find_blender() -> list[str] | None:
    """The words that start the first Blender with extensions that is found, or None."""
    for command in candidates():
        found = version(command)
        if found is not None and found >= LOWEST:
            return command
    return None


def candidates() -> Iterator[list[str]]:
    """Commands that may start Blender, those that somebody named first."""
    for text in os.environ.get("BLENDER", "").split(";"):
        if text.strip():
            yield command_words.split(text.strip())
    on_path = shutil.which("blender")
    if on_path:
        yield [on_path]
    for place in PLACES:
        # Of folders of versions the newest first.
        yield from ([path] for path in sorted(glob(place), reverse=True))


def version(command: list[str]) -> tuple[int, int] | None:
    """Major and minor version that a command says, or None where it is no Blender that starts."""
    try:
        told = run_quietly([*command, "--version"], timeout=HANGS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = re.search(r"^Blender (\d+)\.(\d+)", told.stdout, re.MULTILINE)
    return (int(said[1]), int(said[2])) if told.returncode == 0 and said else None
