# SPDX-License-Identifier: GPL-3.0-or-later
"""The material."""

from types import MappingProxyType

from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...core.material import Material as CoreMaterial
from .. import mesh_io
from .labels import draw_quantity, labelled
from .maps import factor
from .pins import may_let_go
from .section import Section

_OF_STRANDS = ("stiffness", "density", "bending")


def own_value(settings, _context):
    """A value given by hand: from now on the material counts, and it is no preset's."""
    settings.measure = "AREA"
    settings.material_name = ""


class Material(Section):
    """Stiffness per width and mass per area, the same at any resolution and size; presets by name."""

    id = "material"
    label = "Material"
    animatable = (
        "stretch_stiffness",
        "shear_stiffness",
        "bending_rigidity",
        "damping_ratio",
        "line_stiffness",
    )
    remaking = animatable
    view_only = ("material_name", "breaking_strain")
    option_names = MappingProxyType(
        {f"line_{name}": f"--strand-{name}" for name in _OF_STRANDS}
        | {"breaking_strain": "--breaking-strain"}
    )
    more_option_names = MappingProxyType(
        {f"line_{name}": f"--line-{name}" for name in _OF_STRANDS} | {"breaking_strain": "--warn-at-strain"}
    )
    # Add sets the preset Cotton; the defaults are that of the first version. Files from before there were
    # materials mean SPRING, and in those from before strands bent they do not.
    initial = MappingProxyType(
        {"bending_rigidity": 13.0, "line_bending": 0.1, "measure": "AREA", "material_name": "Cotton"}
    )

    measure: EnumProperty(
        name="Measure",
        description="Whether stiffness and mass are those of a material, independent of the mesh, or those of "
        "single springs",
        items=[
            (
                "AREA",
                "Area",
                "Values per width and area: meshes of any resolution behave the same",
                1,
            ),
            (
                "SPRING",
                "Spring",
                "Values of each spring and of the whole object: finer meshes behave differently",
                0,
            ),
        ],
        default="SPRING",
    )
    material_name: StringProperty(
        name="Material", description="Preset that the values below come from", options={"HIDDEN"}
    )
    stretch_stiffness: FloatProperty(
        name="Stretch",
        description="Resistance to stretching: force over strain, per width [N/m]. At 1000, a strip 1 m wide "
        "stretches by 1 % under a weight of 1 kg. Frames in which it is animated are slower",
        default=5000.0,
        min=1e-3,
        soft_min=10.0,
        soft_max=1e5,
        precision=0,
        step=10000,
        update=own_value,
    )
    shear_stiffness: FloatProperty(
        name="Shear",
        description="Resistance to shearing: force over shear angle, per width [N/m]. Woven cloth has a fiftieth "
        "of Stretch, rubber a third. Meshes of triangles always have 3/8 of Stretch. Frames in which "
        "it is animated are slower",
        default=100.0,
        min=0.0,
        soft_max=1e5,
        precision=0,
        step=1000,
        update=own_value,
    )
    bending_rigidity: FloatProperty(
        name="Bending",
        description="Resistance to folding: moment over curvature, per width (flexural rigidity) [µN m]. Silk has "
        "2 and falls in small folds, a shirt 10, denim 60, paper 250. Frames in which it is animated "
        "are slower",
        default=10.0,
        min=0.0,
        soft_max=1e5,
        precision=1,
        step=100,
        update=own_value,
    )
    area_density: FloatProperty(
        name="Density",
        description="Mass per area [kg/m²]: shirts 0.14, jeans 0.47. Heavier cloth pulls harder on its pins and "
        "is slowed less by the air",
        default=0.136,
        min=1e-4,
        soft_min=0.01,
        soft_max=20.0,
        precision=3,
        step=1,
        update=own_value,
    )
    damping_ratio: FloatProperty(
        name="Damping",
        description="Damping of stretching and trembling, as a damping ratio: 0 is none, 1 stops them without "
        "swinging back. Swinging as a whole is slowed by the air alone. Frames in which it is "
        "animated are slower",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        precision=2,
        step=1,
        subtype="FACTOR",
        update=own_value,
    )
    bending_damping: FloatProperty(
        name="Bending Damping",
        description="Damping of bending, as a damping ratio: 0 is none, 1 unbends without swinging back",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        precision=2,
        step=1,
        subtype="FACTOR",
        update=own_value,
    )
    keep_shape: BoolProperty(
        name="Keep Shape",
        description="Keep the folds and curves of the mesh as its shape at rest. Off, cloth is flat and rope is "
        "straight at rest",
        default=True,
        update=own_value,
    )
    line_stiffness: FloatProperty(
        name="Strand Stiffness",
        description="Resistance to stretching of edges that border no face, such as ropes and nets: force over "
        "strain [N]. Frames in which it is animated are slower",
        default=5000.0,
        min=1e-3,
        soft_min=10.0,
        soft_max=1e6,
        precision=0,
        step=10000,
        update=own_value,
    )
    line_density: FloatProperty(
        name="Strand Density",
        description="Mass per length of edges that border no face [kg/m]",
        default=0.05,
        min=1e-5,
        soft_min=1e-3,
        soft_max=5.0,
        precision=3,
        step=1,
        update=own_value,
    )
    line_bending: FloatProperty(
        name="Strand Bending",
        description="Resistance to bending of edges that border no face: moment over curvature (flexural "
        "rigidity) [mN m²]. Twine has 0.004, a rope of 10 mm has 1, a steel wire of 1 mm has 10. 0 is "
        "a chain",
        default=0.0,
        min=0.0,
        soft_max=1e4,
        precision=4,
        step=1,
        update=own_value,
    )
    breaking_strain: FloatProperty(
        name="Breaking Strain",
        description="Strain at which this material tears if Tearing is on; otherwise the status warns [0.25 is 25 "
        "%]",
        default=0.25,
        min=0.0,
        soft_max=5.0,
        precision=2,
        step=1,
    )

    def draw_main(self, layout, obj):
        """Draw the preset and what tells materials apart."""
        _draw_main(layout, obj)

    def draw(self, layout, obj):
        """Draw what fewer change."""
        _draw_more(layout, obj)

    def network_arguments(self, settings, maps, before):
        """The core's Material, if stiffness is per area."""
        if settings.measure == "SPRING":
            return {}
        return {"material": _core_material(settings, maps)}


