# SPDX-License-Identifier: GPL-3.0-or-later
"""The line in the timeline and the dope sheet that shows which of the active object's frames are cached or stale."""

from typing import Any

import bpy

from ..play import sessions

# Red, green, blue, opacity.
COLOURS = {
    "CACHED": (0.25, 0.75, 0.45, 0.9),
    "STALE": (0.9, 0.55, 0.15, 0.9),
    "TUNED": (0.35, 0.6, 0.95, 0.9),
}
_HEIGHT = 4

_handle = None


def spans(obj):
    """Ranges of an object's frames to show: a dict by the COLOURS of pairs of first and last frame."""
    found: dict[str, tuple[int, int]] = {}
    running, first = sessions.find(obj), obj.hooke.frame_start
    if running is None:
        return found
    known, kept = running.cached, len(running.take)
    if known > 1:
        found["CACHED"] = (first, first + known - 1)
    if kept > max(known, 1):
        found["STALE"] = (first + known, first + kept - 1)
    elif kept <= 1 < running.cache.stale:
        found["STALE"] = (first, first + running.cache.stale - 1)
    if running.tuned is not None:
        found["TUNED"] = (first + running.tuned.since, first + running.tuned.index)
    return found


def _draw():
    obj: Any = bpy.context.object
    if obj is None or obj.type != "MESH" or not obj.hooke.enabled or obj.hooke.bake.exists:
        return
    for kind, span in spans(obj).items():
        _draw_line(bpy.context.region, span, COLOURS[kind])


def _draw_line(region, span, colour):
    import gpu
    from gpu_extras.batch import batch_for_shader

    left = region.view2d.view_to_region(span[0], 0, clip=False)[0]
    right = region.view2d.view_to_region(span[1] + 1, 0, clip=False)[0]
    height = _HEIGHT * bpy.context.preferences.system.ui_scale
    corners = [(left, 0), (right, 0), (right, height), (left, height)]
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    batch = batch_for_shader(shader, "TRIS", {"pos": corners}, indices=[(0, 1, 2), (0, 2, 3)])
    gpu.state.blend_set("ALPHA")
    shader.uniform_float("color", colour)
    batch.draw(shader)
    gpu.state.blend_set("NONE")


def register():
    """Draw in every timeline and dope sheet."""
    global _handle
    if not bpy.app.background:
        _handle = bpy.types.SpaceDopeSheetEditor.draw_handler_add(_draw, (), "WINDOW", "POST_PIXEL")


def unregister():
    """Draw no more."""
    global _handle
    if _handle is not None:
        bpy.types.SpaceDopeSheetEditor.draw_handler_remove(_handle, "WINDOW")
        _handle = None
