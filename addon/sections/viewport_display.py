# SPDX-License-Identifier: GPL-3.0-or-later
"""The display of the simulation, beside the shape."""

from bpy.props import BoolProperty

from .section import Section


class ViewportDisplay(Section):
    """Attributes of the mesh, for shaders and nodes below Hooke."""

    id = "viewport_display"
    label = "Viewport Display"
    view_only = ("store_attributes",)

    store_attributes: BoolProperty(
        name="Store Attributes",
        description="Store attributes on the edges of each shown frame, for shaders and nodes: hooke_strain "
        "(relative stretch), hooke_bend (change of the fold angle in radians) and hooke_kind (0 of a "
        "face, 1 strand, 2 seam)",
        default=False,
    )
