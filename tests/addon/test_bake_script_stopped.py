# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/bake.py killed and interrupted: files stay as they were, and the next bake goes on."""

import json
import os
import re
import signal
import subprocess

import pytest

from ..waiting import HANGS
from .scenes import baked_keys, key_positions, same_bits
from .script import command, in_a_process, opened, run

# Windows ends a process whatever the signal; Ctrl-C reaches all of a console's there.
STOPS = [signal.SIGTERM] if os.name == "nt" else [signal.SIGINT, signal.SIGKILL]
KILLED = 1 if os.name == "nt" else -signal.SIGKILL


def begin(file, *arguments):
    """Start a bake that takes long enough to be interrupted, and wait until a tenth of it is done."""
    process = subprocess.Popen(
        command(file, "--object", "Cloth", *(arguments or ("--frames", "1-200", "--substeps", 50))),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    for line in process.stdout:
        if line.startswith("hooke: frame"):
            return process
    raise AssertionError(process.stderr.read())


@pytest.mark.newest
def test_killed_in_the_middle_the_file_is_as_it_was(file, folder):
    before = file.read_bytes()
    process = begin(file)
    process.kill()
    process.communicate(timeout=HANGS)
    assert process.returncode == KILLED
    assert file.read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["cloth.blend", "cloth_hooke"]


@pytest.fixture(scope="module")
def whole():
    """Positions of all keys of the bake below that nothing stops, once it was made."""
    return []


@pytest.mark.nightly
@pytest.mark.parametrize("number", STOPS)
def test_a_stopped_bake_leaves_the_file_as_it_was_and_goes_on_from_there(number, file, folder, whole):
    arguments = ["--object", "Cloth", "--frames", "1-60", "--substeps", 20]
    resumed, report, before = folder / "resumed.blend", folder / "report.json", file.read_bytes()
    process = begin(file, *arguments[2:], "--output", resumed)
    process.send_signal(number)
    _, errors = process.communicate(timeout=HANGS)
    if number == signal.SIGINT:
        assert process.returncode == 1
        assert errors.startswith("hooke: interrupted, nothing was saved: ")
        assert re.search(r"\d+ simulated frames are kept in .*cloth_hooke[\\/]cache[\\/]Cloth.pc2", errors)
        assert len(errors.splitlines()) == 1
    else:
        assert process.returncode == KILLED
    assert file.read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["cloth.blend", "cloth_hooke"]
    result = in_a_process(file, *arguments, "--output", resumed, "--report", report)
    assert (result.returncode, result.stderr) == (0, "")
    assert 5 <= json.loads(report.read_text(encoding="utf-8"))["frames_from_cache"] < 59
    # What was there to resume from goes with the need for it.
    assert sorted(path.name for path in folder.iterdir()) == ["cloth.blend", "report.json", "resumed.blend"]
    positions = [key_positions(key) for key in baked_keys(opened(resumed))]
    if not whole:
        bake = run(file, *arguments, "--output", folder / "whole.blend")
        assert bake.returncode == 0
        whole += [key_positions(key) for key in baked_keys(opened(folder / "whole.blend"))]
    assert all(same_bits(a, b) for a, b in zip(positions, whole, strict=True))
