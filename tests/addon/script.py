# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/bake.py run as a process of its own, and the files it leaves."""

import subprocess
import sys
from pathlib import Path

import bpy

ROOT = Path(__file__).resolve().parents[2]


def command(*arguments):
    """The command line that runs the script."""
    return [sys.executable, str(ROOT / "scripts" / "bake.py"), *map(str, arguments)]


def run(*arguments):
    """Run the script to its end."""
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=120)


def opened(path, name="Cloth"):
    """The object of a file, which is opened."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    obj = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = obj
    return obj
