# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up, test, demonstrate, lint and build Hooke; each command does all its own set-up.

    python3 scripts/dev.py test            every check this machine can run, and which it cannot and why
    python3 scripts/dev.py test core lint  only these
    python3 scripts/dev.py demo            bake the demo scenes with real Blender
    python3 scripts/dev.py lab             measure every integrator again: docs/integrators.md and its pictures
    python3 scripts/dev.py benchmark       measure what a frame costs, beside others: docs/benchmark.md
    python3 scripts/dev.py lint            ruff and mypy
    python3 scripts/dev.py build           the extension's zips, in dist/

Any Python from 3.9 on starts it; the work is done in environments in .venv/, on Python 3.11 (Blender 4.5) and
3.13 (Blender 5.2), whichever this machine has. The environment variable BLENDER names real Blender
applications for `test application`: one command, such as `blender`, or several with `;` between them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from benchmark.subjects import SUBJECTS
from checks import CHECKS, lint, run_checks
from environments import ROOT, NoInterpreter, SetUpFailed, python_of
from system_packages import MissingPackage


def test(arguments: list[str]) -> int:
    """Run the named checks, or all of them, and print a table of what ran; status 1 when any failed."""
    parser = argparse.ArgumentParser(prog="dev.py test", description="Run checks: " + ", ".join(CHECKS))
    parser.add_argument("checks", nargs="*", metavar="CHECK", help="only these; all of them by default")
    names = parser.parse_args(arguments).checks or list(CHECKS)
    unknown = sorted(set(names) - set(CHECKS))
    if unknown:
        parser.error(f"there is no check {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    return run_checks({name: CHECKS[name] for name in names})


def demo(arguments: list[str]) -> int:
    """Run scripts/demo.py where bpy is; arguments pass through, the output folder is demo/ by default."""
    if "--output" not in arguments:
        arguments = [*arguments, "--output", str(ROOT / "demo")]
    output = Path(arguments[arguments.index("--output") + 1]).resolve()
    status = subprocess.run([python_with_bpy(), ROOT / "scripts" / "demo.py", *arguments]).returncode
    if status == 0:
        print(f"The demo's results are in {output}:")
        for path in sorted(output.rglob("*")):
            if path.is_file():
                print(f"  {path.relative_to(output)}  {path.stat().st_size / 1e6:.1f} MB")
    return status


def build(arguments: list[str]) -> int:
    """Run scripts/build.py where Blender's extension builder is."""
    return subprocess.run([python_with_bpy(), ROOT / "scripts" / "build.py", *arguments]).returncode


def python_with_bpy() -> Path:
    """The interpreter of the first bpy environment this machine can have; raises NoInterpreter."""
    return first_python_of(("bpy-4.5", "bpy-5.2"))


def first_python_of(names: tuple[str, ...]) -> Path:
    """The interpreter of the first of some environments that this machine can have; raises NoInterpreter."""
    for name in names[:-1]:
        try:
            return python_of(name)
        except NoInterpreter:
            continue
    return python_of(names[-1])


def benchmark(arguments: list[str]) -> int:
    """Measure the subjects named, or all, each where what it needs is, and write docs/benchmark.md.

    What one subject lacks, or where it fails, does not keep the others from running.
    """
    names = [word for word in arguments if word in SUBJECTS]
    options = [word for word in arguments if word not in SUBJECTS]
    script = ROOT / "scripts" / "benchmark"
    reasons = {}
    for name in names or SUBJECTS:
        try:
            python = first_python_of(SUBJECTS[name].environments)
            status = subprocess.run([python, script, name, *options]).returncode
            if status != 0:
                reasons[name] = f"ended with status {status}"
        except (NoInterpreter, SetUpFailed, MissingPackage) as error:
            reasons[name] = str(error)
    status = subprocess.run([python_of("plain"), script, "report"]).returncode
    for name, reason in reasons.items():
        print(f"{name} was not measured: {reason}", file=sys.stderr)
    return 1 if reasons else status


def lab(arguments: list[str]) -> int:
    """Run the experiments named, or all that write pictures and tables, each where what it needs is."""
    experiments = arguments or ["methods", "lattice", "factorisation", "lattice_demo", "settings"]
    in_blender = [name for name in experiments if name in ("lattice_demo", "settings")]
    others = [name for name in experiments if name not in in_blender]
    status = 0
    for names, python in ((others, lambda: python_of("plain")), (in_blender, python_with_bpy)):
        if names and status == 0:
            status = subprocess.run([python(), ROOT / "scripts" / "lab", *names]).returncode
    return status


COMMANDS = {
    "test": test,
    "demo": demo,
    "lab": lab,
    "benchmark": benchmark,
    "lint": lambda _arguments: run_checks({"lint": lint}),
    "build": build,
}


def main(words: list[str]) -> int:
    """Run the command that `words` begin with; the rest are its arguments."""
    if not words or words[0] not in COMMANDS:
        print(__doc__.strip(), file=sys.stdout if words in (["-h"], ["--help"]) else sys.stderr)
        return 0 if words in (["-h"], ["--help"]) else 2
    try:
        return COMMANDS[words[0]](words[1:])
    except (NoInterpreter, SetUpFailed, MissingPackage) as error:
        print(f"dev.py {words[0]}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
