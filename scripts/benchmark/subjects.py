# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be measured, and in which environments, best first; imports nothing but Python's own library."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """A module of this package, what it measures, and the names of the environments that can run it."""

    module: str
    measures: str
    environments: tuple[str, ...]


SUBJECTS = {
    "core": Subject("core", "the solver without Blender, over the size of the sheet", ("plain",)),
    "live": Subject("live", "Hooke's frames in Blender and their parts", ("bpy-5.2", "bpy-4.5")),
    "rivals": Subject("rivals", "Hooke and what Blender itself offers", ("bpy-5.2", "bpy-4.5")),
    "packages": Subject("packages", "Hooke's core and cloth solvers from PyPI", ("rivals",)),
}
