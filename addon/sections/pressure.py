# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure and volume inside closed surfaces."""

from collections.abc import Callable

from bpy.props import BoolProperty, FloatProperty

from ...core import Inside
from ..colliders import Doubt
from .keyed import over_time
from .labels import draw_quantity
from .maps import factor, factor_over_time
from .section import Section
from .solid_objects import is_filled


class Pressure(Section):
    """Pressure, and the volume that is kept, of what closed faces enclose."""

    id = "pressure"
    label = "Pressure"
    animatable = ("pressure", "volume_share")

    pressure: FloatProperty(
        name="Pressure",
        description="Pressure inside closed surfaces above that outside [Pa]: a cushion has 200, a party balloon "
        "2000, a football 60000. Negative values suck. 100 Pa carry 10 kg on a square metre",
        default=0.0,
        min=-1e6,
        max=1e6,
        soft_min=-1000.0,
        soft_max=10000.0,
        precision=1,
        step=1000,
    )
    keep_volume: BoolProperty(
        name="Keep Volume",
        description="Keep the contents of closed surfaces inside. They resist compression, like the air in a ball "
        "or the water in a bag",
        default=False,
    )
    volume_share: FloatProperty(
        name="Volume Share",
        description="Volume that is kept, over the volume of the mesh at rest: 0.5 lets half of it out, 1.5 "
        "inflates it as far as the material stretches",
        default=1.0,
        min=0.01,
        max=100.0,
        soft_min=0.1,
        soft_max=2.0,
        precision=2,
        step=1,
    )
    bulk_modulus: FloatProperty(
        name="Bulk Modulus",
        description="Stiffness of the contents: pressure over the relative change of volume [kPa]. Air has 100. "
        "Higher values keep the volume more exactly",
        default=100.0,
        min=1e-3,
        max=1e6,
        soft_min=1.0,
        soft_max=1e4,
        precision=1,
        step=1000,
    )

    def draw(self, layout, obj):
        """Draw the pressure, and what keeps the volume."""
        settings = obj.hooke
        draw_quantity(layout, settings, "pressure", "Pa")
        layout.prop(settings, "keep_volume")
        column = layout.column()
        column.enabled = settings.keep_volume
        column.prop(settings, "volume_share")
        draw_quantity(column, settings, "bulk_modulus", "kPa")

    def counts(self, obj):
        """Whether faces are hollow: what is filled has nothing else inside."""
        return not is_filled(obj.hooke)

    def network_arguments(self, settings, maps, before):
        """The inside of closed surfaces, if it acts."""
        pressed = settings.pressure or settings.keep_volume or over_time(settings, "pressure") is not None
        if "body" in before or not pressed:
            return {}
        bulk = 1e3 * settings.bulk_modulus if settings.keep_volume else 0.0
        of_faces = factor(settings, maps, "pressure")
        varies = factor_over_time(settings, maps, "pressure") is not None
        return {"inside": Inside(settings.pressure, bulk, settings.volume_share, of_faces, varies)}

    def quantities(self, settings, network, tracks, maps):
        """Pressure, its factor on every triangle, and share of the volume over time."""
        if not len(network.enclosures):
            return {}
        names = [name for name in ("pressure", "volume_share") if name in tracks]
        found: dict[str, Callable] = {
            name: lambda t, track=tracks[name]: float(track(t)[0]) for name in names
        }
        of_faces = factor_over_time(settings, maps, "pressure")
        if of_faces is not None:
            triangles = network.enclosures.triangles
            found["pressure_factor"] = lambda t: of_faces(t)[triangles].mean(axis=1)
        return found

    def simulation_arguments(self, settings, scene, body, maps, surroundings):
        """Doubts about pieces in which nothing is, and about those that are inside out."""
        enclosures = body.network.enclosures
        return {"doubts": list(_doubts(enclosures))} if len(enclosures) else {}


def _doubts(enclosures):
    """Doubts about parts without pressure, and about flipped faces."""
    opened, both_ways = enclosures.left_out
    if opened:
        pieces = "1 piece is" if opened == 1 else f"{opened:,} pieces are"
        yield Doubt(
            f"{pieces} open, so nothing presses in there: fill the holes (Mesh > Clean Up > Fill Holes)",
            remedies=("FILL_HOLES",),
        )
    if both_ways:
        pieces = "1 closed piece" if both_ways == 1 else f"{both_ways:,} closed pieces"
        yield Doubt(
            f"Faces of {pieces} point both ways, so nothing presses in there: Mesh > Normals > Recalculate Outside",
            remedies=("OUTSIDE",),
        )
    if enclosures.turned:
        text = "Faces point inwards, and what is inside presses outwards all the same: Recalculate Outside turns them"
        yield Doubt(text, "INFO", ("OUTSIDE",))
