# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile the kernels of core/kernels/ into one library, for this machine or another platform."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from commands import escape_letters, run_quietly
from environments import ROOT, NoInterpreter, SetUpFailed, one_at_a_time, python_of
from system_packages import MissingPackage

KERNELS = ROOT / "core" / "kernels"
BUILT = KERNELS / "built"
# Bits are the same on every processor, those with a fused multiply-add too; no kernel asks for errno; and each is given
# all sizes and its part, whether it needs them or not.
FLAGS = (
    "-std=c11",
    "-O3",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fvisibility=hidden",
    "-shared",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
)


class CannotCompile(Exception):
    """There is no compiler, or it fails; the message says what to do."""


def library_module():
    """core/kernels/library.py, which needs neither NumPy nor the rest of the core."""
    spec = importlib.util.spec_from_file_location("kernel_library", KERNELS / "library.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def own_compiler() -> list[str]:
    """The command of a C compiler of this machine, [] where there is none."""
    names = (os.environ.get("CC"), "gcc", "clang", "cc")
    return next(([name] for name in names if name and shutil.which(name)), [])


def compiler() -> list[str]:
    """The command of a C compiler of this machine, else of the ziglang package in .venv/build; raises CannotCompile."""
    if own := own_compiler():
        return own
    try:
        return [str(python_of("build")), "-m", "ziglang", "cc"]
    except (NoInterpreter, SetUpFailed, MissingPackage) as error:
        raise CannotCompile(f"no C compiler is on this machine, and none can be had: {error}") from error


def compile_to(
    path: Path, command: Sequence[str], flags: Sequence[str] = (), *, windows: bool = sys.platform == "win32"
) -> str:
    """Compile all kernels into one library at a path; returns the digest of the source that it is of.

    Raises CannotCompile with the compiler's words. windows: whether it is for Windows. In a folder of copies, so that
    no library says where its source lay, and so that the digest is of what was compiled, whatever is edited meanwhile.
    """
    with tempfile.TemporaryDirectory() as folder:
        for source in (*KERNELS.glob("*.c"), *KERNELS.glob("*.h")):
            shutil.copyfile(source, Path(folder, source.name))
        digest = library_module().digest_of(Path(folder))
        files = sorted(source.name for source in Path(folder).glob("*.c"))
        words = [*command, *FLAGS, *flags, *files, "-o", path.name]
        told = run_quietly(words if windows else [*words, "-fPIC", "-lm"], cwd=folder)
        if told.returncode != 0:
            raise CannotCompile(f"the kernels do not compile:\n{told.stderr.strip()}")
        shutil.copyfile(Path(folder, path.name), path)
    if told.stderr.strip():
        print(told.stderr.strip(), file=sys.stderr)
    return digest


def build_own() -> Path:
    """The library of this machine in core/kernels/built, compiled unless it is there; raises CannotCompile."""
    with one_at_a_time(ROOT / ".venv" / "kernels"):
        return build_into(BUILT)


def build_into(folder: Path, command: Sequence[str] = ()) -> Path:
    """The library of this machine in a folder, compiled unless it is there, by a command or `compiler`'s.

    Raises CannotCompile.
    """
    library = library_module()
    for path in folder.glob(f"hooke_kernels-{library.SOURCE}-*{library.SUFFIX}"):
        if path.name == library.name_of(library.SOURCE, path.read_bytes(), library.SUFFIX):
            return path
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("hooke_kernels-*"):
        # One that another process has open stays on Windows.
        try:
            path.unlink()
        except OSError as error:
            print(f"{path.name} stays: {error}", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        made = Path(scratch, f"made{library.SUFFIX}")
        digest = compile_to(made, command or compiler())
        target = folder / library.name_of(digest, made.read_bytes(), library.SUFFIX)
        made.replace(target)
    return target


if __name__ == "__main__":
    escape_letters()
    try:
        print(build_own())
    except CannotCompile as error:
        sys.exit(f"compiling.py: {error}")
