# SPDX-License-Identifier: GPL-3.0-or-later
"""The virtual environments in .venv/: made on first use from pinned requirements, kept while those stay."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from commands import run_quietly
from interpreters import find_interpreter
from system_packages import LIBRARIES, MissingPackage, install

ROOT = Path(__file__).resolve().parent.parent
RETRY = re.compile(r"Retrying \(Retry\(.*?\)\) after ")
MISSING_LIBRARY = re.compile(r"(lib\S+\.so[.\d]*): cannot open shared object file")


class NoInterpreter(Exception):
    """No Python of a fitting version is on this machine; the message says which one to install."""


class SetUpFailed(Exception):
    """An environment could not be made; the message says why."""


@dataclass(frozen=True)
class Environment:
    """What an environment's Python versions are, best first, what it holds, and what that takes on the disk.

    checkout: whether it has the checkout as package hooke.

    Its name is that of its folder in .venv/ and of the requirements file that fills it.
    """

    versions: tuple[str, ...]
    holds: str
    gigabytes: float = 0.1
    checkout: bool = True


BLENDER = "Blender {} as a module"
ENVIRONMENTS = {
    "plain": Environment(
        ("3.11", "3.13", "3.12", "3.14"), "NumPy, SciPy, Matplotlib, pytest, ruff and mypy", 0.5
    ),
    "build": Environment(
        ("3.13", "3.11", "3.12", "3.14"), "pip to fetch wheels, and a C compiler", 0.5, checkout=False
    ),
    "farm": Environment(
        ("3.11", "3.13", "3.12", "3.14"), "Dask's distributed scheduler, Pillow and pytest", 0.3
    ),
    "site": Environment(("3.11", "3.13", "3.12", "3.14"), "MkDocs", checkout=False),
    "rivals": Environment(("3.11", "3.12"), "cloth solvers of others for the benchmark"),
    "bpy-4.2": Environment(("3.11",), BLENDER.format("4.2"), 1.2),
    "bpy-4.5": Environment(("3.11",), BLENDER.format("4.5"), 1.2),
    "bpy-5.0": Environment(("3.11",), BLENDER.format("5.0"), 1.2),
    "bpy-5.2": Environment(("3.13",), BLENDER.format("5.2"), 1.2),
}
# Where any Blender will do: the newest, and the lowest for machines without its Python.
WITH_BPY = ("bpy-5.2", "bpy-4.2")


def first_python_of(names: Sequence[str]) -> Path:
    """The interpreter of the first of some environments that this machine can have; raises as `python_of`."""
    for name in names[:-1]:
        try:
            return python_of(name)
        except NoInterpreter:
            continue
    return python_of(names[-1])


def python_of(name: str) -> Path:
    """The interpreter of an environment, which is made first if it is not there or its requirements changed.

    Raises NoInterpreter, SetUpFailed, or MissingPackage.
    """
    environment = ENVIRONMENTS[name]
    base = find_interpreter(*environment.versions)
    if base is None:
        raise NoInterpreter(
            f"needs Python {' or '.join(environment.versions)}, which is not on this machine; install "
            f"it (from python.org, with pyenv or uv, or the system's package python{environment.versions[0]})"
        )
    folder = ROOT / ".venv" / name
    python = interpreter_in(folder)
    stamp = folder / "made-from"
    wanted = fingerprint(name, base)
    with one_at_a_time(folder):
        if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted):
            started = time.monotonic()
            check_space(name, environment.gigabytes)
            size = f"about {environment.gigabytes:g} GB"
            print(f"Making .venv/{name}: {environment.holds}, {size}; this can take minutes.", flush=True)
            make(name, base, folder, python)
            stamp.write_text(wanted, encoding="utf-8")
            print(f"  .venv/{name} is ready after {time.monotonic() - started:.0f} s.", flush=True)
        # Asked apart from the packages: what the system lacks is no reason to fetch them again.
        if name.startswith("bpy-") and not (proven := folder / "imports").is_file():
            ensure_libraries(python)
            proven.touch()
    return python


def keep_compiled() -> None:
    """Let every Python that is started from here keep what it compiles, whatever the caller's environment says.

    Environments are not compiled when they are made: Blender as a module, with NumPy, SciPy and Hooke, takes three
    times as long to start where it compiles them anew.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def interpreter_in(folder: Path, system: str = os.name) -> Path:
    """Where a virtual environment has its interpreter; system: as `os.name` has it."""
    return folder / ("Scripts/python.exe" if system == "nt" else "bin/python")


