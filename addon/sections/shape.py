# SPDX-License-Identifier: GPL-3.0-or-later
"""The rest shape of the object, and seams."""

import bpy
from bpy.props import BoolProperty, FloatProperty, PointerProperty, StringProperty

from ...core import Sewing
from .. import mesh_io
from .filled import is_filled
from .labelled import draw_quantity
from .maps import factor, factor_over_time
from .section import Section


class Shape(Section):
    """The shape at rest and its scale, whether edges between borders are seams, and how these close."""

    id = "shape"
    label = "Shape"
    animatable = ("rest_scale",)
    # Frames know the shape, whichever object it is from.
    view_only = ("rest_object",)

    rest_key: StringProperty(
        name="Rest Shape Key",
        description="Shape key that is the shape at rest, whatever its value. It defines lengths, curvature, mass "
        "and volume. The simulation starts in the pose of the first frame, strained by the difference",
    )
    rest_object: PointerProperty(
        name="Rest Object",
        description="Mesh object that is the shape at rest. It needs the same vertices and faces; its own "
        "coordinates count. Rest Shape Key has priority",
        type=bpy.types.Object,
        poll=lambda settings, other: other.type == "MESH" and other != settings.id_data,
    )
    rest_scale: FloatProperty(
        name="Size at Rest",
        description="Lengths at rest over those of the mesh. Below 1 it shrinks and pulls taut, above 1 it grows "
        "and falls in folds. Animating it does not slow frames down",
        default=1.0,
        min=0.01,
        max=100.0,
        soft_min=0.5,
        soft_max=2.0,
        precision=3,
        step=1,
    )

    sewing: BoolProperty(
        name="Sewing",
        description="Treat edges that border no face and join two borders of faces as seams. They contract and "
        "stay closed: flat panels become a jacket or a pillow",
        default=False,
    )
    sewing_time: FloatProperty(
        name="Closing Time",
        description="Time in which seams close, all evenly and together [s]. At 0 they close at once, which can "
        "throw the object about",
        default=1.0,
        min=0.0,
        soft_max=5.0,
        precision=2,
        step=10,
    )
    sewing_force: FloatProperty(
        name="Max Force",
        description="Largest force of a seam until it is closed [N]. Seams that need more stay open. 0 is no "
        "limit",
        default=0.0,
        min=0.0,
        max=1e6,
        soft_max=10.0,
        precision=2,
        step=10,
    )

    def draw(self, layout, obj):
        """Draw the shape at rest, its size, the switch of the seams, and how they close."""
        settings, keys = obj.hooke, obj.data.shape_keys
        if keys is None:
            layout.prop(settings, "rest_key", icon="SHAPEKEY_DATA")
        else:
            layout.prop_search(settings, "rest_key", keys, "key_blocks")
        row = layout.row()
        row.enabled = not settings.rest_key
        row.prop(settings, "rest_object")
        layout.prop(settings, "rest_scale")
        layout.prop(settings, "sewing")
        column = layout.column()
        column.enabled = settings.sewing
        draw_quantity(column, settings, "sewing_time", "s")
        draw_quantity(column, settings, "sewing_force", "N")
        layout.operator("hooke.bind", icon="MOD_MESHDEFORM")

    def counts(self, obj):
        """Whether faces are sheets: what is filled is not sewn."""
        return not is_filled(obj.hooke)

    def sources(self, where):
        """The object with the rest shape."""
        other = where.obj.hooke.rest_object
        return [] if other is None or other.name not in where.scene.objects else [other]

    def network_arguments(self, settings, maps, before):
        """The size, and how seams close, if any do."""
        if "body" in before:
            return {}
        found = {"rest_scale": settings.rest_scale * factor(settings, maps, "rest_scale")}
        if settings.sewing:
            found["sewing"] = Sewing(settings.sewing_time, settings.sewing_force)
        return found

    def quantities(self, settings, network, tracks, maps):
        """Rest lengths over time."""
        track, of_vertices = tracks.get("rest_scale"), factor_over_time(settings, maps, "rest_scale")
        if track is None and of_vertices is None:
            return {}
        unscaled = network.rest_lengths / (1.0 if track is None else track.first[0])
        scale = (lambda t: 1.0) if track is None else (lambda t: track(t)[0])
        if of_vertices is None:
            return {"rest_lengths": lambda t: scale(t) * unscaled}
        edges = network.edges
        unscaled = unscaled / factor(settings, maps, "rest_scale")[edges].mean(axis=1)
        return {"rest_lengths": lambda t: scale(t) * of_vertices(t)[edges].mean(axis=1) * unscaled}


def unsewn(obj):
    """Whether edges that border no face, as seams are drawn, are springs alone."""
    return not obj.hooke.sewing and mesh_io.has_strands(obj.data)
