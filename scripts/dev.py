# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up, test, demonstrate, measure, lint and build Hooke; each command does all its own set-up.

Any Python from 3.9 on starts it; the work is done in environments in .venv/, on Python 3.11 (Blender 4.2 to 5.0) and
3.13 (Blender 5.2), whichever this machine has.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pages
from applications import find_blender
from checks import CHECKS, USUAL, run_checks
from commands import escape_letters
from compiling import CannotCompile, build_own
from environments import ROOT, WITH_BPY, NoInterpreter, SetUpFailed, first_python_of, keep_compiled, python_of
from measuring.subjects import ROOMS, add_options
from system_packages import MissingPackage

SCRIPTS = ROOT / "scripts"


def test(chosen: argparse.Namespace) -> int:
    """Run the named checks, or the usual ones, and print a table of what ran; status 1 when any failed."""
    return run_checks(chosen.checks)


def lint(_chosen: argparse.Namespace) -> int:
    """The check `lint` alone."""
    return run_checks(["lint"])


def compile_kernels() -> None:
    """Have the compiled kernels of this checkout; where nothing compiles them NumPy calculates, in twice the time."""
    try:
        build_own()
    except CannotCompile as error:
        print(f"Without compiled kernels: {error}", file=sys.stderr)


def demo(chosen: argparse.Namespace) -> int:
    """Run scripts/demo.py where bpy is, and list what it made."""
    compile_kernels()
    output = chosen.output.resolve()
    command = [first_python_of(WITH_BPY), SCRIPTS / "demo.py", "--output", output]
    status = subprocess.run(command).returncode
    if status == 0:
        print(f"The demo's results are in {output}:")
        for path in sorted(output.rglob("*")):
            if path.is_file():
                print(f"  {path.relative_to(output)}  {path.stat().st_size / 1e6:.1f} MB")
    return status


def build(chosen: argparse.Namespace) -> int:
    """Run scripts/build.py, or release.py, where Blender's extension builder is: with a Blender here, or bpy."""
    python = python_of("build") if find_blender() else first_python_of(WITH_BPY)
    script = "release.py" if chosen.release else "build.py"
    command = [python, SCRIPTS / script, "--output", chosen.output.resolve()]
    for platform in chosen.platform or ():
        command += ["--platform", platform]
    return subprocess.run(command).returncode


def course(chosen: argparse.Namespace) -> int:
    """Run the course's texts, and say where their pages and pictures are; status 1 where one of them fails."""
    output = chosen.output.resolve()
    compile_kernels()
    status = subprocess.run([python_of("plain"), *pages.course_words(output)]).returncode
    if status == 0:
        print(f"The pages and pictures are in {output}.")
    return status


def site(_chosen: argparse.Namespace) -> int:
    """Make the documentation site, its course and its examples' files; status 1 where a text or a link fails."""
    # Nowhere else: MkDocs empties the folder first.
    output, texts, examples = (ROOT / "dist" / name for name in ("site", "course", "examples"))
    if status := course(argparse.Namespace(output=texts)):
        return status
    blender = first_python_of(WITH_BPY)
    if status := subprocess.run([blender, SCRIPTS / "example_files.py", "--output", examples]).returncode:
        return status
    variables = {**os.environ, pages.COURSE: str(texts), pages.EXAMPLES: str(examples)}
    status = subprocess.run([python_of("site"), "-m", *pages.site_words(output)], env=variables).returncode
    if status == 0:
        print(f"The site is in {output}: open index.html there, or serve the folder.")
    return status


