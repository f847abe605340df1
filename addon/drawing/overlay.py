# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay of the 3D view: springs, pins, seams and the lattice of the active object, drawn over the scene.

It is a draw handler with a switch of its own, which is in no file: nothing of the viewport's settings changes.
"""

from typing import Any

import bpy
import numpy as np

from ..play import sessions
from ..play.attributes import SEAM, sides

# Red, green, blue, opacity.
COLOURS = {
    "SPRINGS": (0.85, 0.85, 0.85, 0.5),
    "DIAGONALS": (0.45, 0.65, 0.95, 0.3),
    "LATTICE": (0.95, 0.75, 0.35, 0.2),
    "SEAMS": (0.9, 0.3, 0.75, 1.0),
    "PINS": (0.95, 0.35, 0.2, 1.0),
}
_WIDTHS = {"SEAMS": 3.0}
_SIZE = 6.0

_handle = None
_MANAGER: Any = bpy.types.WindowManager


def parts(obj):
    """What there is to draw of an object: points by the COLOURS, pairs of ends of lines, of pins one each.

    Shape (count, 3) in world space [m], float32. Nothing where no simulation is built, as of frames on disk alone, or
    where another frame is shown than the newest, whose particles are not known.
    """
    running = sessions.find(obj)
    simulation = running.simulation if running is not None else None
    shown = bpy.context.scene.frame_current - obj.hooke.frame_start
    if simulation is None or obj.hooke.bake.exists or running.newest != shown:
        return {}
    network, body, x = simulation.network, simulation.body, simulation.state.x
    mesh_edges, _, kind = sides(running, obj)
    edges, mesh_edges = np.sort(network.edges, axis=1), np.sort(mesh_edges, axis=1)
    # Particles on the surface come first, then the nodes of a lattice.
    lattice = (edges >= (body.outside or body).network.vertex_count).any(axis=1)
    keys, of_mesh = (ends @ [network.vertex_count, 1] for ends in (edges, mesh_edges.astype(int)))
    along = np.isin(keys, of_mesh) | (body.outside is not None)
    lines = {
        "DIAGONALS": edges[~(lattice | along)],
        "LATTICE": edges[lattice],
        "SPRINGS": edges[along & ~lattice],
    }
    if len(network.seams):
        lines["SEAMS"] = mesh_edges[kind == SEAM]
    found = {name: x[ends.ravel()] for name, ends in lines.items() if len(ends)}
    if network.pins.any():
        found["PINS"] = x[network.pins > 0.0]
    return {name: points.astype(np.float32) for name, points in found.items()}


def _draw():
    obj: Any = bpy.context.object
    if not bpy.context.window_manager.hooke_overlay:
        return
    if obj is None or obj.type != "MESH" or not obj.hooke.enabled or not obj.visible_get():
        return
    for name, points in parts(obj).items():
        _draw_points(name, points)


def _draw_points(name, points):
    import gpu
    from gpu_extras.batch import batch_for_shader

    gpu.state.blend_set("ALPHA")
    gpu.state.line_width_set(_WIDTHS.get(name, 1.0))
    gpu.state.point_size_set(_SIZE)
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    batch = batch_for_shader(shader, "POINTS" if name == "PINS" else "LINES", {"pos": points})
    shader.uniform_float("color", COLOURS[name])
    batch.draw(shader)
    gpu.state.point_size_set(1.0)
    gpu.state.line_width_set(1.0)
    gpu.state.blend_set("NONE")


def _redraw(_manager, context):
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def register():
    """Draw in every 3D view where it is turned on."""
    global _handle
    _MANAGER.hooke_overlay = bpy.props.BoolProperty(
        name="Overlay",
        description="Draw the springs, diagonals, lattice, seams and pins of the active object at the newest frame, "
        "in all 3D views. The file does not store this setting",
        default=False,
        update=_redraw,
        options={"SKIP_SAVE"},
    )
    if not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")


def unregister():
    """Draw no more."""
    global _handle
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
    del _MANAGER.hooke_overlay
