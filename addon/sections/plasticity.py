# SPDX-License-Identifier: GPL-3.0-or-later
"""Plasticity."""

from bpy.props import BoolProperty, FloatProperty

from ...core import Plasticity as CorePlasticity
from ...core import Yield
from .labels import draw_quantity
from .section import Section


class Plasticity(Section):
    """Yield, rate and hardening of stretch and of bending."""

    id = "plasticity"
    label = "Plasticity"
    switch = "plasticity"

    plasticity: BoolProperty(
        name="Plasticity",
        description="Let stretching and bending beyond a yield stay: dents in metal, creases in paper, clay. It "
        "dissipates energy",
        default=False,
    )
    stretch_yield: FloatProperty(
        name="Stretch Yield",
        description="Strain up to which it springs back [0.05 is 5 %]. The excess stays. Compression yields at "
        "the same value",
        default=0.05,
        min=0.0,
        soft_max=1.0,
        precision=3,
        step=1,
    )
    stretch_rate: FloatProperty(
        name="Stretch Rate",
        description="Rate at which strain beyond the yield becomes permanent [1/s]: 63 % of it within 1 / rate. 0 "
        "is never",
        default=20.0,
        min=0.0,
        soft_max=100.0,
        precision=1,
        step=100,
    )
    stretch_hardening: FloatProperty(
        name="Stretch Hardening",
        description="Growth of the yield with permanent strain: 0 for clay, 1 for materials that soon stop "
        "yielding",
        default=0.0,
        min=0.0,
        soft_max=5.0,
        precision=2,
        step=10,
    )
    bend_yield: FloatProperty(
        name="Bending Yield",
        description="Curvature up to which it springs back: 1 / radius [1/m]. At 20, bends tighter than a radius "
        "of 50 mm stay",
        default=20.0,
        min=0.0,
        soft_max=500.0,
        precision=1,
        step=100,
    )
    bend_rate: FloatProperty(
        name="Bending Rate",
        description="Rate at which curvature beyond the yield becomes permanent [1/s]: 63 % of it within 1 / "
        "rate. 0 is never",
        default=20.0,
        min=0.0,
        soft_max=100.0,
        precision=1,
        step=100,
    )
    bend_hardening: FloatProperty(
        name="Bending Hardening",
        description="Growth of the yield with permanent curvature",
        default=0.0,
        min=0.0,
        soft_max=5.0,
        precision=2,
        step=10,
    )

    def draw(self, layout, obj):
        """Draw what yields."""
        settings = obj.hooke
        column = layout.column()
        column.enabled = settings.plasticity
        column.label(text="Stretch")
        column.prop(settings, "stretch_yield", text="Yield")
        draw_quantity(column, settings, "stretch_rate", "1/s", under="Stretch")
        column.prop(settings, "stretch_hardening", text="Hardening")
        column = layout.column()
        column.enabled = settings.plasticity and _bends(settings)
        column.label(text="Bending")
        draw_quantity(column, settings, "bend_yield", "1/m", under="Bending")
        draw_quantity(column, settings, "bend_rate", "1/s", under="Bending")
        column.prop(settings, "bend_hardening", text="Hardening")

    def network_arguments(self, settings, maps, before):
        """The yield, if plasticity is on."""
        if not settings.plasticity:
            return {}
        stretch = Yield(settings.stretch_yield, settings.stretch_rate, settings.stretch_hardening)
        bending = Yield(settings.bend_yield, settings.bend_rate, settings.bend_hardening)
        return {"plasticity": CorePlasticity(stretch, bending)}


def _bends(settings):
    """Whether curvatures are measured: of a material that is not filled."""
    return settings.measure == "AREA" and settings.fill_stiffness == 0.0
