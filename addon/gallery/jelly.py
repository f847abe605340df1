# SPDX-License-Identifier: GPL-3.0-or-later
"""Suzanne as jelly."""

from math import radians

import bpy

from . import stage

LABEL = "Jelly"
DESCRIPTION = "Suzanne, filled with jelly, falls on the floor and wobbles"
FRAME_END = 120

SIZE, HEIGHT, TILT = 1.0, 1.2, -25.0


def build(scene):
    """Suzanne above a floor; subdivided once for Hooke and once more, by a modifier, for the eye."""
    stage.collider(stage.ground(scene))
    bpy.ops.mesh.primitive_monkey_add(size=SIZE)
    suzanne = bpy.context.view_layer.objects.active
    suzanne.name = suzanne.data.name = "Suzanne"
    suzanne.modifiers.new("Subdivision", "SUBSURF")
    bpy.ops.object.modifier_apply(modifier="Subdivision")
    suzanne.location.z, suzanne.rotation_euler = HEIGHT, (radians(TILT), 0.0, radians(20.0))
    suzanne.data.shade_smooth()
    suzanne.data.materials.append(stage.material("Jelly", (0.35, 0.62, 0.1), 0.15))
    suzanne.modifiers.new("Smooth", "SUBSURF").render_levels = 1
    stage.look(scene, (1.6, -3.6, 1.2), (0.0, 0.0, 0.5))
    return stage.simulate(scene, suzanne, "", "Jelly")
