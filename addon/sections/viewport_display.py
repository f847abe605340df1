# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the simulation is to be seen, beside the shape."""

from bpy.props import BoolProperty

from .section import Section


class ViewportDisplay(Section):
    """Attributes of the mesh, for shaders and nodes below Hooke."""

    id = "viewport_display"
    label = "Viewport Display"
    view_only = ("store_attributes",)

    store_attributes: BoolProperty(
        name="Store Attributes",
        description="Whether every frame that is shown has on its edges hooke_strain (stretch over length at rest), "
        "hooke_bend (fold from rest, in radians) and hooke_kind (0 of faces, 1 a strand, 2 a seam), for shaders and "
        "nodes",
        default=False,
    )
