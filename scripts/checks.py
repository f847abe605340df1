# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of `dev.py test`, each in the environment it needs, and the table of what came of them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import pages
from environments import ROOT, WITH_BPY, NoInterpreter, SetUpFailed, first_python_of
from system_packages import MissingPackage
from windows import check as windows
from windows import environment as windows_environment

# Steps run side by side: threads of a BLAS or of the kernels would only wait for each other.
ALONE = {"OPENBLAS_NUM_THREADS": "1", "HOOKE_THREADS": "1"}
# Steps wait a third of their time, for other processes and the disk: with one more than cores, no core waits with them.
SPARE = 1
# Environments made at a time: pip waits for what it fetches.
MAKERS = 2


@dataclass(frozen=True)
class Outcome:
    """What came of one step of a check: status "passed", "failed" or "skipped", and how or why."""

    name: str
    status: str
    detail: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Tool:
    """A step of a check: a Python module and its arguments, in the first of some environments a machine can have.

    seconds: about how long it takes; of what can begin, the longest does.
    """

    name: str
    environments: tuple[str, ...]
    words: tuple[str, ...]
    seconds: int = 0

    def hindrance(self) -> str:
        """The reason for which it runs when its check is named and not otherwise; none: ""."""
        return ""

    def run(self, python: Path, live: bool) -> Outcome:
        """Run it; passes with exit status 0. live: print its output as it comes, not all at the end."""
        return spoken(self.name, [str(python), "-m", *self.words], live)


class Site(Tool):
    """The documentation site in a temporary folder: fails where a course text, a page's place or a link is wrong."""

    def run(self, python: Path, live: bool) -> Outcome:
        """Make it; passes where it is without a warning."""
        plain, status, reason = python_or_reason(("plain",))
        if plain is None:
            return Outcome(self.name, status, reason)
        with tempfile.TemporaryDirectory() as folder:
            course, output = Path(folder, "course"), Path(folder, "site")
            ran = spoken("course", [str(plain), *pages.course_words(course)], live)
            if ran.status == "failed":
                return Outcome(self.name, ran.status, f"course: {ran.detail}", ran.seconds)
            variables = {pages.COURSE: str(course)}
            return spoken(self.name, [str(python), "-m", *pages.site_words(output)], live, **variables)


class Mypy(Tool):
    """mypy on all code: hooke's packages, and what is in scripts/ as top-level modules and packages."""

    def run(self, python: Path, live: bool) -> Outcome:
        """Run it where it finds the checkout, of whatever name, as `hooke`."""
        folder = ROOT / ".venv" / "types"
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "hooke").exists():
            os.symlink(ROOT, folder / "hooke", target_is_directory=True)
        paths = os.pathsep.join([str(folder), str(ROOT / "scripts"), str(ROOT / "tests")])
        return spoken(self.name, [str(python), "-m", "mypy", *modules()], live, MYPYPATH=paths)


class Pytest(Tool):
    """pytest on some paths."""

    def run(self, python: Path, live: bool) -> Outcome:
        """Run it; passes when its tests passed and there was at least one."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder, "report.xml")
            slowest = ["--durations=8", "--durations-min=3"]
            command = [str(python), "-m", "pytest", f"--junit-xml={report}", *slowest, *self.words]
            outcome = spoken(self.name, command, live)
            if not report.is_file():
                return Outcome(
                    self.name, "failed", outcome.detail or "pytest wrote no report", outcome.seconds
                )
            suite = ElementTree.parse(report).getroot().find("testsuite")
        assert suite is not None, "pytest's report holds one testsuite"
        total, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
        failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        counts = {"passed": total - failed - skipped, "failed": failed, "skipped": skipped}
        detail = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "no tests"
        if outcome.status == "failed" and not failed:
            detail += f", {outcome.detail}"
        return Outcome(self.name, outcome.status, detail, outcome.seconds)


class Windows(Tool):
    """Windows' own Python and Blender under Wine: bits as on Linux, or with words pytest on some paths."""

    def hindrance(self) -> str:
        """A change does not wait for 1.5 GB; where they are, the step takes half a minute of processor time."""
        if windows_environment.is_made():
            return ""
        return "`dev.py test windows` fetches what it needs, 1.5 GB; after that it is among the usual checks"

    def run(self, python: Path, live: bool) -> Outcome:
        """Run it; skipped where Wine is not on this machine."""
        ended = windows.step(*self.words)
        if ended.printed:
            print(f"\n== {self.name}, {ended.seconds:.0f} s\n{ended.printed}", flush=True)
        return Outcome(self.name, ended.status, ended.detail, ended.seconds)


