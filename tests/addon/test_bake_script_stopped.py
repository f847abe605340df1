# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/bake.py killed and interrupted: files stay as they were, and the next bake goes on."""

import json
import re
import signal
import subprocess

import pytest

from .scenes import baked_keys, key_positions, same_bits
from .script import command, in_a_process, opened, run


def begin(file, *arguments):
    """Start a bake that takes long enough to be interrupted, and wait until a tenth of it is done."""
    process = subprocess.Popen(
        command(file, "--object", "Cloth", *(arguments or ("--frames", "1-200", "--substeps", 50))),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in process.stdout:
        if line.startswith("hooke: frame"):
            return process
    raise AssertionError(process.stderr.read())


@pytest.mark.newest
@pytest.mark.parametrize("output", [(), ("--output", "out.blend")], ids=["in place", "elsewhere"])
def test_killed_in_the_middle_the_file_is_as_it_was(output, file, folder):
    before = file.read_bytes()
    output = [folder / word if word == "out.blend" else word for word in output]
    process = begin(file, "--frames", "1-200", "--substeps", 50, *output)
    process.kill()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert file.read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["cloth.blend", "cloth_hooke"]


def test_interrupted_in_the_middle_it_says_so_and_the_file_is_as_it_was(file, folder):
    before = file.read_bytes()
    process = begin(file)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors.startswith("hooke: interrupted, nothing was saved: ")
    assert re.search(r"\d+ simulated frames are kept in .*cloth_hooke/cache/Cloth.pc2", errors)
    assert len(errors.splitlines()) == 1
    assert file.read_bytes() == before


@pytest.mark.newest
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_bake_goes_on_where_it_was(number, file, folder):
    arguments = ["--object", "Cloth", "--frames", "1-60", "--substeps", 20]
    whole, resumed, report = folder / "whole.blend", folder / "resumed.blend", folder / "report.json"
    assert run(file, *arguments, "--output", whole).returncode == 0
    process = begin(file, *arguments[2:])
    process.send_signal(number)
    process.communicate(timeout=60)
    result = in_a_process(file, *arguments, "--output", resumed, "--report", report)
    assert (result.returncode, result.stderr) == (0, "")
    assert 5 <= json.loads(report.read_text())["frames_from_cache"] < 59
    positions = [[key_positions(key) for key in baked_keys(opened(path))] for path in (whole, resumed)]
    assert all(same_bits(a, b) for a, b in zip(*positions, strict=True))
    # What was there to resume from goes with the need for it.
    assert sorted(path.name for path in folder.iterdir()) == [
        "cloth.blend",
        "report.json",
        "resumed.blend",
        "whole.blend",
    ]
