#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tell whether two commits simulate the same bits: every frame of every test of tests/core.

    python scripts/same_bits.py BEFORE [AFTER]

BEFORE, AFTER: anything git names a commit by; without AFTER the checkout as it is. Each commit runs its own tests
against its own core, and every state that a simulation reaches goes into the digest of the test it belongs to. Tests
that both have and whose digests differ are listed, and the exit status is 1. Tests that take their step from what the
core says of it, and ask for another one, are counted: their frames cannot be compared. Those that make up their scenes
at random (Hypothesis) are left out: what they make up depends on the text of the code.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Runs within each copy; only names that hold for every commit since 0.1.0.
RECORDER = """
import hashlib
import json
import os

import numpy as np
import pytest

from hooke.core import Simulation

digests, steps, current = {}, {}, [None]
step = Simulation.step


def recording_step(self, *arguments, **keywords):
    result = step(self, *arguments, **keywords)
    if current[0] is not None:
        digest = digests.setdefault(current[0], hashlib.blake2b(digest_size=8))
        digest.update(np.ascontiguousarray(self.state.x).data)
        digest.update(np.ascontiguousarray(self.state.v).data)
        asked = steps.setdefault(current[0], hashlib.blake2b(digest_size=8))
        asked.update(f"{self.dt} {self.substeps}".encode())
    return result


Simulation.step = recording_step


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    made_up = getattr(item.function, "is_hypothesis_test", False)
    current[0] = None if made_up else item.nodeid
    yield
    current[0] = None


def pytest_sessionfinish(session):
    found = {name: (steps[name].hexdigest(), digest.hexdigest()) for name, digest in digests.items()}
    with open(os.environ["DIGESTS"], "w") as file:
        json.dump(found, file)
"""


def main():
    """Compare, print and exit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", help="commit")
    parser.add_argument("after", nargs="?", help="commit; the checkout as it is unless given")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        before, after = (
            digests(Path(folder, name), commit)
            for name, commit in (("before", arguments.before), ("after", arguments.after))
        )
    both = sorted(before.keys() & after.keys())
    comparable = [name for name in both if before[name][0] == after[name][0]]
    different = [name for name in comparable if before[name] != after[name]]
    for name in different:
        print(f"differs: {name}")
    print(
        f"{len(comparable) - len(different)} of {len(comparable)} the same; other steps asked for: "
        f"{len(both) - len(comparable)}; only before: {len(before.keys() - after.keys())}, only after: "
        f"{len(after.keys() - before.keys())}"
    )
    sys.exit(1 if different else 0)


def digests(folder, commit):
    """Digests of the steps asked for and of the frames, by test, of one commit."""
    copy = folder / "hooke"
    copy.mkdir(parents=True)
    if commit is None:
        for room in ("core", "scripts", "tests"):
            shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("__init__.py", "pyproject.toml"):
            shutil.copy(ROOT / name, copy / name)
    else:
        archive = subprocess.run(
            ["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE
        ).stdout
        subprocess.run(["tar", "-x", "-C", copy], input=archive, check=True)
    (folder / "recorder.py").write_text(RECORDER, encoding="utf-8")
    result = folder / "digests.json"
    environment = {**os.environ, "PYTHONPATH": str(folder), "DIGESTS": str(result), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "pytest", "tests/core", "-q", "-p", "recorder", "-p", "no:cacheprovider"]
    subprocess.run(command, cwd=copy, env=environment, check=False, stdout=subprocess.DEVNULL)
    return json.loads(result.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
