# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip as scripts/build.py makes it, and the real Blender applications it is installed into.

BLENDER names the applications: one command, such as `blender`, or several with `;` between them, such as
`blender-4.3;blender-5.2`. Without it, the tests that need an application are skipped.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(Path(__file__).parent)]
sys.path.append(str(ROOT / "tests"))

import build  # noqa: E402 (of scripts/, which is no package; tests import window.py likewise)
from waiting import HANGS  # noqa: E402

COMMANDS = [text.strip() for text in os.environ.get("BLENDER", "").split(";") if text.strip()]
UNSET = pytest.param("", id="none", marks=pytest.mark.skip("BLENDER names no application"))


def pytest_collection_modifyitems(config, items):
    """Of several applications the last one alone runs what is marked `newest`, unless HOOKE_CASES=all."""
    others = set(COMMANDS[:-1]) if os.environ.get("HOOKE_CASES") != "all" else set()
    left_out = [
        item
        for item in items
        if item.get_closest_marker("newest") and hasattr(item, "callspec")
        if item.callspec.params.get("application") in others
    ]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


class Application:
    """One Blender application with user files of its own, so that nobody's settings are touched."""

    def __init__(self, command, user_files):
        self.command = shlex.split(command, posix=os.name != "nt")
        self.environment = {**os.environ, "BLENDER_USER_RESOURCES": user_files}

    def run(self, *arguments, status=0):
        """Start Blender with some arguments and wait; returns all it printed, and asserts its exit status."""
        result = subprocess.run(
            [*self.command, *map(str, arguments)],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=HANGS,
        )
        assert result.returncode == status, f"exit status {result.returncode}\n{result.stdout}"
        return result.stdout

    def drive(self, script, *arguments):
        """Run a Python file of this folder in Blender; returns the dictionary it prints as JSON."""
        path = Path(__file__).with_name(script)
        printed = self.run("-b", "--python-exit-code", 1, "--python", path, "--", *arguments)
        lines = [line for line in printed.splitlines() if line.startswith("{")]
        assert lines, printed
        return json.loads(lines[-1])


@pytest.fixture(scope="session")
def platform_id():
    """Blender's id of this machine's platform, such as linux-x64."""
    try:
        return build.this_platform()
    except build.BuildError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def zip_path(platform_id, tmp_path_factory):
    """The extension's zip for this platform, built from the checkout."""
    folder = tmp_path_factory.mktemp("zip")
    command = [sys.executable, ROOT / "scripts" / "build.py", "--platform", platform_id, "--output", folder]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    assert result.returncode == 0, result.stdout + result.stderr
    (path,) = folder.glob("*.zip")
    return path


@pytest.fixture(scope="session", params=COMMANDS or [UNSET])
def application(request, zip_path):
    """Each application of BLENDER in turn, with the zip installed and enabled the way a user does it."""
    # Not a folder of pytest's, which it deletes strictly: a contained application may still hold it.
    with tempfile.TemporaryDirectory(prefix="hooke-", ignore_cleanup_errors=True) as user_files:
        blender = Application(request.param, user_files)
        blender.run("--command", "extension", "install-file", "-r", "user_default", "--enable", zip_path)
        yield blender
