# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/bake.py run here and as a process of its own, and the files it leaves."""

import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import bpy

import hooke

from ..waiting import HANGS

# A sentence of Hooke's, the lines of a traceback, and Python's warnings.
_OURS = re.compile(r'^hooke: |^Traceback|^  File "|^\w+(Error|Exception|Interrupt)\b|\w*Warning: ')

ROOT = Path(__file__).resolve().parents[2]


def command(*arguments):
    """The command line that runs the script."""
    return [sys.executable, str(ROOT / "scripts" / "bake.py"), *map(str, arguments)]


def in_a_process(*arguments, **variables):
    """Run the script to its end in a process of its own; stderr is what `said` leaves of it.

    variables: of its environment; of PYTHONIOENCODING are what it prints and what is read here.
    """
    encoding = variables.setdefault("PYTHONIOENCODING", "utf-8")
    result = subprocess.run(
        command(*arguments),
        env=os.environ | variables,
        capture_output=True,
        encoding=encoding,
        errors="replace",
        timeout=HANGS,
    )
    result.stderr = said(result.stderr)
    return result


def run(*arguments):
    """The same in this Blender, whose file is the script's afterwards: what takes seconds is the process."""
    (file, *words) = map(str, arguments)
    spec = importlib.util.spec_from_file_location("bake_script", ROOT / "scripts" / "bake.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = script.run(words, file, package=hooke)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), said(errors.getvalue()))


def said(stderr):
    """What Hooke and Python printed: Blender itself may print what has nothing to do with them, as on its exit."""
    return "".join(line for line in stderr.splitlines(keepends=True) if _OURS.search(line))


def opened(path, name="Cloth"):
    """The object of a file, which is opened."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    obj = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = obj
    return obj
