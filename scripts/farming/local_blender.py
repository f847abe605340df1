# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender of the machine a farm is started on: what it bakes with, and what settings are looked up with."""

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from environments import WITH_BPY, first_python_of

from . import blender_process, wedge


def command(named):
    """The words that start it, as `blender_process.command`, else those of an environment as dev.py makes them.

    Raises environments.NoInterpreter, SetUpFailed, system_packages.MissingPackage.
    """
    try:
        return blender_process.command(named)
    except blender_process.NoBlender:
        if named:
            raise
    return [str(first_python_of(WITH_BPY))]


def with_words(asked, blender):
    """A Wedge whose axes have the settings' own names and words; raises WedgeError where Hooke does not know one.

    blender: words from `command`.
    """
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "answer.json")
        request = {
            "arguments": list(asked.common),
            "axes": [[axis.name, list(axis.values)] for axis in asked.axes],
            "answer": str(answer),
        }
        _run(blender, "check", request, folder)
        told = json.loads(answer.read_text(encoding="utf-8"))
    if isinstance(told, str):
        raise wedge.WedgeError(told)
    axes = zip(asked.axes, told, strict=True)
    return replace(
        asked,
        axes=tuple(replace(axis, name=name, words=tuple(map(tuple, words))) for axis, (name, words) in axes),
    )


def apply(blender, file, obj, words):
    """Put the settings of a bake's words into a file; returns the exit status. blender: words from `command`."""
    request = {"file": str(Path(file).absolute()), "object": obj, "arguments": list(words)}
    with tempfile.TemporaryDirectory() as folder, open(Path(folder, "log"), "w+", encoding="utf-8") as log:
        status = blender_process.run(blender, "apply", request, folder, log)
        log.seek(0)
        said = [line for line in log if line.startswith("hooke: ")]
    if status != 0:
        print(
            f"farm: {said[-1].removeprefix('hooke: ').strip() if said else 'Blender failed'}", file=sys.stderr
        )
    return status


def _run(blender, action, request, folder):
    with open(Path(folder, "log"), "w+", encoding="utf-8") as log:
        blender_process.run(blender, action, request, folder, log)
        log.seek(0)
        words = log.read().strip()
    if not Path(request["answer"]).is_file():
        said = words.splitlines()[-1] if words else "it said nothing"
        raise blender_process.NoBlender(f"{blender[0]} cannot look up Hooke's settings ({said})")
