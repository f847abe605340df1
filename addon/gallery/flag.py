# SPDX-License-Identifier: GPL-3.0-or-later
"""A flag on a pole, in wind."""

from math import pi

import bpy
import numpy as np

from . import stage

LABEL = "Flag in Wind"
DESCRIPTION = "Silk on a pole; a Wind force field blows, a Turbulence field makes it gusty"
FRAME_END = 240

COLUMNS, ROWS, FLY, HOIST, HEIGHT = 60, 40, 1.5, 1.0, 2.4
WIND, GUSTS, GUST_SIZE = 50.0, 39.0, 0.92
# Of the gusts' pattern, which Blender draws anew for every field: the example is the same whenever it is opened.
SEED = 10


def build(scene):
    """A flag that hangs from nothing but its hoist, and two force fields."""
    stage.bar(scene, "Pole", (0.0, 0.0, 0.0), (0.0, 0.0, HEIGHT + 0.1), 0.025, (0.6, 0.6, 0.62))
    points, faces, column, _row = stage.sheet(COLUMNS, ROWS, FLY, HOIST)
    flag = stage.mesh_object(
        scene, "Flag", np.add(points, (0.0, 0.0, HEIGHT)), faces=faces, color=(0.1, 0.3, 0.65)
    )
    pins = stage.group(flag, "Hoist", (column == 0).nonzero()[0])
    # A wind blows along its object's Z axis.
    field("Wind", "WIND", (-2.0, 0.0, 1.9), (0.0, pi / 2.0, 0.0), WIND)
    gusts = field("Gusts", "TURBULENCE", (0.8, 0.0, 1.9), (0.0, 0.0, 0.0), GUSTS)
    gusts.field.size, gusts.field.seed = GUST_SIZE, SEED
    stage.ground(scene)
    stage.look(scene, (1.4, -5.4, 1.9), (0.75, 0.0, 1.7))
    return stage.simulate(scene, flag, pins, "Silk")


def field(name, kind, place, rotation, strength):
    """An empty with a force field."""
    bpy.ops.object.effector_add(type=kind, location=place, rotation=rotation)
    made = bpy.context.view_layer.objects.active
    made.name = name
    made.field.strength = strength
    return made
