# SPDX-License-Identifier: GPL-3.0-or-later
"""The libraries for other platforms: Windows' is run under wine, macOS' are read."""

import os
import re
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path

import mach_o
import numpy as np
import pytest
from compiling import compile_to
from environments import ROOT
from kernel_wheels import PLATFORMS, make_wheel, wheel_name
from macholib.mach_o import MH_DYLIB
from macholib.MachO import MachO
from macholib.SymbolTable import SymbolTable

from hooke.core.kernels import CHOSEN, Indices
from hooke.core.kernels.kernel import agrees_with
from hooke.core.kernels.library import sources

ZIG = ROOT / ".venv" / "build" / "bin" / "python"
WINE = shutil.which("wine64") or next(map(str, Path("/usr/lib/wine").glob("wine64")), None)

pytestmark = pytest.mark.skipif(
    os.environ.get("HOOKE_FOREIGN") != "1" or not ZIG.exists(),
    reason="HOOKE_FOREIGN is not 1, or dev.py build has not set up Zig, which at first takes minutes",
)
needs_wine = pytest.mark.skipif(WINE is None, reason="wine is not installed")


def zig(target):
    return [str(ZIG), "-m", "ziglang", "cc", "-target", target]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("foreign")


def library(folder, platform):
    """Path of the library for a platform, as its wheel has it."""
    target, suffix, _ = PLATFORMS[platform]
    path = folder / f"kernels{suffix}"
    compile_to(path, zig(target), ["-g0", "-s"], windows=suffix == ".dll")
    return path


def declarations():
    """What each kernel takes, by name, as C declares it."""
    source = " ".join(path.read_text(encoding="utf-8") for path in sources() if path.suffix == ".c")
    return {name: " ".join(words.split()) for name, words in re.findall(r"KERNEL (\w+)\(([^)]*)\)", source)}


def program():
    """A C program that runs every kernel of a library on arrays from a file, and writes all of them to another one."""
    runs, calls = [], []
    for kernel in CHOSEN.kernels:
        words = declarations()[kernel.name].split(", ")
        lines, names = [], []
        for word in words:
            kind, name = re.fullmatch(r"(?:const )?(\w+ \*|\w+ )(\w+)", word).groups()
            star = "" if "*" in kind else "*"
            lines.append(f"{kind}{'*' if star else ''}{name} = take(in);")
            names.append(f"{star}{name}")
        runs.append(
            f"static void run_{kernel.name}(HMODULE library, FILE *in) {{\n"
            f"typedef void Kernel({', '.join(words)});\n"
            f'Kernel *kernel = (Kernel *)(void *)GetProcAddress(library, "{kernel.name}");\n'
            f"{chr(10).join(lines)}\nkernel({', '.join(names)});\n}}\n"
        )
        calls.append(f"run_{kernel.name}(library, in); give(out);")
    return (
        "#include <windows.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <stdint.h>\n"
        "static struct { int64_t size; void *data; } taken[64]; static int count;\n"
        "static void *take(FILE *in) {\n"
        "int64_t size; if (fread(&size, 8, 1, in) != 1) exit(2);\n"
        "void *data = malloc(size + 8); if ((int64_t)fread(data, 1, size, in) != size) exit(3);\n"
        "taken[count].size = size; taken[count++].data = data; return data; }\n"
        "static void give(FILE *out) {\n"
        "for (int i = 0; i < count; i++) fwrite(taken[i].data, 1, taken[i].size, out);\ncount = 0; }\n"
        + "".join(runs)
        + "int main(int argc, char **words) {\nHMODULE library = LoadLibraryA(words[1]);\n"
        'FILE *in = fopen(words[2], "rb"), *out = fopen(words[3], "wb");\n'
        "if (argc != 4 || !library || !in || !out) return 1;\n"
        + "\n".join(calls)
        + "\nreturn fclose(out); }\n"
    )


def as_bytes(kernel, values):
    """All that C is given of one call, piece by piece."""
    sizes = kernel.signature.measure(kernel.name, values)
    pieces = []
    for value, argument in zip(values, kernel.signature.arguments, strict=True):
        array = value.values if isinstance(value, Indices) else np.asarray(value, argument.dtype)
        pieces.append(array.tobytes())
    whole = sizes[kernel.over]
    return pieces + [struct.pack("<q", number) for number in (*sizes, 0, whole)]


@needs_wine
def test_windows_library_gives_the_definitions_answers(folder, tmp_path):
    made, source, runner = library(folder, "windows-x64"), tmp_path / "run.c", tmp_path / "run.exe"
    source.write_text(program(), encoding="utf-8")
    told = subprocess.run(
        [*zig("x86_64-windows-gnu"), "-O1", str(source), "-o", str(runner)],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert told.returncode == 0, told.stderr
    cases = [kernel.example(np.random.default_rng(11), 500) for kernel in CHOSEN.kernels]
    pieces = [as_bytes(kernel, values) for kernel, values in zip(CHOSEN.kernels, cases, strict=True)]
    given = b"".join(struct.pack("<q", len(piece)) + piece for call in pieces for piece in call)
    (tmp_path / "in").write_bytes(given)
    names = [str(path) for path in (runner, made, tmp_path / "in", tmp_path / "out")]
    subprocess.run(
        [WINE, *names],
        check=True,
        env=os.environ | {"WINEPREFIX": str(tmp_path / "wine"), "WINEDEBUG": "-all"},
    )
    content, place = (tmp_path / "out").read_bytes(), 0
    for kernel, values, call in zip(CHOSEN.kernels, cases, pieces, strict=True):
        found = list(values)
        for number, piece in enumerate(call):
            part, place = content[place : place + len(piece)], place + len(piece)
            if number < len(values) and kernel.signature.arguments[number].written:
                found[number] = np.frombuffer(part, values[number].dtype).reshape(values[number].shape)
            else:
                assert part == piece, f"{kernel.name} changed what it was to read"
        assert agrees_with(kernel, values, found), kernel.name


@pytest.mark.parametrize(
    ("platform", "processor", "least"),
    [("macos-arm64", 0x0100000C, (11, 0)), ("macos-x64", 0x01000007, (10, 13))],
)
def test_macos_libraries_are_what_their_loader_wants(folder, platform, processor, least):
    (slice_,) = MachO(str(library(folder, platform))).headers
    assert slice_.header.cputype == processor
    assert slice_.header.filetype == MH_DYLIB
    # What it asks for is the system's own, and it is called by where it lies.
    needed = [name for _, _, name in slice_.walkRelocatables()]
    assert needed == ["/usr/lib/libSystem.B.dylib"]
    names = {name.decode() for _, name in SymbolTable(MachO(str(folder / "kernels.dylib"))).extdefsyms}
    assert {f"_{kernel.name}" for kernel in CHOSEN.kernels} <= names
    # Apple's own processors start nothing without a signature, of which one that names nobody will do.
    wheel = folder / wheel_name(platform, "1.0")
    make_wheel(wheel, platform, "1.0", [str(ZIG), "-m", "ziglang", "cc"])
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dylib"))
        content = files.read(name)
    assert mach_o.is_signed(content)
    assert mach_o.least_macos(content) == least
    assert "_{}_{}_".format(*least) in wheel.name


def test_a_library_is_the_same_bytes_each_time(folder):
    assert library(folder, "linux-x64").read_bytes() == library(folder, "linux-x64").read_bytes()