def modules() -> list[str]:
    """mypy's arguments that name all code."""
    words = []
    for room in ("core", "addon"):
        words += ["-p", f"hooke.{room}"]
    for path in sorted((ROOT / "scripts").glob("*.py")):
        words += ["-m", path.stem]
    for path in sorted((ROOT / "scripts").glob("*/__init__.py")):
        words += ["-p", path.parent.name]
    return words


# What runs in full on the newest runs on the lowest every night with one case of every parametrised test, another in
# each: calls are missing there or mean something else, in all cases. A change sees the first test of every file.
FEW = ("--cases=1",)
FIRST = (*FEW, "--tests=1")
# Long proofs run every night and before a release, by the check of that name.
BY_DAY, AT_NIGHT = ("-m", "not nightly"), ("-m", "nightly")
# What takes longest runs in so many processes, which share the files of its tests.
PARTS = 3


def in_parts(name: str, environment: str, *words: str, seconds: int = 140) -> tuple[Tool, ...]:
    """Steps that run a third of the files each: a core that waits for the last step of all does so for less."""
    parts = ((part, f"--part={part}/{PARTS}") for part in range(1, PARTS + 1))
    return tuple(
        Pytest(f"{name}, {part} of {PARTS}", (environment,), (*words, which), seconds)
        for part, which in parts
    )


# In this order environments are made, first the quickest to make. The core runs on the newest NumPy and, in Blender
# 4.2, on the oldest; the extension on the lowest Blender it claims and on the newest.
CHECKS: dict[str, tuple[Tool, ...]] = {
    "core": in_parts("core and scripts, no Blender", "plain", "tests/core", "tests/scripts", *BY_DAY),
    "bpy-5.2": in_parts("addon, bpy 5.2", "bpy-5.2", "tests/addon", *BY_DAY),
    "farm": (Pytest("farm", ("farm",), ("tests/farm", *BY_DAY), seconds=120),),
    "bpy-4.2": (
        Pytest("addon, bpy 4.2", ("bpy-4.2",), ("tests/addon", *FIRST, *BY_DAY), seconds=70),
        Pytest("core, bpy 4.2", ("bpy-4.2",), ("tests/core", *FIRST, *BY_DAY), seconds=50),
    ),
    "application": (
        Pytest("zip and application", WITH_BPY, ("tests/application",), seconds=180),
        Pytest("zip, bpy 4.2", ("bpy-4.2",), ("tests/application/test_module.py",), seconds=20),
    ),
    "lint": (
        Tool("ruff check", ("plain",), ("ruff", "check", ".")),
        Tool("ruff format", ("plain",), ("ruff", "format", "--check", ".")),
        Mypy("mypy", ("plain",), (), seconds=60),
    ),
    "site": (Site("documentation site", ("site",), ()),),
    "windows": (Windows("same bits under Wine", ("bpy-4.2",), (), seconds=60),),
    "windows-suites": (
        Windows("core under Wine", ("bpy-4.2",), ("tests/core",), seconds=240),
        Windows("addon under Wine", ("bpy-4.2",), ("tests/addon",), seconds=340),
    ),
    "architecture": (Pytest("architecture", ("plain",), ("tests/test_architecture.py",), seconds=20),),
    "nightly": (
        *in_parts("long proofs, core", "plain", "tests/core", "tests/scripts", *AT_NIGHT, seconds=500),
        *in_parts("long proofs, addon", "bpy-5.2", "tests/addon", *AT_NIGHT, seconds=200),
        Pytest("long proofs, farm", ("farm",), ("tests/farm", *AT_NIGHT), seconds=60),
        Pytest("addon, bpy 4.2, every test", ("bpy-4.2",), ("tests/addon", *FEW, *BY_DAY), seconds=190),
        Pytest("core, bpy 4.2, every test", ("bpy-4.2",), ("tests/core", *FEW, *BY_DAY), seconds=150),
    ),
    "bpy-4.5": in_parts("addon, bpy 4.5", "bpy-4.5", "tests/addon", *BY_DAY),
    "bpy-5.0": in_parts("addon, bpy 5.0", "bpy-5.0", "tests/addon", *BY_DAY),
}
# Long proofs, suites under Wine and those between the lowest and the newest Blender run when they are named.
USUAL = tuple(name for name in CHECKS if name not in ("nightly", "windows-suites", "bpy-4.5", "bpy-5.0"))


