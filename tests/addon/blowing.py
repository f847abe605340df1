# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes with force fields: functions that make fields, and a sheet of 2 m that hangs among them."""

import bpy
import numpy as np

from .scenes import activate, add_hooke, grid, link, swing


def field(kind="WIND", strength=20.0, rotation=(0.0, np.pi / 2, 0.0), name="Field", **settings):
    """A force-field empty, blowing along x unless told."""
    obj = link(bpy.data.objects.new(name, None))
    obj.rotation_euler, obj.location = rotation, (0.3, 0.2, -0.7)
    activate(obj)
    bpy.ops.object.forcefield_toggle()
    obj.field.type, obj.field.strength = kind, strength
    for setting, value in settings.items():
        setattr(obj.field, setting, value)
    obj.select_set(False)
    return obj


def sheet(**settings):
    """A sheet of 2 m, held at two corners."""
    cloth = add_hooke(grid(pins={0: 1.0, 4: 1.0}), **settings)
    activate(cloth)
    bpy.context.view_layer.update()
    return cloth


def keyed(obj, frames, name="strength"):
    """Key a number of a field: a dict of frame -> value."""
    for frame, value in frames.items():
        setattr(obj.field, name, value)
        obj.keyframe_insert(f"field.{name}", frame=frame)


def keyed_gust(obj):
    """Strength 0 at frame 1, 60 at frame 8, and the field turns."""
    keyed(obj, {1: 0.0, 8: 60.0})
    swing(obj)
