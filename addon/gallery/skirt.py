# SPDX-License-Identifier: GPL-3.0-or-later
"""A skirt on walking legs."""

from math import pi, sin
from typing import Any

import numpy as np

from . import figure, stage

LABEL = "Skirt on a Walk"
DESCRIPTION = "A skirt, pinned at the waist, on hips and legs that an armature walks: a deforming collider"
FRAME_END = 160

WAIST, HIP, HEM, WAIST_RADIUS, HEM_RADIUS = 1.08, 0.9, 0.5, 0.165, 0.34
AROUND, DOWN, LEG, FOOT, STEP = 72, 30, 0.1, 0.02, 0.42
PERIOD, SETTLE = 28, 20


def build(scene):
    """Hips and two legs with an armature of three bones, and a cone of cloth around them."""
    rig = walker(scene)
    skirt = _skirt(scene)
    skirt.vertex_groups.new(name="Hips").add(range(len(skirt.data.vertices)), 1.0, "REPLACE")
    figure.bound(skirt, rig)
    stage.ground(scene)
    stage.look(scene, (2.2, -3.0, 1.3), (0.0, 0.0, 0.7), 60.0)
    return stage.simulate(scene, skirt, "Waist")


def walker(scene):
    """Hips and two legs that walk, as a collider; returns their armature."""
    rig = _armature(scene)
    body = _body(scene)
    figure.bound(body, rig)
    stage.collider(body)
    return rig


def radius(share):
    """Of the cone at a share of its way from the waist to the hem [m]."""
    return WAIST_RADIUS + (HEM_RADIUS - WAIST_RADIUS) * share**0.6


def _armature(scene):
    bones: dict[str, Any] = {"Hips": ((0.0, 0.0, HIP), (0.0, 0.0, WAIST), None)}
    bones |= {name: ((x, 0.0, HIP), (x, 0.0, FOOT), "Hips") for name, x in (("Left", -LEG), ("Right", LEG))}
    rig = figure.armature(scene, "Rig", bones)
    for frame in range(1, FRAME_END + 1, 2):
        share = min(max((frame - SETTLE) / PERIOD, 0.0), 1.0)
        phase = 2.0 * pi * (frame - SETTLE) / PERIOD
        _turn(rig, "Left", frame, share * STEP * sin(phase))
        _turn(rig, "Right", frame, -share * STEP * sin(phase))
        bone = rig.pose.bones["Hips"]
        bone.location = (0.0, 0.02 * share * sin(2.0 * phase), 0.0)
        bone.keyframe_insert("location", frame=frame)
        _turn(rig, "Hips", frame, 0.12 * share * sin(phase), axis=1)
    return rig


def _turn(rig, name, frame, angle, axis=0):
    bone = rig.pose.bones[name]
    bone.rotation_mode = "XYZ"
    bone.rotation_euler[axis] = angle
    bone.keyframe_insert("rotation_euler", index=axis, frame=frame)


def _body(scene):
    """Hips as an ellipsoid and legs as tapered tubes, each in the group of its bone."""
    parts = [
        (name, figure.ellipsoid(center, size))
        for name, center, size in (
            ("Hips", (0.0, 0.0, HIP + 0.06), (0.19, 0.14, 0.17)),
            ("Left", (-LEG, 0.0, HIP / 2.0), (0.085, 0.085, HIP / 2.0 + 0.05)),
            ("Right", (LEG, 0.0, HIP / 2.0), (0.085, 0.085, HIP / 2.0 + 0.05)),
        )
    ]
    return figure.body(scene, "Body", parts, (0.72, 0.5, 0.4))


def _skirt(scene):
    """A cone from the waist to the hem, its first ring in the group Waist."""
    turns = 2.0 * np.pi * np.arange(AROUND) / AROUND
    points, faces = [], []
    for ring in range(DOWN + 1):
        share = ring / DOWN
        wide, height = radius(share), WAIST + (HEM - WAIST) * share
        points += [(1.15 * wide * np.cos(t), wide * np.sin(t), height) for t in turns]
    for ring in range(DOWN):
        low, high = ring * AROUND, (ring + 1) * AROUND
        faces += [(low + i, high + i, high + (i + 1) % AROUND, low + (i + 1) % AROUND) for i in range(AROUND)]
    skirt = stage.mesh_object(scene, "Skirt", points, faces=faces, color=(0.5, 0.12, 0.25))
    stage.group(skirt, "Waist", range(AROUND))
    return skirt
