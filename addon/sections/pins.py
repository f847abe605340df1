# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds the object."""

from bpy.props import FloatProperty, StringProperty

from .section import Section


class Pins(Section):
    """The pinned vertices, and how firmly the softly pinned are pulled."""

    id = "pins"
    label = "Pins"
    maps = ("pin_group",)

    pin_group: StringProperty(
        name="Pin Group",
        description="Vertex group of the pinned vertices, which follow whatever moves them: weight 1 holds "
        "exactly, less pulls with the pin stiffness; without one the object falls freely",
    )
    pin_stiffness: FloatProperty(
        name="Pin Stiffness",
        description="Pull on a pinned vertex of a weight below 1: weight times this [N/m]",
        default=10.0,
        min=1e-6,
        soft_max=1e3,
    )

    def draw_main(self, layout, obj):
        """Draw the choice of the group."""
        layout.prop_search(obj.hooke, "pin_group", obj, "vertex_groups")

    def draw(self, layout, obj):
        """Draw what softly pinned vertices need."""
        layout.prop(obj.hooke, "pin_stiffness")

    def network_arguments(self, settings, maps, before):
        """Weights and stiffness of the pins."""
        return {"pins": maps["pin_group"], "pin_stiffness": settings.pin_stiffness}
