# SPDX-License-Identifier: GPL-3.0-or-later
"""Suzanne as jelly: soft pins, hard where she sits and ever softer upwards, follow her as she hops."""

from math import radians

import bpy
import numpy as np
from mathutils import Matrix

from . import studio

NAME = "Suzanne"
FPS, FRAME_END = 24, 96
MOMENTS = (12, 16, 22, 29, 32)
PANEL = (396, 380)
SETTINGS = {"stiffness": 1.5, "bending": 1.0, "mass": 1.0, "pin_stiffness": 3.0, "substeps": 5}

TILT, PLATE = -34.0, 0.06
# Take-off and landing [s], and the angle [deg] about the vertical axis she then faces.
HOPS = ((0.40, 1.05, 20.0), (1.80, 2.30, -15.0))


def build():
    """The scene with Suzanne ready for Hooke; returns (scene, Suzanne)."""
    scene = studio.empty_scene(FPS, FRAME_END)
    suzanne = _suzanne()
    for frame in range(1, FRAME_END + 1):
        suzanne.location.z, suzanne.rotation_euler.z = _hop((frame - 1) / FPS)
        suzanne.keyframe_insert("location", index=2, frame=frame)
        suzanne.keyframe_insert("rotation_euler", index=2, frame=frame)
    _stage(scene)
    return scene, suzanne


def _suzanne():
    """Suzanne on the plate, subdivided once for Hooke and once more, by a modifier, for the eye."""
    bpy.ops.mesh.primitive_monkey_add(size=1.6)
    suzanne = bpy.context.object
    mesh = suzanne.data
    suzanne.name = mesh.name = NAME
    suzanne.modifiers.new("Subdivision", "SUBSURF")
    bpy.ops.object.modifier_apply(modifier="Subdivision")
    mesh.transform(Matrix.Rotation(radians(TILT), 4, "X"))
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    heights = points[2::3]
    heights -= heights.min()
    mesh.vertices.foreach_set("co", points)
    mesh.shade_smooth()
    mesh.materials.append(_jelly())
    group = suzanne.vertex_groups.new(name="Pin")
    for index, weight in enumerate(_pin_weights(heights).tolist()):
        group.add([index], weight, "REPLACE")
    suzanne.modifiers.new("Smooth", "SUBSURF").render_levels = 1
    return suzanne


def _pin_weights(heights):
    """1 where she touches the ground, then from 0.35 down to 0.05 at the top."""
    share = heights / heights.max()
    return np.where(heights < 0.05, 1.0, 0.05 + 0.3 * (1.0 - share) ** 4)


def _hop(t):
    """Height [m] and angle about the vertical axis [rad] at t [s]: free flight between stops."""
    angle = 0.0
    for start, end, facing in HOPS:
        share = min(max((t - start) / (end - start), 0.0), 1.0)
        angle += share * (radians(facing) - angle)
        if 0.0 < share < 1.0:
            return PLATE + 9.81 / 2.0 * (t - start) * (end - t), angle
    return PLATE, angle


def _jelly():
    return studio.material(
        "Jelly",
        (0.30, 0.62, 0.06),
        roughness=0.12,
        Subsurface_Weight=0.5,
        Subsurface_Radius=(0.35, 0.5, 0.12),
        Subsurface_Scale=0.35,
        Transmission_Weight=0.6,
        IOR=1.36,
    )


def _stage(scene):
    china = studio.material("China", (0.85, 0.83, 0.80), roughness=0.15)
    studio.cylinder(scene, "Plate", 1.0, PLATE, Matrix.Translation((0.0, 0.0, PLATE / 2)), china)
    studio.backdrop(scene, (0.10, 0.19, 0.22), 3.0)
    middle = (0.0, 0.0, 0.7)
    studio.area_light(scene, "Key", (-3.0, -3.0, 4.5), middle, 1.2, 480, (1.0, 0.94, 0.86))
    studio.area_light(scene, "Back", (3.0, 3.0, 3.5), middle, 1.5, 500, (0.9, 0.96, 1.0))
    studio.camera(scene, (0.0, -8.0, 2.6), (0.0, 0.0, 0.84), 70)
