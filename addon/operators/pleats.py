# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives selected edges the angle of a pleat."""

import bmesh
import bpy
import numpy as np

from .polls import simulated

# The attribute of edges if none is chosen.
NAME = "Pleat"


class HOOKE_OT_set_pleat(bpy.types.Operator):
    """Let the faces beside the selected edges keep an angle, as in pleats, ironed trousers and folded paper"""

    bl_idname = "hooke.set_pleat"
    bl_label = "Set Pleat"
    bl_options = {"REGISTER", "UNDO"}

    angle: bpy.props.FloatProperty(
        name="Angle",
        description="Angle by which the faces are turned from flat at rest [°]: above 0 towards their normals, below 0 "
        "away from them. A knife pleat has 180 and -180 by turns. 0 takes the pleat away",
        default=90.0,
        min=-180.0,
        max=180.0,
        precision=1,
        step=100,
    )
    as_modelled: bpy.props.BoolProperty(
        name="As Modelled",
        description="Keep the angle that the faces have in the mesh, instead of Angle",
        default=False,
    )

    @classmethod
    def poll(cls, context):
        if not simulated(context) or context.object.hooke.bake.exists:
            return False
        if context.mode != "EDIT_MESH":
            cls.poll_message_set("Select edges in Edit Mode first")
        return context.mode == "EDIT_MESH"

    def draw(self, _context):
        column = self.layout.column()
        column.prop(self, "as_modelled")
        row = column.row()
        row.enabled = not self.as_modelled
        row.prop(self, "angle")

    def execute(self, context):
        obj = context.object
        angle = None if self.as_modelled else self.angle
        count, name = _set(obj.data, obj.hooke.pleats or NAME, angle)
        if not count:
            self.report({"ERROR"}, f"no edge between two faces of '{obj.name}' is selected: select some")
            return {"CANCELLED"}
        obj.hooke.pleats = name
        edges = "1 edge" if count == 1 else f"{count:,} edges"
        self.report({"INFO"}, f"{edges} in '{name}'")
        return {"FINISHED"}


def _set(mesh, name, angle):
    """Set the angle [degrees] of all edges that are selected in Edit Mode; their number and the attribute's name.

    angle: None for the angle that the faces have there; 0 is written as no pleat.
    """
    edited = bmesh.from_edit_mesh(mesh)
    layer = edited.edges.layers.float.get(name)
    if layer is None:
        layer = edited.edges.layers.float.new(name)
    # Those that borders or more than two faces have bend by no angle.
    chosen = [edge for edge in edited.edges if edge.select and len(edge.link_faces) == 2]
    for edge in chosen:
        # Blender's angles are above 0 where faces are turned away from their normals.
        edge[layer] = -np.degrees(edge.calc_face_angle_signed(0.0)) if angle is None else angle
    name = layer.name
    bmesh.update_edit_mesh(mesh, loop_triangles=False, destructive=False)
    return len(chosen), name
