# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids inside closed surfaces."""

from bpy.props import FloatProperty, IntProperty

from .labels import draw_quantity
from .material import own_value
from .section import Section


class Filling(Section):
    """Young's modulus, Poisson's ratio, density and loss factor of a solid, and how finely it is carried."""

    id = "filling"
    label = "Filling"

    fill_stiffness: FloatProperty(
        name="Filling",
        description="Stiffness of the solid inside a closed surface (Young's modulus) [kPa]. Table jelly has 10, "
        "soft rubber 1000. 0 is hollow. Stretch, Bending and Density do not act on a filled surface",
        default=0.0,
        min=0.0,
        soft_max=1000.0,
        precision=1,
        step=100,
        update=own_value,
    )
    fill_poisson: FloatProperty(
        name="Poisson's Ratio",
        description="Sideways widening over compression of the filling (Poisson's ratio). 0.25 loses volume, as "
        "sponge does; 0.45 and more keeps it, as jelly and rubber do",
        default=0.25,
        min=0.25,
        max=0.49,
        precision=2,
        step=1,
        update=own_value,
    )
    fill_loss: FloatProperty(
        name="Loss Factor",
        description="Share of a vibration's energy that the filling loses per radian (loss factor). The "
        "amplitude falls by a factor of e in 1 / (3 × this) swings. Gelatine has 0.1 to 0.3, "
        "rubber 0.1. At 0, Damping acts instead",
        default=0.0,
        min=0.0,
        max=2.0,
        soft_max=1.0,
        precision=2,
        step=1,
        update=own_value,
    )
    fill_cells: IntProperty(
        name="Cells",
        description="Largest number of cells of the lattice that fills a closed surface. Thick bodies use fewer, "
        "five across. More cells bend thin parts better, and take longer",
        default=1500,
        min=8,
        max=100000,
        soft_min=100,
        soft_max=10000,
        step=100,
        update=own_value,
    )
    fill_density: FloatProperty(
        name="Filling Density",
        description="Mass per volume of the filling [kg/m³]: water has 1000. Heavier bodies sink in further",
        default=1000.0,
        min=1e-3,
        soft_max=3000.0,
        precision=0,
        step=1000,
        update=own_value,
    )

    def poll(self, settings):
        """For presets of materials."""
        return settings.measure == "AREA"

    def draw(self, layout, obj):
        """Draw the modulus, and what else is of a solid where there is one."""
        settings = obj.hooke
        draw_quantity(layout, settings, "fill_stiffness", "kPa")
        column = layout.column()
        column.enabled = settings.fill_stiffness > 0.0
        draw_quantity(column, settings, "fill_density", "kg/m³", under="Filling")
        column.prop(settings, "fill_poisson", slider=True)
        column.prop(settings, "fill_loss", slider=True)
        column.prop(settings, "fill_cells")

    def network_arguments(self, settings, maps, before):
        """Arguments of the Solid, if anything is filled."""
        if "material" not in before or not settings.fill_stiffness > 0.0:
            return {}
        return {
            "body": "SOLID",
            "modulus": 1e3 * settings.fill_stiffness,
            "poisson": settings.fill_poisson,
            "density": settings.fill_density,
            "damping_ratio": 0.0 if settings.fill_loss else settings.damping_ratio,
            "loss_factor": settings.fill_loss,
            "cells": settings.fill_cells,
        }
