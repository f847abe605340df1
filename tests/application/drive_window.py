# SPDX-License-Identifier: GPL-3.0-or-later
"""In a window of Blender: run what is asked in files of the folder that is the last argument, and answer in JSON."""

import json
import sys
import traceback
from pathlib import Path

import bpy

# How often the folder is looked at [s].
INTERVAL = 0.05


def answer(folder, names):
    """Run each file, in the order of their names, and answer with what it leaves in the name `answer`."""
    for asked in sorted(folder.glob("*.asked")):
        source = asked.read_text(encoding="utf-8")
        asked.unlink()
        names["answer"] = None
        try:
            exec(source, names)
            told = {"answer": names["answer"]}
        except Exception:  # What was asked failed: who asked is told, and may ask again.
            told = {"error": traceback.format_exc()}
        part = asked.with_suffix(".part")
        part.write_text(json.dumps(told), encoding="utf-8")
        part.rename(asked.with_suffix(".json"))
    return INTERVAL


if __name__ == "__main__":
    folder, names = Path(sys.argv[-1]), {"bpy": bpy}
    bpy.app.timers.register(lambda: answer(folder, names), first_interval=INTERVAL, persistent=True)
