# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `inside.py` in a Blender of its own, which ends when the process that started it does."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

from . import command_words

INSIDE = Path(__file__).resolve().with_name("inside.py")
# How long a process may take to end once it is told to [s], and how often to ask whether it is still wanted [s].
_PATIENCE, _INTERVAL = 5.0, 0.2


class NoBlender(Exception):
    """There is neither a Blender nor the bpy module; the message says what to do."""


class Unwanted(Exception):
    """Nobody waits for the result any more."""


def command(named=None):
    """The words that start a Blender, or a Python with the bpy module.

    named: as one text, else that of the environment variable HOOKE_BLENDER, this Python if it has bpy, or `blender`.
    Raises NoBlender.
    """
    named = named or os.environ.get("HOOKE_BLENDER")
    if named:
        words = command_words.split(named)
        if not words or shutil.which(words[0]) is None:
            raise NoBlender(
                f"there is no program {words[0] if words else named!r} to bake with: install Blender there"
            )
        return words
    if find_spec("bpy") is not None:
        return [sys.executable]
    found = shutil.which("blender")
    if found is None:
        raise NoBlender(
            "there is no Blender to bake with: put `blender` on the PATH, name one with --blender or the environment "
            "variable HOOKE_BLENDER, or install the bpy module"
        )
    return [found]


def _is_python(words):
    return Path(words[0]).stem.lower().startswith("python")


def run(blender, action, request, folder, log, wanted=lambda: True, told=lambda line: None):
    """Do an action of `inside.py` in a Blender of its own; returns its exit status, negative if a signal ended it.

    blender: words from `command`. request: dict for the action; folder: where to leave it. log: text file for all that
    the process prints; told: called with each line. wanted: called now and then; Unwanted is raised once it is false.
    Raises OSError.
    """
    path = Path(folder, f"{action}.json")
    path.write_text(json.dumps(request), encoding="utf-8")
    start = [*blender] if _is_python(blender) else [*blender, "-b", "-noaudio", "-P"]
    words = [*start, str(INSIDE), *([] if _is_python(blender) else ["--"]), action, str(path)]
    # A session of its own: Ctrl-C in the terminal is for the farm, which then ends this process as it likes.
    child = subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        # Workers share the cores of their machine out among themselves; what Python prints is read as UTF-8 here.
        env={"HOOKE_THREADS": "1", **os.environ, "PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
        # The same on Windows, where there are no sessions.
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    reader = threading.Thread(target=_read, args=(child, log, told), daemon=True)
    reader.start()
    try:
        while child.poll() is None:
            if not wanted():
                raise Unwanted
            time.sleep(_INTERVAL)
    finally:
        _end(child)
        reader.join(_PATIENCE)
    return child.returncode


def _read(child, log, told):
    writable = True
    with child.stdout:
        for line in child.stdout:
            try:
                if writable:
                    log.write(line)
                    log.flush()
            except OSError:
                # On a full disk the process must not wait for somebody who reads.
                writable = False
            told(line.rstrip("\n"))


def _end(child):
    """Let a process end by closing its input, which `inside.py` watches; kill one that does not."""
    try:
        child.stdin.close()
        child.wait(_PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        child.kill()
        child.wait()
