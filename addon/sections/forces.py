# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on the object from outside."""

from types import MappingProxyType

from bpy.props import FloatProperty

from ...core import AirDrag
from .section import Section


class Forces(Section):
    """The air around the object."""

    id = "forces"
    # With it a cotton sheet of 2 m, let go at two corners, is lowest after 0.9 s and at rest after eight.
    initial = MappingProxyType({"air_drag": 0.1})

    air_drag: FloatProperty(
        name="Air Drag",
        description="Resistance of still air (drag coefficient): it brings what swings to rest. 0 is none, at 0.1 a "
        "sheet of cotton settles in about eight seconds, 1.2 is what a real one meets when it moves flat on",
        default=0.0,
        min=0.0,
        soft_max=1.5,
        precision=2,
        step=1,
    )

    def draw_main(self, layout, obj):
        """Draw the air."""
        layout.prop(obj.hooke, "air_drag")

    def simulation_arguments(self, settings, scene, network, maps, surroundings):
        """The drag, if there is air."""
        return {"forces": (AirDrag(settings.air_drag),)} if settings.air_drag > 0.0 else {}
