# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of `dev.py test`, each in the environment it needs, and the table of what came of them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from environments import ENVIRONMENTS, ROOT, NoInterpreter, SetUpFailed, python_of
from interpreters import find_interpreter
from system_packages import MissingPackage

# A process that takes longer hangs; the slowest check takes a few minutes.
TIME_LIMIT = 1800


@dataclass(frozen=True)
class Outcome:
    """What came of one part of a check: status "passed", "failed" or "skipped", and how or why."""

    name: str
    status: str
    detail: str
    seconds: float = 0.0


def lint() -> list[Outcome]:
    """ruff's rules, ruff's format, and mypy against fake-bpy-module."""
    python = python_of("plain")
    return [
        tool("ruff check", [python, "-m", "ruff", "check", "."]),
        tool("ruff format", [python, "-m", "ruff", "format", "--check", "."]),
        tool("mypy", [python, "-m", "mypy", *modules()], MYPYPATH=type_paths()),
    ]


def modules() -> list[str]:
    """mypy's arguments that name all code: hooke's packages, and what is in scripts/ as top-level modules."""
    words = []
    for room in ("core", "addon"):
        if (ROOT / room).is_dir():
            words += ["-p", f"hooke.{room}"]
    for path in sorted((ROOT / "scripts").glob("*.py")):
        words += ["-m", path.stem]
    for path in sorted((ROOT / "scripts").glob("*/__init__.py")):
        words += ["-p", path.parent.name]
    return words


def type_paths() -> str:
    """Where mypy looks: scripts/, and a folder with a link `hooke` to the checkout of whatever name."""
    folder = ROOT / ".venv" / "types"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "hooke").exists():
        os.symlink(ROOT, folder / "hooke", target_is_directory=True)
    return os.pathsep.join([str(folder), str(ROOT / "scripts")])


def architecture() -> list[Outcome]:
    """What may import what, by the code itself."""
    return [pytest("architecture", "plain", "tests/test_architecture.py")]


def core() -> list[Outcome]:
    """The core's tests and the lab's on plain Python, with no Blender installed."""
    return [pytest("core and lab, no Blender", "plain", "tests/core", "tests/lab")]


def bpy_4_5() -> list[Outcome]:
    """The core's tests on NumPy 1 and the extension's, with Blender 4.5 as a module."""
    return [pytest("core and addon, bpy 4.5", "bpy-4.5", "tests/core", "tests/addon")]


def bpy_5_2() -> list[Outcome]:
    """The extension's tests with Blender 5.2 as a module; its NumPy 2 is that of `core`."""
    return [pytest("addon, bpy 5.2", "bpy-5.2", "tests/addon")]


def application() -> list[Outcome]:
    """The zip, built here, installed and used in the applications of BLENDER and in the bpy modules."""
    fitting = [name for name in ("bpy-4.5", "bpy-5.2") if find_interpreter(*ENVIRONMENTS[name].versions)]
    if not fitting:
        raise NoInterpreter("needs Python 3.11 or 3.13 for Blender's extension builder")
    outcomes = [pytest("zip and application", fitting[0], "tests/application")]
    outcomes += [pytest(f"zip, {name}", name, "tests/application/test_module.py") for name in fitting[1:]]
    if not os.environ.get("BLENDER", "").strip():
        remedy = "set BLENDER to the command that starts Blender, several with `;` between them"
        outcomes.append(Outcome("Blender application", "skipped", remedy))
    return outcomes


CHECKS: dict[str, Callable[[], list[Outcome]]] = {
    "lint": lint,
    "architecture": architecture,
    "core": core,
    "bpy-4.5": bpy_4_5,
    "bpy-5.2": bpy_5_2,
    "application": application,
}


def tool(name: str, command: list[object], **variables: str) -> Outcome:
    """Run one tool, its output going to the terminal; it passes with exit status 0."""
    print(f"\n== {name}", flush=True)
    started = time.monotonic()
    try:
        status = subprocess.run(
            [str(word) for word in command], cwd=ROOT, env={**os.environ, **variables}, timeout=TIME_LIMIT
        ).returncode
    except subprocess.TimeoutExpired:
        return Outcome(name, "failed", f"stopped after {TIME_LIMIT} s", time.monotonic() - started)
    seconds = time.monotonic() - started
    if status != 0:
        return Outcome(name, "failed", f"exit status {status}", seconds)
    return Outcome(name, "passed", "", seconds)


def pytest(name: str, environment: str, *paths: str) -> Outcome:
    """Run pytest on some paths in an environment; passes when its tests passed and there was at least one."""
    python = python_of(environment)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        outcome = tool(name, [python, "-m", "pytest", f"--junit-xml={report}", *paths])
        if not report.is_file():
            return Outcome(name, "failed", outcome.detail or "pytest wrote no report", outcome.seconds)
        suite = ElementTree.parse(report).getroot().find("testsuite")
    assert suite is not None, "pytest's report holds one testsuite"
    total, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    counts = {"passed": total - failed - skipped, "failed": failed, "skipped": skipped}
    detail = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "no tests"
    if outcome.status == "failed" and not failed:
        detail += f", {outcome.detail}"
    return Outcome(name, outcome.status, detail, outcome.seconds)


def run_checks(checks: dict[str, Callable[[], list[Outcome]]]) -> int:
    """Run checks one after another, print the table, and return 1 when any failed, else 0."""
    started = time.monotonic()
    outcomes: list[Outcome] = []
    for name, check in checks.items():
        try:
            outcomes += check()
        except NoInterpreter as error:
            outcomes.append(Outcome(name, "skipped", str(error)))
        except (SetUpFailed, MissingPackage) as error:
            outcomes.append(Outcome(name, "failed", str(error)))
    print_table(outcomes, time.monotonic() - started)
    nothing_ran = all(outcome.status == "skipped" for outcome in outcomes)
    return 1 if nothing_ran or any(outcome.status == "failed" for outcome in outcomes) else 0


def print_table(outcomes: list[Outcome], seconds: float) -> None:
    """Print one line for each outcome: name, status, seconds, and how or why."""
    width = max(len(outcome.name) for outcome in outcomes)
    print(f"\n== Summary, {seconds:.0f} s on Python {sys.version.split()[0]}")
    for outcome in outcomes:
        print(f"{outcome.name:{width}}  {outcome.status:7}  {outcome.seconds:6.1f} s  {outcome.detail}")
    sys.stdout.flush()
