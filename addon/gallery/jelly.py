# SPDX-License-Identifier: GPL-3.0-or-later
"""Suzanne as jelly."""

from math import radians

import bpy

from . import stage

LABEL = "Jelly"
DESCRIPTION = "Suzanne, filled with firm jelly, falls on the floor, bounces and wobbles"
FRAME_END = 120

SIZE, HEIGHT, TILT = 1.0, 1.5, -35.0

# So many times as firm as the material, which lands and lies, and with less of its damping.
FIRMER, DAMPING_RATIO = 2.0, 0.02


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
    stage.look(scene, (1.9, -4.3, 1.25), (0.0, 0.0, 0.85))
    stage.simulate(scene, suzanne, "", "Jelly", damping_ratio=DAMPING_RATIO, fill_loss=0.0)
    suzanne.hooke.fill_stiffness *= FIRMER
    return suzanne
