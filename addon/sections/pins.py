# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds the object."""

from bpy.props import FloatProperty, StringProperty

from .keyed import over_time
from .labelled import draw_quantity
from .section import Section

# Strength that pulls at nothing.
_NEXT_TO_NONE = 1e-9


class Pins(Section):
    """The pinned vertices, and how firmly the softly pinned are pulled."""

    id = "pins"
    label = "Pins"
    maps = ("pin_group",)
    animatable = ("pin_strength",)

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

    pin_strength: FloatProperty(
        name="Pin Strength",
        description="How much of the pin weights acts: 1 all, below it what was held exactly is pulled as softly as by "
        "Pin Stiffness, 0 lets go. Keyed to 0 the object falls from that frame on, keyed up again it is held where it "
        "is; each change makes new factors",
        default=1.0,
        min=0.0,
        max=1.0,
        precision=2,
        step=1,
        subtype="FACTOR",
    )

    def draw_main(self, layout, obj):
        """Draw the choice of the group, and how much of it acts."""
        layout.prop_search(obj.hooke, "pin_group", obj, "vertex_groups")
        row = layout.row()
        row.enabled = obj.hooke.pin_group in obj.vertex_groups
        row.prop(obj.hooke, "pin_strength", slider=True)

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
        pins = {"pins": maps["pin_group"], "pin_stiffness": settings.pin_stiffness}
        if settings.pin_strength < 1.0 and over_time(settings, "pin_strength") is None:
            # What is let go stays one of those that targets are read for.
            pins["pins"] = max(settings.pin_strength, _NEXT_TO_NONE) * pins["pins"]
        return pins
