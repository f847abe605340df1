# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a platform's wheels with the compiled kernels: of them alone, for the extension, and of all, for pip."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import mach_o
from compiling import CannotCompile, compile_to, library_module
from environments import ROOT

# Of each platform: how Zig names it, with the least system that the tag promises; the suffix of a library, and the tag
# of a wheel.
PLATFORMS = {
    "linux-x64": ("x86_64-linux-gnu.2.17", ".so", "manylinux_2_17_x86_64"),
    "windows-x64": ("x86_64-windows-gnu", ".dll", "win_amd64"),
    "macos-arm64": ("aarch64-macos.11.0", ".dylib", "macosx_11_0_arm64"),
    "macos-x64": ("x86_64-macos.10.13", ".dylib", "macosx_10_13_x86_64"),
}
# Nothing of the machine or of the day is in a wheel: the same source gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


def wheel_name(platform: str, version: str) -> str:
    """The file name of a platform's wheel."""
    return f"hooke_kernels-{version}-py3-none-{PLATFORMS[platform][2]}.whl"


def make_wheel(path: Path, platform: str, version: str, zig: Sequence[str]) -> None:
    """Compile the kernels for a platform by a Zig command and pack the wheel; raises CannotCompile."""
    tag = PLATFORMS[platform][2]
    (named, content), sources = _compiled(platform, tuple(zig)), library_module().sources()
    info = f"hooke_kernels-{version}.dist-info"
    files = {
        "hooke_kernels/__init__.py": b'"""The compiled kernels of Hooke, and their source."""\n',
        f"hooke_kernels/{named}": content,
        **{f"hooke_kernels/{source.name}": source.read_bytes() for source in sources},
        f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/METADATA": (
            f"Metadata-Version: 2.1\nName: hooke-kernels\nVersion: {version}\n"
            "Summary: The compiled kernels of Hooke\nLicense: GPL-3.0-or-later\n"
        ).encode(),
        f"{info}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: hooke\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n"
        ).encode(),
    }
    _pack(path, files, info)


def with_library(pure: Path, folder: Path, platform: str, zig: Sequence[str]) -> Path:
    """The wheel of the package `hooke` for a platform: that of any, and the library; raises CannotCompile."""
    tag = PLATFORMS[platform][2]
    named, content = _compiled(platform, tuple(zig))
    name, version = pure.name.split("-")[:2]
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(pure) as wheel:
        files = {each: wheel.read(each) for each in sorted(wheel.namelist()) if not each.endswith("/RECORD")}
    files[f"hooke/core/kernels/built/{named}"] = content
    said = files[f"{info}/WHEEL"].decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    files[f"{info}/WHEEL"] = said.replace("Tag: py3-none-any", f"Tag: py3-none-{tag}").encode()
    made = folder / f"{name}-{version}-py3-none-{tag}.whl"
    _pack(made, files, info)
    return made


def _pack(path: Path, files: dict[str, bytes], info: str) -> None:
    """Write a wheel of some files with its record; info: folder of what it says of itself."""
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, data)


@cache
def _compiled(platform: str, zig: tuple[str, ...]) -> tuple[str, bytes]:
    """The kernels' library for a platform, its file name and content: once for all zips that a process makes."""
    target, suffix, tag = PLATFORMS[platform]
    with TemporaryDirectory() as folder:
        made = Path(folder, f"hooke_kernels{suffix}")
        named = ["-install_name", "@rpath/hooke_kernels.dylib"] if suffix == ".dylib" else []
        digest = compile_to(made, [*zig, "-target", target], ["-g0", "-s", *named], windows=suffix == ".dll")
        content = made.read_bytes()
    if suffix == ".dylib":
        content = _for_macos(content, tag)
    return library_module().name_of(digest, content, suffix), content


def _for_macos(content: bytes, tag: str) -> bytes:
    """A library that is signed, and asks for no newer macOS than a wheel's tag says; raises CannotCompile."""
    _, major, minor, _ = tag.split("_", 3)
    try:
        least = mach_o.least_macos(content)
        if least > (int(major), int(minor)):
            raise CannotCompile(
                f"the kernels ask for macOS {least[0]}.{least[1]}, and their wheel says {tag}"
            )
        return mach_o.signed(content, "hooke_kernels")
    except mach_o.NoLibrary as error:
        raise CannotCompile(f"the kernels for macOS are not as they should be: {error}") from error


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
