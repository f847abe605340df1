# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooke's version, which the manifest alone states."""

import tomllib
from pathlib import Path

_MANIFEST = Path(__file__).resolve().parent.parent / "blender_manifest.toml"

VERSION = tomllib.loads(_MANIFEST.read_text(encoding="utf-8"))["version"]