def measure(chosen: argparse.Namespace) -> int:
    """Measure the subjects named of a room, or the usual ones, each where what it needs is; they write into docs/.

    What one lacks, or where it fails, does not keep the others from running.
    """
    compile_kernels()
    subjects, reasons = ROOMS[chosen.command], {}
    options = [
        f"--frames={chosen.frames}",
        f"--quads={chosen.quads}",
        *(f"--row={row}" for row in chosen.rows),
    ]
    for name in chosen.subjects or [name for name, subject in subjects.items() if subject.usual]:
        try:
            python = first_python_of(subjects[name].environments)
            words = [python, SCRIPTS / "measuring", chosen.command, name, *options]
            if status := subprocess.run(words).returncode:
                reasons[name] = f"ended with status {status}"
        except (NoInterpreter, SetUpFailed, MissingPackage) as error:
            reasons[name] = str(error)
    for name, reason in reasons.items():
        print(f"{name} was not measured: {reason}", file=sys.stderr)
    return 1 if reasons else 0


class OneSentence(argparse.ArgumentParser):
    """A parser whose errors are one sentence on stderr, with status 2."""

    def error(self, message: str):
        """Say what is wrong and where help is."""
        self.exit(2, f"{self.prog}: {message}; `{self.prog} --help` lists what there is\n")


def parser() -> argparse.ArgumentParser:
    """The commands and their arguments."""
    found = OneSentence(
        prog="dev.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = found.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name, run, summary, epilog=""):
        added = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(run=run)
        return added

    tests = command(
        "test",
        test,
        "every check this machine can run, and which it cannot and why",
        "The environment variable BLENDER names real Blender applications for the check `application`: one command,\n"
        "such as `blender`, or several with `;` between them.",
    )
    tests.add_argument(
        "checks",
        nargs="*",
        type=one_of("check", CHECKS),
        metavar="CHECK",
        help=f"only these, of {', '.join(CHECKS)}; without any, {', '.join(USUAL)}",
    )
    command("lint", lint, "ruff and mypy")
    folder = command("demo", demo, "bake the demo scenes with real Blender, and say where they are")
    folder.add_argument("--output", type=Path, default=ROOT / "demo", metavar="DIR", help="demo/ by default")
    texts = command("course", course, "run the texts for students, and write them with output and pictures")
    texts.add_argument(
        "--output", type=Path, default=ROOT / "dist" / "course", metavar="DIR", help="dist/course/ by default"
    )
    command(
        "site",
        site,
        "the documentation as a site with a search in dist/site/, of files that any host serves",
        "The environment variable HOOKE_SITE_URL says where it will be served, such as https://example.org/hooke/:\n"
        "then the page for what is not found finds its way back from any depth.",
    )
    zips = command(
        "build",
        build,
        "the extension's zip for this machine's platform, to install in Blender",
        "On first use 220 MB are fetched, the wheels and a C compiler, where there is a Blender: on the PATH, where\n"
        "its installer puts it, or named in the environment variable BLENDER. Without one Blender comes as a module:\n"
        "700 MB are fetched, and .venv/ takes 1.7 GB. The zip has 120 MB, each of --release 45 MB.",
    )
    zips.add_argument("--output", type=Path, default=ROOT / "dist", metavar="DIR", help="dist/ by default")
    zips.add_argument(
        "--platform", action="append", metavar="ID", help="for this one instead, or `all`; may be repeated"
    )
    zips.add_argument(
        "--release", action="store_true", help="one for each Python of all platforms, and their index"
    )
    for name, subjects in ROOMS.items():
        lines = [f"  {id:14} {subject.measures}" for id, subject in subjects.items()]
        added = command(
            name, measure, "measure again what tables in docs/ say", "subjects:\n" + "\n".join(lines)
        )
        usual = ", ".join(id for id, subject in subjects.items() if subject.usual)
        added.add_argument(
            "subjects",
            nargs="*",
            type=one_of("subject", subjects),
            metavar="SUBJECT",
            help=f"only these; without any, {usual}",
        )
        add_options(added)
    return found


def one_of(what: str, names: Mapping[str, object]):
    """A type of argument: one of some names."""

    def name(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(f"there is no {what} {text}")
        return text

    return name


def main() -> int:
    """Run the command; returns the exit status."""
    chosen = parser().parse_args()
    keep_compiled()
    escape_letters()
    try:
        return chosen.run(chosen)
    except (NoInterpreter, SetUpFailed, MissingPackage) as error:
        print(f"dev.py {chosen.command}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
