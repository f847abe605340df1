# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds the object."""

from bpy.props import FloatProperty, StringProperty

from .labelled import draw_quantity
from .section import Section


class Pins(Section):
    """The pinned vertices, and how firmly the softly pinned are pulled."""

    id = "pins"
    label = "Pins"
    maps = ("pin_group",)

    pin_group: StringProperty(
        name="Pin Group",
        description="Vertex group of what is held: these vertices follow whatever moves them, exactly at weight 1, "
        "pulled by Pin Stiffness below it. Without one the object falls freely",
    )
    pin_stiffness: FloatProperty(
        name="Pin Stiffness",
        description="How hard vertices of a pin weight below 1 are pulled to where they belong: weight times this "
        "[N/m]; more lets them lag less",
        default=10.0,
        min=1e-6,
        soft_min=0.1,
        soft_max=1e5,
        precision=1,
        step=100,
    )

    def draw_main(self, layout, obj):
        """Draw the choice of the group."""
        layout.prop_search(obj.hooke, "pin_group", obj, "vertex_groups")

    def draw(self, layout, obj):
        """Draw what softly pinned vertices need."""
        draw_quantity(layout, obj.hooke, "pin_stiffness", "N/m")

    def counts(self, obj, network):
        """Whether any vertex is held softly: reading weights takes too long to be done at every redraw."""
        if network is None:
            return obj.hooke.pin_group in obj.vertex_groups
        return len(network.soft_pins) > 0

    def network_arguments(self, settings, maps, before):
        """Weights and stiffness of the pins."""
        return {"pins": maps["pin_group"], "pin_stiffness": settings.pin_stiffness}
