# SPDX-License-Identifier: GPL-3.0-or-later
"""What sews the object's parts together."""

from bpy.props import BoolProperty, FloatProperty

from ...core import Sewing as CoreSewing
from .. import mesh_io
from .labelled import draw_quantity
from .section import Section


class Sewing(Section):
    """Whether edges between borders are seams, and how these close."""

    id = "sewing"
    label = "Sewing"

    sewing: BoolProperty(
        name="Sewing",
        description="Whether edges that border no face, and join two borders of faces, are seams: they draw together "
        "and stay closed, so that flat panels become a jacket or a pillow",
        default=False,
    )
    sewing_time: FloatProperty(
        name="Closing Time",
        description="In which seams close [s]: each as evenly as it was long, all at the same time. 0 closes them at "
        "once, which throws what hangs on them",
        default=1.0,
        min=0.0,
        soft_max=5.0,
        precision=2,
        step=10,
    )
    sewing_force: FloatProperty(
        name="Max Force",
        description="Most that a seam pulls with until it is closed [N]: what is held elsewhere, or is too heavy, "
        "stays open. 0 is any",
        default=0.0,
        min=0.0,
        max=1e6,
        soft_max=10.0,
        precision=2,
        step=10,
    )

    def draw(self, layout, obj):
        """Draw the switch, and how seams close."""
        settings = obj.hooke
        layout.prop(settings, "sewing")
        column = layout.column()
        column.enabled = settings.sewing
        draw_quantity(column, settings, "sewing_time", "s")
        draw_quantity(column, settings, "sewing_force", "N")

    def counts(self, obj, network):
        """Whether faces are sheets: what is filled is not sewn."""
        settings = obj.hooke
        return settings.measure != "AREA" or settings.fill_stiffness == 0.0

    def network_arguments(self, settings, maps, before):
        """How seams close, if any do."""
        if "body" in before or not settings.sewing:
            return {}
        return {"sewing": CoreSewing(settings.sewing_time, settings.sewing_force)}


def unsewn(obj):
    """Whether edges that border no face, as seams are drawn, are springs alone."""
    return not obj.hooke.sewing and mesh_io.has_strands(obj.data)
