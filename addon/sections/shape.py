# SPDX-License-Identifier: GPL-3.0-or-later
"""The rest shape of the object, and seams."""

import bpy
from bpy.props import BoolProperty, FloatProperty, PointerProperty, StringProperty

from ...core import Sewing
from .. import mesh_io
from . import pleats as edge_pleats
from .labels import draw_quantity
from .maps import factor, factor_over_time
from .section import Section
from .solid_objects import is_filled


class Shape(Section):
    """The shape at rest and its scale, pleats, whether edges between borders are seams, and how these close."""

    id = "shape"
    label = "Shape"
    animatable = ("rest_scale", "pleat_share")
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

    pleats: StringProperty(
        name="Pleat Attribute",
        description="Attribute of edges with the fold angle at rest [°]: above 0 it folds towards the "
        "normals, below 0 away from them, 0 is no pleat. Set Pleat in Edit Mode writes it. Pleat "
        "Stiffness replaces the material's Bending there",
        search=lambda settings, _context, _text: edge_pleats.names(settings.id_data),
        search_options={"SUGGESTION"},
    )
    pleat_share: FloatProperty(
        name="Folded",
        description="Factor of all pleat angles: 0 is flat, 1 is fully folded. Animate it to fold or open "
        "paper, fans and umbrellas. Animating it does not slow frames down",
        default=1.0,
        min=-1.0,
        max=2.0,
        soft_min=0.0,
        soft_max=1.0,
        precision=2,
        step=1,
    )
    pleat_stiffness: FloatProperty(
        name="Pleat Stiffness",
        description="Resistance of a pleat to another angle: torque over angle in radians, per metre of the "
        "edge [mN]. An ironed shirt has 10, paper 250",
        default=10.0,
        min=1e-3,
        soft_min=0.1,
        soft_max=1e4,
        precision=1,
        step=100,
    )
    pleat_time: FloatProperty(
        name="Pleat Time",
        description="Time constant of an unloaded pleat [s]: the time in which it covers two thirds of the "
        "way to its angle. Higher values swing less. 0 swings for ever",
        default=0.05,
        min=0.0,
        soft_max=0.5,
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
        _draw_pleats(layout.column(), obj)
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

    def findings(self, where):
        """A sentence about pleats that are not there."""
        obj, name = where.obj, where.obj.hooke.pleats
        if not name or is_filled(obj.hooke) or edge_pleats.has_pleats(obj):
            return "", []
        text = f"'{obj.name}' has no attribute of numbers on edges '{name}', and so no pleats: choose another, or none"
        return "", [text]

    def network_arguments(self, settings, maps, before):
        """The size, pleats, and how seams close, if there are any."""
        if "body" in before:
            return {}
        found = {"rest_scale": settings.rest_scale * factor(settings, maps, "rest_scale")}
        if (of_edges := edge_pleats.pleating(settings)) is not None:
            found["pleating"] = of_edges
        if settings.sewing:
            found["sewing"] = Sewing(settings.sewing_time, settings.sewing_force)
        return found

    def quantities(self, settings, network, tracks, maps):
        """Rest lengths and angles of pleats over time."""
        found = {}
        if len(network.pleats) and "pleat_share" in tracks:
            found["pleat_angles"] = edge_pleats.angles_over_time(settings, network, tracks["pleat_share"])
        track, of_vertices = tracks.get("rest_scale"), factor_over_time(settings, maps, "rest_scale")
        if track is None and of_vertices is None:
            return found
        unscaled = network.rest_lengths / (1.0 if track is None else track.first[0])
        scale = (lambda t: 1.0) if track is None else (lambda t: track(t)[0])
        if of_vertices is None:
            return found | {"rest_lengths": lambda t: scale(t) * unscaled}
        edges = network.edges
        unscaled = unscaled / factor(settings, maps, "rest_scale")[edges].mean(axis=1)
        return found | {"rest_lengths": lambda t: scale(t) * of_vertices(t)[edges].mean(axis=1) * unscaled}


def unsewn(obj):
    """Whether edges that border no face, as seams are drawn, are springs alone."""
    return not obj.hooke.sewing and mesh_io.has_strands(obj.data)


def _draw_pleats(layout, obj):
    """Draw the attribute of the pleats, and how they fold."""
    layout.label(text="Pleats")
    layout.prop(obj.hooke, "pleats", text="Attribute", icon="MOD_EDGESPLIT")
    column = layout.column()
    column.enabled = edge_pleats.has_pleats(obj)
    column.prop(obj.hooke, "pleat_share")
    draw_quantity(column, obj.hooke, "pleat_stiffness", "mN", under="Pleat")
    draw_quantity(column, obj.hooke, "pleat_time", "s", under="Pleat")
    layout.operator("hooke.set_pleat")
