# SPDX-License-Identifier: GPL-3.0-or-later
"""What the object is made of."""

from types import MappingProxyType

from bpy.props import EnumProperty, FloatProperty, StringProperty

from ...core.material import Material as CoreMaterial
from .section import Section


def _own_value(settings, _context):
    """A value given by hand: from now on the material counts, and it is no preset's."""
    settings.measure = "AREA"
    settings.material_name = ""


class Material(Section):
    """Stiffness per width and mass per area, the same at any resolution and size; presets by name."""

    id = "material"
    label = "Material"
    view_only = ("material_name",)
    # The defaults are those of the preset Cotton. Files from before there were materials mean SPRING.
    initial = MappingProxyType({"measure": "AREA", "material_name": "Cotton"})

    measure: EnumProperty(
        name="Measure",
        description="What stiffness and mass are told of",
        items=[
            (
                "AREA",
                "Area",
                "Per width and area, as materials are: a mesh of any resolution and size is of the same",
                1,
            ),
            ("SPRING", "Spring", "Of each spring, and of the whole object: finer meshes behave otherwise", 0),
        ],
        default="SPRING",
    )
    material_name: StringProperty(
        name="Material", description="Preset that the values below are from", options={"HIDDEN"}
    )
    stretch_stiffness: FloatProperty(
        name="Stretch",
        description="Force over strain, per width of the sheet [N/m]: at 1000, a strip 1 m wide is one percent "
        "longer under a weight of 1 kg",
        default=5000.0,
        min=1e-3,
        soft_min=10.0,
        soft_max=1e5,
        precision=0,
        step=10000,
        update=_own_value,
    )
    shear_stiffness: FloatProperty(
        name="Shear",
        description="Force over angle of shear, per width of the sheet [N/m]: woven cloth has a fiftieth of Stretch, "
        "rubber a third; triangles have 3/8 of Stretch whatever this is",
        default=100.0,
        min=0.0,
        soft_max=1e5,
        precision=0,
        step=1000,
        update=_own_value,
    )
    bending_rigidity: FloatProperty(
        name="Bending",
        description="Moment over curvature, per width of the sheet (flexural rigidity) [µN m]: silk 4, denim 17, "
        "a leather 8000",
        default=10.0,
        min=0.0,
        soft_max=1e4,
        precision=1,
        step=100,
        update=_own_value,
    )
    area_density: FloatProperty(
        name="Density",
        description="Mass of the sheet per area [kg/m²]: shirts 0.14, jeans 0.47",
        default=0.136,
        min=1e-4,
        soft_max=20.0,
        precision=3,
        step=1,
        update=_own_value,
    )
    damping_ratio: FloatProperty(
        name="Damping",
        description="How soon stretching and trembling die away (damping ratio): 0 never, 1 at once, without swinging "
        "back. Swinging as a whole is slowed by the air alone",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        precision=2,
        subtype="FACTOR",
        update=_own_value,
    )
    line_stiffness: FloatProperty(
        name="Strand Stiffness",
        description="Force over strain of edges that border no face, as of ropes and nets [N]",
        default=5000.0,
        min=1e-3,
        soft_min=10.0,
        soft_max=1e6,
        precision=0,
        step=10000,
        update=_own_value,
    )
    line_density: FloatProperty(
        name="Strand Density",
        description="Mass per length of edges that border no face [kg/m]",
        default=0.05,
        min=1e-5,
        soft_max=5.0,
        precision=3,
        step=1,
        update=_own_value,
    )

    fill_stiffness: FloatProperty(
        name="Filling",
        description="Stress over strain (Young's modulus) of what fills the inside of a closed surface [kPa]: "
        "a table jelly 10, soft rubber 1000; 0 is hollow. A body of 1 m sinks in by a half under its weight at 10",
        default=0.0,
        min=0.0,
        soft_max=1000.0,
        precision=1,
        step=100,
        update=_own_value,
    )
    fill_density: FloatProperty(
        name="Filling Density",
        description="Mass of what fills the inside, per volume [kg/m³]: water 1000",
        default=1000.0,
        min=0.0,
        soft_max=3000.0,
        precision=0,
        step=1000,
        update=_own_value,
    )

    def draw_main(self, layout, obj):
        """Draw the preset and what tells materials apart."""
        settings = obj.hooke
        row = layout.split(factor=0.4, align=True)
        label = row.row()
        label.alignment = "RIGHT"
        label.label(text="Material")
        by_spring = settings.measure == "SPRING"
        row.popover(
            "HOOKE_PT_material_presets", text="By Spring" if by_spring else settings.material_name or "Custom"
        )
        if not by_spring:
            layout.prop(settings, "stretch_stiffness", text="Stretch (N/m)")
            layout.prop(settings, "bending_rigidity", text="Bending (µN m)")
            layout.prop(settings, "area_density", text="Density (kg/m²)")
            layout.prop(settings, "damping_ratio", slider=True)

    def draw(self, layout, obj):
        """Draw what fewer change."""
        layout.prop(obj.hooke, "measure")
        if obj.hooke.measure == "AREA":
            layout.prop(obj.hooke, "shear_stiffness", text="Shear (N/m)")
            column = layout.column(align=True)
            column.prop(obj.hooke, "line_stiffness", text="Strands (N)")
            column.prop(obj.hooke, "line_density", text="Strands (kg/m)")
            column = layout.column(align=True)
            column.prop(obj.hooke, "fill_stiffness", text="Filling (kPa)")
            column.prop(obj.hooke, "fill_density", text="Filling (kg/m³)")

    def network_arguments(self, settings, maps, before):
        """The core's Material, if stiffness is per area."""
        if settings.measure == "SPRING":
            return {}
        return {
            "material": CoreMaterial(
                stretch=settings.stretch_stiffness,
                shear=settings.shear_stiffness,
                bending=1e-6 * settings.bending_rigidity,
                area_density=settings.area_density,
                line_stiffness=settings.line_stiffness,
                line_density=settings.line_density,
                fill_modulus=1e3 * settings.fill_stiffness,
                fill_density=settings.fill_density,
                damping_ratio=settings.damping_ratio,
            )
        }
