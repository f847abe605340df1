# SPDX-License-Identifier: GPL-3.0-or-later
"""The C library's functions of complex numbers, which NumPy's and SciPy's modules import and Wine 8's ucrtbase lacks.

Modules that name the library with them are let name another of as many letters, which has those of MinGW and hands all
other calls on.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from zipfile import ZipFile

from commands import run_quietly
from environments import SetUpFailed

_OLD, _NEW = b"api-ms-win-crt-math-l1-1-0.dll", b"hooke-wine-crt-complex-001.dll"
_COMPLEX = re.findall(
    r"\w+",
    "abs acos acosh arg asin asinh atan atanh cos cosh exp imag log pow proj real sin sinh sqrt tan tanh",
)
_EXPORTED = re.compile(r"\[ *\d+\] *(?:\+base\[ *\d+\] *)?(?:[0-9a-f]+ +)?([A-Za-z_]\w*)")


def keep_reference(files: ZipFile, folder: Path) -> None:
    """Keep Windows' own library of the name from an archive: its list of names is what the other one has."""
    (folder / "reference.dll").write_bytes(files.read(f"deploy_libs/{_OLD.decode()}"))


def replace(site: Path, home: Path) -> None:
    """Make the library in a folder `home`, and let the modules below `site` name it; raises SetUpFailed."""
    folder = home.parent
    table = _run(["x86_64-w64-mingw32-objdump", "-p", folder / "reference.dll"], folder)
    names = list(dict.fromkeys(_EXPORTED.findall(table.split("Ordinal/Name Pointer", 1)[1])))
    own = sorted({f"c{name}{kind}" for name in _COMPLEX for kind in ("", "f")} & set(names))
    exports = [f'"{n}" = my_{n}' if n in own else f'"{n}" = "ucrtbase.{n}"' for n in names]
    (folder / "complex.def").write_text(
        "\n".join(["LIBRARY complex", "EXPORTS", *exports, ""]), encoding="utf-8"
    )
    source = ["#include <complex.h>", *map(_function, own), ""]
    (folder / "complex.c").write_text("\n".join(source), encoding="utf-8")
    words = ["-O1", "-shared", "-static", "-static-libgcc", "-o", _NEW.decode(), "complex.c", "complex.def"]
    _run(["x86_64-w64-mingw32-gcc", *words], folder)
    shutil.move(folder / _NEW.decode(), home / _NEW.decode())
    for path in site.rglob("*"):
        if path.suffix in (".pyd", ".dll") and _OLD in (content := path.read_bytes()):
            path.write_bytes(content.replace(_OLD, _NEW))


def _function(name: str) -> str:
    """The C of a function by the name it is exported under."""
    kind = "float" if name.endswith("f") else "double"
    base = name[1:].removesuffix("f")
    gives = kind if base in ("abs", "arg", "imag", "real") else f"{kind} complex"
    taken, passed = f"{kind} complex a", "a"
    if base == "pow":
        taken, passed = f"{taken}, {kind} complex b", "a, b"
    return f"{gives} my_{name}({taken}) {{ return {name}({passed}); }}"


def _run(words, folder: Path) -> str:
    told = run_quietly(words, cwd=folder)
    if told.returncode != 0:
        raise SetUpFailed(f"The functions that Wine lacks cannot be made: {told.stderr.strip()[-500:]}")
    return told.stdout
