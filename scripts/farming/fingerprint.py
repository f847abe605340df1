# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells one state of Hooke's code from another, and files by their content."""

import hashlib
import tomllib
from pathlib import Path

HOOKE = Path(__file__).resolve().parents[2]


def of_hooke(root):
    """Version and checksum of the code of a package hooke, of a checkout or an installed extension, as one string.

    root: folder of its __init__.py. Of the manifest only the version counts: Blender's extension builder rewrites it.
    """
    root = Path(root)
    manifest = tomllib.loads((root / "blender_manifest.toml").read_text(encoding="utf-8"))
    digest = hashlib.sha256()
    for path in [
        root / "__init__.py",
        *sorted((root / "core").rglob("*.py")),
        *sorted((root / "core" / "kernels").glob("*.[ch]")),
        *sorted((root / "addon").rglob("*.py")),
    ]:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{manifest['version']}-{digest.hexdigest()[:16]}"


def of_file(path):
    """SHA-256 of a file's content; raises OSError."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
