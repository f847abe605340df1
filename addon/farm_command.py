# SPDX-License-Identifier: GPL-3.0-or-later
"""`blender --command hooke farm …`: hands the words to scripts/farm.py of a clone, in a process of its own.

The extension has neither that script nor Dask: a zip for Blender brings what runs in Blender.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import bpy

_VARIABLE = "HOOKE_FARM"


class NoFarm(Exception):
    """There is no farm.py on this machine to be found; the message says where to get it."""


def run(words):
    """Run the farm with some words, this Blender and, where none is named, the open file; returns its exit status.

    Raises NoFarm.
    """
    # Windows' own python3 only leads to a shop.
    python = (shutil.which("python3") if os.name == "posix" else None) or sys.executable
    command = [python, str(_script()), *words]
    if words[:1] != ["apply"] and "--help" not in words:
        if bpy.data.filepath and not any(word.endswith(".blend") for word in words):
            command.insert(2, bpy.data.filepath)
        if "--scheduler" not in words and not any(word.partition("=")[0] == "--blender" for word in words):
            command += ["--blender", bpy.app.binary_path]
    # Ctrl-C in the terminal reaches both: the farm ends cleanly, and this waits for it.
    farm = subprocess.Popen(command)
    while True:
        try:
            return farm.wait()
        except KeyboardInterrupt:
            continue


def _script():
    """farm.py of the clone that this package lies in, or that the environment names."""
    named = os.environ.get(_VARIABLE)
    script = Path(named) if named else Path(__file__).resolve().parents[1] / "scripts" / "farm.py"
    if script.is_dir():
        script = script / "scripts" / "farm.py"
    if not script.is_file():
        missing = f"{script}, which {_VARIABLE} names, is not there" if named else "the extension has no farm"
        raise NoFarm(
            f"{missing}: clone Hooke's repository, and let the environment variable {_VARIABLE} name the clone's folder"
        )
    return script
