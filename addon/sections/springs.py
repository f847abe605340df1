# SPDX-License-Identifier: GPL-3.0-or-later
"""Stiffness spring by spring, and the mass of the whole object."""

from bpy.props import BoolProperty, FloatProperty

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
        description="Of the springs along edges [N/m]",
        default=1e4,
        min=1e-6,
        soft_min=1.0,
        soft_max=1e6,
        precision=1,
        update=_by_spring,
    )
    mass: FloatProperty(
        name="Mass",
        description="Of the whole object [kg], spread evenly over its vertices",
        default=1.0,
        min=1e-6,
        soft_min=0.01,
        soft_max=100.0,
        unit="MASS",
        update=_by_spring,
    )
    damping: FloatProperty(
        name="Damping",
        description="Of every spring along its direction [N s/m]; turning and falling are not damped",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        precision=4,
        update=_by_spring,
    )
    shear: FloatProperty(
        name="Shear",
        description="Stiffness of the springs across faces, as a factor of Stiffness; 0 leaves them out",
        default=1.0,
        min=0.0,
        soft_max=1.0,
        precision=3,
        update=_by_spring,
    )
    bending: FloatProperty(
        name="Bending",
        description="Stiffness of the springs to the vertex beyond the next, as a factor of Stiffness; "
        "0 leaves them out",
        default=0.05,
        min=0.0,
        soft_max=1.0,
        precision=3,
        update=_by_spring,
    )
    length_normalised: BoolProperty(
        name="Length Normalised",
        description="Read Stiffness as force per unit of fractional stretch [N] and divide it by each spring's "
        "length, so that a denser mesh of the same sheet hangs the same",
        update=_by_spring,
    )

    def poll(self, settings):
        """They are shown where they count."""
        return settings.measure == "SPRING"

    def draw_main(self, layout, obj):
        """Draw what everybody changes."""
        if not self.poll(obj.hooke):
            return
        layout.prop(obj.hooke, "stiffness", text="Stiffness (N/m)")
        layout.prop(obj.hooke, "mass")
        layout.prop(obj.hooke, "damping", text="Damping (Ns/m)")

    def draw(self, layout, obj):
        """Draw the kinds of springs."""
        layout.prop(obj.hooke, "shear")
        layout.prop(obj.hooke, "bending")
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
