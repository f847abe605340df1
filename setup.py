# SPDX-License-Identifier: GPL-3.0-or-later
"""Install the checkout, whatever its folder is called, as the package `hooke`.

Only what pyproject.toml cannot say: the package list with its `hooke.` prefix, and the version, whose one
place is blender_manifest.toml.
"""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

manifest = tomllib.loads((Path(__file__).parent / "blender_manifest.toml").read_text(encoding="utf-8"))
rooms = find_packages(include=["core", "core.*", "addon", "addon.*"])

setup(
    script_name="setup.py",  # by this setuptools knows which file to leave out of the package
    version=manifest["version"],
    packages=["hooke", *(f"hooke.{room}" for room in rooms)],
    package_dir={"hooke": "."},
    package_data={"hooke": ["blender_manifest.toml"], "hooke.core.kernels": ["*.c", "*.h"]},
)