def _draw_main(layout, obj):
    """Draw the preset and what tells materials apart."""
    settings = obj.hooke
    by_spring = settings.measure == "SPRING"
    row = labelled(layout, "Preset")
    row.popover(
        "HOOKE_PT_material_presets", text="By Spring" if by_spring else settings.material_name or "Custom"
    )
    row.operator("hooke.garment")
    if not by_spring:
        # Ropes and nets are strands alone.
        sheet = _column(layout, len(obj.data.polygons) > 0)
        draw_quantity(sheet, settings, "stretch_stiffness", "N/m")
        draw_quantity(sheet, settings, "bending_rigidity", "µN m")
        draw_quantity(sheet, settings, "sticks_out", "mm")
        draw_quantity(sheet, settings, "area_density", "kg/m²")
        layout.prop(settings, "damping_ratio", slider=True)


def _draw_more(layout, obj):
    """Draw what fewer change."""
    settings = obj.hooke
    layout.prop(settings, "measure")
    if settings.measure == "AREA":
        # Triangles have no diagonals.
        column = _column(layout, len(obj.data.loops) > 3 * len(obj.data.polygons))
        draw_quantity(column, settings, "shear_stiffness", "N/m")
        layout.prop(settings, "breaking_strain")
        column = layout.column()
        column.label(text="Bending")
        column.prop(settings, "bending_damping", text="Damping", slider=True)
        column.prop(settings, "keep_shape")
        column = _column(layout, mesh_io.has_strands(obj.data))
        column.label(text="Strands")
        draw_quantity(column, settings, "line_stiffness", "N", under="Strand")
        draw_quantity(column, settings, "line_density", "kg/m", under="Strand")
        draw_quantity(column, settings, "line_bending", "mN m²", under="Strand")


def _core_material(settings, maps):
    """The core's Material of the settings, in its units."""
    stretch, bending, density = (factor(settings, maps, name) for name in ("stretch", "bending", "density"))
    return CoreMaterial(
        stretch=settings.stretch_stiffness * stretch,
        shear=settings.shear_stiffness * factor(settings, maps, "shear"),
        bending=1e-6 * settings.bending_rigidity * bending,
        area_density=settings.area_density * density,
        line_stiffness=settings.line_stiffness * stretch,
        line_density=settings.line_density * density,
        line_bending=1e-3 * settings.line_bending * bending,
        damping_ratio=settings.damping_ratio * factor(settings, maps, "damping"),
        bending_damping_ratio=settings.bending_damping,
        keep_shape=settings.keep_shape,
        # Vertices that have let go bend like the others.
        clamped=not may_let_go(settings.id_data),
    )


def _column(layout, counts):
    """A column that is locked where what is in it makes no difference."""
    column = layout.column()
    column.enabled = counts
    return column