def spoken(name: str, command: Sequence[str], live: bool, **variables: str) -> Outcome:
    """Run a command and let what it prints be seen; passes with exit status 0.

    It may take as long as it does: on a busy machine all of it is slow. A single test that hangs is ended by pytest.
    """
    if live:
        print(f"\n== {name}", flush=True)
    started = time.monotonic()
    told = subprocess.run(
        command,
        cwd=ROOT,
        env={**ALONE, **os.environ, **variables},
        stdout=None if live else subprocess.PIPE,
        stderr=None if live else subprocess.STDOUT,
    )
    detail = f"exit status {told.returncode}" if told.returncode else ""
    seconds = time.monotonic() - started
    if not live:
        words = (told.stdout or b"").decode("utf-8", "replace").rstrip()
        print(f"\n== {name}, {seconds:.0f} s\n{words}", flush=True)
    return Outcome(name, "failed" if detail else "passed", detail, seconds)


def run_checks(named: Sequence[str]) -> int:
    """Run checks, or without any the usual ones, one more step at a time than there are cores, and print the table.

    Returns 1 when any failed or nothing ran, else 0.
    """
    started = time.monotonic()
    names = named or USUAL
    tools = [tool for name in dict.fromkeys(names) for tool in CHECKS[name]]
    hindered = {} if named else {tool: reason for tool in tools if (reason := tool.hindrance())}
    begun = [tool for tool in tools if tool not in hindered]
    outcomes = run_steps(begun, min(len(begun), (os.cpu_count() or 1) + SPARE))
    outcomes += [Outcome(tool.name, "skipped", reason) for tool, reason in hindered.items()]
    if "application" in names and not os.environ.get("BLENDER", "").strip():
        remedy = "set BLENDER to the command that starts Blender, several with `;` between them"
        outcomes.append(Outcome("Blender application", "skipped", remedy))
    print_table(outcomes, time.monotonic() - started)
    nothing_ran = all(outcome.status == "skipped" for outcome in outcomes)
    return 1 if nothing_ran or any(outcome.status == "failed" for outcome in outcomes) else 0


def run_steps(tools: Sequence[Tool], at_once: int) -> list[Outcome]:
    """Run steps, at_once at a time, each when its environment is there; of those that could begin, the longest does.

    Returns what came of them in their order.
    """
    with ThreadPoolExecutor(MAKERS) as maker, ThreadPoolExecutor(at_once) as pool:
        made = {
            wanted: maker.submit(python_or_reason, wanted)
            for wanted in dict.fromkeys(tool.environments for tool in tools)
        }

        def outcome(tool: Tool) -> Outcome:
            python, status, reason = made[tool.environments].result()
            if python is None:
                return Outcome(tool.name, status, reason)
            return tool.run(python, live=at_once == 1)

        begun: dict[Tool, Future[Outcome]] = {}
        waiting = sorted(tools, key=lambda tool: -tool.seconds)
        while waiting:
            running = [step for step in begun.values() if not step.done()]
            ready = [tool for tool in waiting if made[tool.environments].done()]
            if ready and len(running) < at_once:
                begun[ready[0]] = pool.submit(outcome, ready[0])
                waiting.remove(ready[0])
            else:
                missing = [made[tool.environments] for tool in waiting if tool not in ready]
                # With as many running as may, an environment changes nothing.
                wait([*running, *(missing if len(running) < at_once else ())], return_when=FIRST_COMPLETED)
        return [begun[tool].result() for tool in tools]


def python_or_reason(environments: tuple[str, ...]) -> tuple[Path | None, str, str]:
    """The interpreter of the first environment that can be had, made if need be; or None, a status and why."""
    try:
        return first_python_of(environments), "", ""
    except NoInterpreter as error:
        return None, "skipped", str(error)
    except (SetUpFailed, MissingPackage) as error:
        return None, "failed", str(error)


def print_table(outcomes: list[Outcome], seconds: float) -> None:
    """Print one line for each outcome: name, status, seconds, and how or why."""
    width = max(len(outcome.name) for outcome in outcomes)
    print(f"\n== Summary, {seconds:.0f} s on Python {sys.version.split()[0]}")
    for outcome in outcomes:
        print(f"{outcome.name:{width}}  {outcome.status:7}  {outcome.seconds:6.1f} s  {outcome.detail}")
    sys.stdout.flush()
