# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the Python interpreters of this machine, also those a version manager keeps off the PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from commands import HANGS, run_quietly

PROBE = "import sys; print(*sys.version_info[:2])"


def find_interpreter(*versions: str) -> Path | None:
    """The first working interpreter of the first of `versions`, such as "3.11", that has one; else None."""
    for version in versions:
        for candidate in candidates(version):
            if runs_as(candidate, version):
                return candidate
    return None


def candidates(version: str) -> Iterator[Path]:
    """Where an interpreter of `version` may be: here, on the PATH, with pyenv or uv, in Windows' launcher."""
    yield Path(getattr(sys, "_base_executable", sys.executable))
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        found = shutil.which(f"python{version}", path=folder)
        if found:
            yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(pyenv.glob(f"versions/{version}.*/bin/python"), reverse=True)
    yield from sorted(pyenv.glob(f"pyenv-win/versions/{version}.*/python.exe"), reverse=True)
    uv = Path.home() / ".local/share/uv/python"
    yield from sorted(uv.glob(f"cpython-{version}.*/bin/python{version}"), reverse=True)
    if "APPDATA" in os.environ:
        roaming = Path(os.environ["APPDATA"], "uv", "python")
        yield from sorted(roaming.glob(f"cpython-{version}.*/python.exe"), reverse=True)
    launcher = shutil.which("py")
    if launcher:
        ask = [launcher, f"-{version}", "-c", "import sys; print(sys.executable)"]
        told = run_quietly(ask)
        if told.returncode == 0:
            yield Path(told.stdout.strip())


def runs_as(interpreter: Path, version: str) -> bool:
    """Whether `interpreter` starts and is of `version`; a version manager's shim may exist and refuse."""
    try:
        told = run_quietly([interpreter, "-c", PROBE], timeout=HANGS)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return told.returncode == 0 and told.stdout.split()[:2] == version.split(".")
