# SPDX-License-Identifier: GPL-3.0-or-later
"""Stiffness spring by spring, and the mass of the whole object."""

from bpy.props import BoolProperty, FloatProperty

from .labels import draw_quantity
from .section import Section


def _by_spring(settings, _context):
    """A value of the springs given by hand: from now on they count in place of the material."""
    settings.measure = "SPRING"


class Springs(Section):
    """Stiffness, mass and damping of the springs that edges and faces become, where no material says them."""

    id = "springs"
    label = "Springs"

    stiffness: FloatProperty(
        name="Stiffness",
        description="Stiffness of the springs along edges [N/m]. Higher values hang straighter",
        default=1e4,
        min=1e-6,
        soft_min=1.0,
        soft_max=1e6,
        precision=0,
        step=10000,
        update=_by_spring,
    )
    mass: FloatProperty(
        name="Mass",
        description="Mass of the whole object, spread evenly over its vertices [kg]. Heavier objects stretch "
        "further",
        default=1.0,
        min=1e-6,
        soft_min=0.01,
        soft_max=100.0,
        precision=2,
        step=10,
        update=_by_spring,
    )
    damping: FloatProperty(
        name="Damping",
        description="Damping of each spring [N s/m]: it calms trembling, and does not slow turning or falling",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        precision=4,
        step=1,
        update=_by_spring,
    )
    shear: FloatProperty(
        name="Shear",
        description="Stiffness of the springs across faces, as a factor of Stiffness. At 0 there are none, and "
        "squares fold into diamonds",
        default=1.0,
        min=0.0,
        soft_max=1.0,
        precision=3,
        step=1,
        update=_by_spring,
    )
    bending: FloatProperty(
        name="Bending",
        description="Stiffness of the springs to the vertex after the next, as a factor of Stiffness. At 0 there "
        "are none, and it creases anywhere",
        default=0.05,
        min=0.0,
        soft_max=1.0,
        precision=3,
        step=1,
        update=_by_spring,
    )
    length_normalised: BoolProperty(
        name="Same at Any Density",
        description="Divide Stiffness [N] by the length of each spring, so that a finer mesh of the same sheet "
        "hangs the same (length-normalised stiffness)",
        update=_by_spring,
    )

    def poll(self, settings):
        """They are shown where they count."""
        return settings.measure == "SPRING"

    def draw_main(self, layout, obj):
        """Draw the most used settings."""
        if not self.poll(obj.hooke):
            return
        draw_quantity(layout, obj.hooke, "stiffness", "N/m")
        layout.prop(obj.hooke, "bending")
        draw_quantity(layout, obj.hooke, "mass", "kg")
        draw_quantity(layout, obj.hooke, "damping", "N s/m")

    def draw(self, layout, obj):
        """Draw the kinds of springs."""
        layout.prop(obj.hooke, "shear")
        layout.prop(obj.hooke, "length_normalised")

    def network_arguments(self, settings, maps, before):
        """Stiffness of each kind of springs, mass and damping."""
        if settings.measure == "AREA":
            return {}
        return {
            "structural": settings.stiffness,
            "shear": settings.shear * settings.stiffness,
            "bending": settings.bending * settings.stiffness,
            "length_normalised": settings.length_normalised,
            "mass": settings.mass,
            "damping": settings.damping,
        }
