# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of `dev.py test windows`: what Windows' Python makes is compared, bit by bit, with what Linux' makes."""

from __future__ import annotations

import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from compiling import CannotCompile, build_own
from environments import NoInterpreter, SetUpFailed, python_of
from system_packages import MissingPackage

from . import environment
from .faults import FAULTS

SCENES = Path(__file__).resolve().with_name("scenes.py")
# What the lines of scenes.py begin with that tell of results.
RESULTS = ("example", "live", "cache", "bake")
# Seconds after which the scenes hang, which take a minute under Wine. A suite may take as long as it does: pytest ends
# a single test that hangs.
_HANGS = 5400


@dataclass(frozen=True)
class Ended:
    """How a step ended: status "passed", "failed" or "skipped", how or why, and what was printed."""

    status: str
    detail: str
    printed: str = ""
    seconds: float = 0.0


def step(*words: str) -> Ended:
    """Run pytest by Windows' Python on some paths, or without any compare the scenes' bits with those of Linux."""
    try:
        return suite(*words) if words else same_bits()
    except (environment.NotHere, NoInterpreter) as error:
        return Ended("skipped", str(error))
    except (SetUpFailed, MissingPackage, CannotCompile) as error:
        return Ended("failed", str(error))


def same_bits() -> Ended:
    """Run the scenes on both systems; passes where every digest is the same."""
    # A checkout's own may be of the C that it had when the environment was made.
    build_own()
    command, variables = environment.command()
    with tempfile.TemporaryDirectory() as folder:
        places = Path(folder, "linux"), Path(folder, "windows")
        linux = _run([str(python_of(environment.LIKE)), str(SCENES), str(places[0])], limit=_HANGS)
        words = [environment.path_of(path) for path in (SCENES, places[1])]
        windows = _run([*command, *words], variables, _HANGS)
    if "failed" in (linux.status, windows.status):
        return Ended(
            "failed", "the scenes do not run", f"{linux.printed}\n{windows.printed}", windows.seconds
        )
    here, there = results(linux), results(windows)
    if here == there:
        return Ended("passed", f"{len(here)} results, bit for bit those of Linux", "", windows.seconds)
    told = "\n".join(["Linux:", *here, "Windows:", *there])
    return Ended("failed", "results differ from those of Linux", told, windows.seconds)


def results(ended: Ended) -> list[str]:
    """The lines of results that scenes.py printed."""
    return [line for line in ended.printed.splitlines() if line.startswith(RESULTS)]


def suite(*words: str) -> Ended:
    """Run the tests of some paths, one of the cases of each, but for those that Wine alone fails."""
    command, variables = environment.command()
    pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--cases=1", "-m", "not nightly", *words]
    pytest += [f"--deselect={test}" for test in FAULTS]
    ended = _run([*command, *pytest], variables)
    lines = ended.printed.strip().splitlines()
    detail = next((line.strip("= ") for line in reversed(lines) if " passed" in line), ended.detail)
    return Ended(ended.status, detail, ended.printed, ended.seconds)


def _run(command: list[str], variables: dict[str, str] | None = None, limit: float | None = None) -> Ended:
    """Run a command to its end, or for so many seconds, its streams pipes."""
    started = time.monotonic()
    try:
        told = subprocess.run(
            command,
            cwd=environment.ROOT,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit,
        )
        status, printed = told.returncode, told.stdout
    except subprocess.TimeoutExpired as late:
        status, printed = -1, late.stdout or b""
    words = printed.decode("utf-8", "replace").replace("\r\n", "\n")
    return Ended("failed" if status else "passed", f"exit status {status}", words, time.monotonic() - started)
