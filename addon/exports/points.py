# SPDX-License-Identifier: GPL-3.0-or-later
"""Alembic and USD: the evaluated mesh of every frame."""

import bpy

from ...core.file_kinds import Kind, archive_of, beginning
from ..mesh_io import MeshError
from .format import Format

_USD = (beginning("a USD file", b"PXR-USDC", b"#usda"), archive_of("a USD package", ".usdc", ".usda", ".usd"))


class _Points(Format):
    """A format of meshes as renders see them."""

    def check(self, obj):
        """Raise MeshError if renders do not see the object."""
        if obj.hide_render:
            raise MeshError(
                f"'{obj.name}' is hidden in renders, and {self.label} holds what renders show: turn on Renders for it"
            )


class Alembic(_Points):
    """The evaluated mesh of every frame."""

    id = "ALEMBIC"
    label = "Alembic"
    description = "The evaluated mesh of every frame, from any bake (.abc)"
    extensions = (".abc",)
    kind = beginning("an Alembic file", b"Ogawa", b"\x89HDF\r\n\x1a\n")

    def available(self):
        """Whether Blender was built with it."""
        return bpy.app.build_options.alembic

    def write(self, filepath, selected, first, last):
        """Write the frames at once, not in a job."""
        bpy.ops.wm.alembic_export(
            filepath=filepath, start=first, end=last, selected=selected, as_background_job=False
        )


class Usd(_Points):
    """The evaluated mesh of every frame, as points sampled over time."""

    id = "USD"
    label = "USD"
    description = "The evaluated mesh of every frame, from any bake (.usdc)"
    extensions = (".usdc", ".usd", ".usda", ".usdz")
    kind = Kind("a USD file", lambda file: any(usd.recognises(file) for usd in _USD if file.seek(0) == 0))

    def available(self):
        """Whether Blender was built with it."""
        return bpy.app.build_options.usd

    def write(self, filepath, selected, first, last):
        """Write points: USD's own blend shapes and skeletons would leave other modifiers out."""
        bpy.ops.wm.usd_export(
            filepath=filepath,
            selected_objects_only=selected,
            export_animation=True,
            export_shapekeys=False,
            export_armatures=False,
        )
