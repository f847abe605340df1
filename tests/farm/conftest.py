# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/farm.py run as a process of its own, on a file with a small cloth."""

import contextlib
import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.append(str(ROOT / "tests"))

from farming import command_line, local_blender  # noqa: E402
from waiting import HANGS  # noqa: E402

MAKE = """
import os, sys
import bpy
bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8)
cloth = bpy.context.object
cloth.name = "Cloth"
cloth.vertex_groups.new(name="Pin").add([0, 8], 1.0, "REPLACE")
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[-1])
sys.stdout.flush()
os._exit(0)
"""


@pytest.fixture(scope="session")
def blender():
    """The words that start what bakes here."""
    return local_blender.command(None)


@pytest.fixture(scope="session")
def cloth(blender, tmp_path_factory):
    """A file with the object Cloth, 9 by 9 vertices, and its vertex group Pin."""
    path = tmp_path_factory.mktemp("scene") / "cloth.blend"
    script = path.with_suffix(".py")
    script.write_text(MAKE, encoding="utf-8")
    python = Path(blender[0]).stem.startswith("python")
    words = [*blender, script, path] if python else [*blender, "-b", "-P", script, "--", path]
    subprocess.run(words, check=True, capture_output=True, timeout=HANGS)
    assert path.is_file()
    return path


def command(*words):
    """The command line of the farm, without pictures unless told otherwise."""
    pictures = [] if any(str(word).startswith("--pictures") for word in words) else ["--pictures", "0"]
    if words and words[0] == "apply":
        pictures = []
    return [sys.executable, str(ROOT / "scripts" / "farm.py"), *map(str, words), *pictures]


def begin(*words, **environment):
    """Start a farm in a session of its own, as a terminal does."""
    return subprocess.Popen(
        command(*words),
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
        # What runs in the background ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def told(*words):
    """Run a farm in this process, for what ends before it starts any other; as `run`."""
    out, errors, before = io.StringIO(), io.StringIO(), signal.getsignal(signal.SIGTERM)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = command_line.main(command(*words)[2:])
    signal.signal(signal.SIGTERM, before)
    return subprocess.CompletedProcess(words, status, out.getvalue(), errors.getvalue())


def run(*words, **environment):
    """Run a farm to its end."""
    process = begin(*words, **environment)
    out, errors = process.communicate(timeout=HANGS)
    return subprocess.CompletedProcess(process.args, process.returncode, out, errors)
