# SPDX-License-Identifier: GPL-3.0-or-later
"""Where SciPy cannot be imported, the extension registers, says so, and explicit methods work."""

import subprocess
import sys

import bpy
import pytest

from hooke.addon import preflight

from ..waiting import HANGS
from .scenes import grid
from .script import said

BLOCK = """
import os, sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(name + " is blocked", name=name)

sys.meta_path.insert(0, Block())

import bpy
import hooke

hooke.register()
from hooke.addon import cli, readout

bpy.ops.wm.open_mainfile(filepath=FILE)
obj = bpy.context.object
bpy.ops.hooke.add()
"""

PLAY = """
def status():
    for frame in range(1, 7):
        bpy.context.scene.frame_set(frame)
    return readout.status(obj)

print("default:", *status())
obj.hooke.integrator, obj.hooke.stiffness, obj.hooke.substeps = "SYMPLECTIC_EULER", 50.0, 40
print("explicit:", *status())
sys.stdout.flush()
sys.stderr.flush()
os._exit(0)
"""

COMMAND = """
status = cli.main(["bake", "--object", obj.name, "--frames", "1-3"])
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)
"""


def run(code, file, blocked):
    """Run code in a process of its own where modules are blocked."""
    code = f"BLOCKED = {blocked!r}\nFILE = {str(file)!r}\n{code}"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", errors="replace", timeout=HANGS
    )


@pytest.fixture
def file(scene, tmp_path):
    """A file with a sheet in it."""
    grid()
    path = tmp_path / "cloth.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


# cholespy alone is no help: the matrix is built by SciPy.
@pytest.mark.sampled(2)
@pytest.mark.parametrize("blocked", [("scipy", "cholespy"), ("scipy",)], ids=["neither", "cholespy alone"])
def test_it_says_so_and_explicit_methods_work(blocked, file):
    result = run(BLOCK + PLAY, file, blocked)
    assert (result.returncode, said(result.stderr)) == (0, "")
    told = dict(line.split(": ", 1) for line in result.stdout.splitlines() if line.startswith(("def", "exp")))
    assert told["default"].startswith(preflight.SCIPY_MISSING) and told["default"].endswith("ERROR")
    assert "frame 6" in told["explicit"] and told["explicit"].endswith("CHECKMARK")


@pytest.mark.sampled(2)
@pytest.mark.newest
@pytest.mark.parametrize("blocked", [("scipy", "cholespy"), ("scipy",)], ids=["neither", "cholespy alone"])
def test_the_command_line_says_so(blocked, file):
    before = file.read_bytes()
    result = run(BLOCK + COMMAND, file, blocked)
    assert result.returncode == 2
    assert [line[:33] for line in said(result.stderr).splitlines()] == ["hooke: SciPy is not installed, so"]
    assert file.read_bytes() == before