def check_space(name: str, gigabytes: float) -> None:
    """Raise SetUpFailed, before anything is fetched, where the disk has no room for an environment."""
    free = shutil.disk_usage(ROOT).free / 1e9
    if free < gigabytes:
        raise SetUpFailed(
            f".venv/{name} takes {gigabytes:g} GB, and the disk of {ROOT} has {free:.1f} GB left: make room there, or "
            "remove environments that are not needed from .venv/"
        )


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait for another process that makes the same folder; the lock falls with the process that holds it."""
    folder.parent.mkdir(exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w", encoding="utf-8") as file:
        if sys.platform == "win32":
            import msvcrt

            # LK_LOCK gives up after ten seconds.
            while not _has_lock(msvcrt, file):
                time.sleep(0.2)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _has_lock(msvcrt, file) -> bool:
    """Whether the first byte of a file could be locked, on Windows."""
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno != errno.EACCES:
            raise
        return False
    return True


def requirements(name: str) -> list[Path]:
    """An environment's requirements file, and those it begins with."""
    path = ROOT / "scripts" / "requirements" / f"{name}.txt"
    included = re.findall(r"^-r (\S+)\.txt$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return [path, *(file for other in included for file in requirements(other))]


def fingerprint(name: str, base: Path) -> str:
    """What an environment is made from: its requirements, its interpreter, and where the checkout lies."""
    digest = hashlib.sha256(str(ROOT).encode() + os.fsencode(base.resolve()))
    for path in (*requirements(name), ROOT / "setup.py"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def make(name: str, base: Path, folder: Path, python: Path) -> None:
    """Make one environment from nothing and prove that it is complete."""
    shutil.rmtree(folder, ignore_errors=True)
    ensure_venv_module(base)
    run("the virtual environment", [str(base), "-m", "venv", str(folder)])
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    pinned = str(requirements(name)[0])
    # Nothing but the pinned list is installed; `pip check` then proves that the list has everything. Python compiles
    # what it imports; all of Blender's scripts would take longer than the rest.
    quick = ["--no-deps", "--no-compile", "--only-binary=:all:"]
    run("its packages", [*pip, "install", *quick, "--requirement", pinned])
    if ENVIRONMENTS[name].checkout:
        editable = ["install", "--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
        run("the checkout as package hooke", [*pip, *editable])
    run("the check of its packages", [*pip, "check"])


def run(what: str, command: list[str]) -> None:
    """Run one step of making an environment quietly; raises SetUpFailed with its last words."""
    told = run_quietly(command)
    if told.returncode != 0:
        raise SetUpFailed(f"Setting up {what} failed:\n{last_words(told.stderr + told.stdout)}")


def last_words(printed: str) -> str:
    """The last lines that a program printed; of those that differ in what pip counts, one."""
    lines = [RETRY.sub("", line) for line in printed.strip().splitlines()]
    return "\n".join(list(dict.fromkeys(lines))[-8:])


def ensure_venv_module(base: Path) -> None:
    """Install Python's venv module where it is missing: Debian has it in a package of its own."""
    probe = "import sys; print('%d.%d' % sys.version_info[:2]); import ensurepip, venv"
    told = run_quietly([base, "-c", probe])
    if told.returncode != 0:
        version = told.stdout.strip()
        install([f"python{version}-venv"], f"making environments with Python {version}")


def ensure_libraries(python: Path) -> None:
    """Import bpy once and install the shared libraries it misses; raises MissingPackage if that fails."""
    # bpy may hang at interpreter exit, hence the hard exit.
    attempt = [str(python), "-c", "import bpy, os; os._exit(0)"]
    told = run_quietly(attempt)
    missing = MISSING_LIBRARY.search(told.stderr)
    if told.returncode != 0 and missing:
        print(f"  The bpy module misses {missing[1]} and may miss more of its kind.", flush=True)
        install(sorted(LIBRARIES.values()), "Blender's bpy module")
        told = run_quietly(attempt)
        missing = MISSING_LIBRARY.search(told.stderr)
    if told.returncode != 0 and missing:
        raise MissingPackage(f"bpy needs the shared library {missing[1]}; install the package that holds it.")
    if told.returncode != 0:
        raise SetUpFailed(f"`import bpy` failed: {told.stderr.strip()[-1500:]}")
