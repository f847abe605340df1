# SPDX-License-Identifier: GPL-3.0-or-later
"""The copy of Hooke that a farm's workers run: always the one the farm was started from, whatever happens to that."""

import io
import secrets
import shutil
import zipfile
from pathlib import Path

from . import held_files
from .fingerprint import HOOKE

# What is in the extension's zip but its wheels, and what bakes and pictures without an interface.
_FILES = (
    "__init__.py",
    "blender_manifest.toml",
    "LICENSE",
    "core/**/*.py",
    "core/kernels/*.[ch]",
    "core/kernels/built/hooke_kernels-*",
    "addon/**/*.py",
    "scripts/bake.py",
    "scripts/farming/*.py",
)


def packed():
    """The copy as the bytes of a zip file, the same for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted({path for pattern in _FILES for path in HOOKE.glob(pattern)}):
            archive.writestr(zipfile.ZipInfo(path.relative_to(HOOKE).as_posix()), path.read_bytes())
    return buffer.getvalue()


def unpack(content, folder):
    """Have a zip file's content in a folder, whole, whoever else does the same; raises OSError."""
    folder = Path(folder)
    if folder.is_dir():
        return
    partial = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}.partial")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            archive.extractall(partial)
        held_files.rename(partial, folder)
    except OSError:
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)
