# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the object tears."""

import numpy as np
from bpy.props import BoolProperty, FloatProperty

from .labels import labelled
from .maps import factor
from .section import Section
from .solid_objects import is_filled

# Strain at which springs with a strength of 0 break.
_LEAST = 1e-4


class Tearing(Section):
    """Springs and faces that break beyond the material's Breaking Strain."""

    id = "tearing"
    label = "Tearing"
    switch = "tearing"

    tearing: BoolProperty(
        name="Tearing",
        description="Tear where the strain exceeds the material's Breaking Strain. Springs break, and the faces "
        "beside them vanish and no longer collide. Frames in which it tears are slower",
        default=False,
    )

    tear_scatter: FloatProperty(
        name="Scatter",
        description="Variation of the breaking strain among springs: standard deviation over the mean, which "
        "is the material's Breaking Strain. 0 tears straight along the mesh, 0.2 to 0.4 raggedly "
        "from the weakest spring",
        default=0.0,
        min=0.0,
        max=1.0,
        soft_max=0.5,
        step=5,
        precision=2,
    )

    def poll(self, settings):
        """For presets of materials."""
        return settings.measure == "AREA"

    def draw(self, layout, obj):
        """Draw the material's breaking strain, and how a bake shows tears."""
        column = layout.column()
        column.enabled = obj.hooke.tearing
        labelled(column, "At Strain").label(text=f"{obj.hooke.breaking_strain:.2f}, of the material")
        column.prop(obj.hooke, "tear_scatter")
        column.prop(obj.hooke, "bake_split")

    def counts(self, obj):
        """Whether it is hollow: what is filled does not tear."""
        return not is_filled(obj.hooke)

    def network_arguments(self, settings, maps, before):
        """The strain at which springs break, of every vertex where it is mapped, if any do."""
        strain = tears_at(settings)
        if strain is None or "body" in before:
            return {}
        return {
            "tears_at": np.maximum(strain * factor(settings, maps, "tear_strength"), _LEAST),
            "tear_scatter": settings.tear_scatter,
        }


def check_whole(obj):
    """Raise ValueError for an object that tears and is simulated with others."""
    if tears_at(obj.hooke) is not None:
        raise ValueError(
            f"'{obj.name}' is simulated with what it collides with, so it cannot tear: turn Tearing off, or "
            "Collision of the others"
        )


def tears_at(settings):
    """Strain at which springs of an object's settings break, None where none does."""
    tears = settings.tearing and settings.measure == "AREA" and settings.fill_stiffness == 0.0
    return max(settings.breaking_strain, _LEAST) if tears else None
