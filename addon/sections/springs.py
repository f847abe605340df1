# SPDX-License-Identifier: GPL-3.0-or-later
"""Stiffness spring by spring, and the mass of the whole object."""

from bpy.props import BoolProperty, FloatProperty

from .labelled import draw_quantity
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
        description="How hard the springs along edges resist stretching and pressing [N/m]: more hangs straighter",
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
        description="What the whole object weighs [kg], spread evenly over its vertices: more stretches the springs "
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
        description="How much every spring resists a change of its length [N s/m]: trembling dies away, while turning "
        "and falling are not slowed",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        precision=4,
        step=1,
        update=_by_spring,
    )
    shear: FloatProperty(
        name="Shear",
        description="How hard faces resist being sheared, as a factor of Stiffness: at 0 they have no springs across, "
        "and squares fold into diamonds",
        default=1.0,
        min=0.0,
        soft_max=1.0,
        precision=3,
        step=1,
        update=_by_spring,
    )
    bending: FloatProperty(
        name="Bending",
        description="How hard the object resists folding, as a factor of Stiffness: at 0 it creases anywhere, without "
        "springs to the vertex beyond the next",
        default=0.05,
        min=0.0,
        soft_max=1.0,
        precision=3,
        step=1,
        update=_by_spring,
    )
    length_normalised: BoolProperty(
        name="Same at Any Density",
        description="Let a denser mesh of the same sheet hang the same: Stiffness is force per unit of fractional "
        "stretch [N], and each spring's is that over its length (length-normalised stiffness)",
        update=_by_spring,
    )

    def poll(self, settings):
        """They are shown where they count."""
        return settings.measure == "SPRING"

    def draw_main(self, layout, obj):
        """Draw what everybody changes."""
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
