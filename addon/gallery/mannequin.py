# SPDX-License-Identifier: GPL-3.0-or-later
"""A jointed figure of wood, 1.7 m tall, that stands with its arms off its sides, lowers them and walks on the spot.

It looks along -y. Lengths are in m, angles in rad.
"""

from math import pi, sin
from typing import Any

from mathutils import Quaternion

from . import figure

COLOR = (0.62, 0.42, 0.24)
SHOULDER, ELBOW, WRIST = (0.18, 0.0, 1.38), (0.378, 0.0, 1.182), (0.554, 0.0, 1.006)
HIP, KNEE, ANKLE = (0.09, 0.0, 0.9), (0.09, 0.0, 0.49), (0.09, 0.0, 0.08)
WAIST, CHEST, NECK, CROWN = 0.98, 1.12, 1.42, 1.72

# How far it lowers its arms, which stand off at 45 degrees; how far they and the legs swing, and what bends with them.
LOWERED, ARM, FOREARM, LEG, SHIN, TWIST = 0.44, 0.35, 0.35, 0.42, 0.5, 0.12
# Points around a part of the trunk and rows down it: what collides is no finer than cloth needs.
ROUND = 24, 14
# Frames of a double step.
PERIOD = 28


def build(scene, lowers, walks, end):
    """The figure with its armature, keyed to `end`; lowers, walks: frame in which it begins to.

    Returns the body, an object.
    """
    rig = figure.armature(scene, "Rig", _bones())
    body = figure.bound(figure.body(scene, "Body", _parts(), COLOR), rig)
    for frame in range(1, end + 2, 2):
        _pose(rig, frame, _eased((frame - lowers) / (walks - lowers)), (frame - walks) / PERIOD)
    return body


def _mirrored(point, side):
    return side * point[0], point[1], point[2]


def _bones():
    bones: dict[str, Any] = {
        "Hips": ((0.0, 0.0, HIP[2]), (0.0, 0.0, CHEST), None),
        "Chest": ((0.0, 0.0, CHEST), (0.0, 0.0, NECK), "Hips"),
        "Head": ((0.0, 0.0, NECK), (0.0, 0.0, CROWN), "Chest"),
    }
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, head, tail, parent in (
            ("Arm", SHOULDER, ELBOW, "Chest"),
            ("Forearm", ELBOW, WRIST, f"{side} Arm"),
            ("Leg", HIP, KNEE, "Hips"),
            ("Shin", KNEE, ANKLE, f"{side} Leg"),
        ):
            bones[f"{side} {name}"] = (_mirrored(head, sign), _mirrored(tail, sign), parent)
    return bones


def _parts():
    """Of every bone its name, and points and faces."""
    parts = [
        ("Hips", figure.ellipsoid((0.0, 0.0, 0.93), (0.165, 0.11, 0.12), *ROUND)),
        ("Hips", figure.ellipsoid((0.0, 0.0, 1.06), (0.14, 0.095, 0.13), *ROUND)),
        ("Chest", figure.ellipsoid((0.0, 0.0, 1.25), (0.165, 0.108, 0.19), *ROUND)),
        ("Chest", figure.limb((0.0, 0.0, 1.38), (0.0, 0.0, 1.5), 0.045)),
        ("Head", figure.ellipsoid((0.0, -0.015, 1.605), (0.078, 0.095, 0.12))),
    ]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, head, tail, radius in (
            ("Arm", SHOULDER, ELBOW, 0.044),
            ("Forearm", ELBOW, WRIST, 0.036),
            ("Forearm", WRIST, (0.62, 0.0, 0.94), 0.034),
            ("Leg", HIP, KNEE, 0.078),
            ("Shin", KNEE, ANKLE, 0.052),
            ("Shin", (0.09, 0.02, 0.045), (0.09, -0.14, 0.04), 0.042),
        ):
            parts.append(
                (f"{side} {name}", figure.limb(_mirrored(head, sign), _mirrored(tail, sign), radius))
            )
    return parts


def _pose(rig, frame, lowered, steps):
    """Key all bones; lowered: share of the way of the arms; steps: double steps since it walks, below 0 none."""
    share, phase = _eased(steps), 2.0 * pi * steps
    swing = share * sin(phase)
    _key(rig, "Hips", frame, (0.0, 0.0, TWIST * swing))
    _key(rig, "Chest", frame, (0.0, 0.0, -2.0 * TWIST * swing))
    hips = rig.pose.bones["Hips"]
    hips.location[1] = -0.015 * share * (1.0 + sin(2.0 * phase + pi / 2.0))
    hips.keyframe_insert("location", index=1, frame=frame)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        bent = 0.5 * share * (1.0 + sin(phase + pi / 2.0 * (1.0 - sign)))
        _key(rig, f"{side} Arm", frame, (sign * ARM * swing, sign * LOWERED * lowered, 0.0))
        _key(rig, f"{side} Forearm", frame, (-FOREARM * bent - 0.2 * lowered, 0.0, 0.0))
        _key(rig, f"{side} Leg", frame, (-sign * LEG * swing, 0.0, 0.0))
        # The knee bends while the leg comes forward.
        lifted = 0.5 * share * (1.0 + sin(phase + (0.5 if sign > 0.0 else -0.5) * pi + 0.35 * pi))
        _key(rig, f"{side} Shin", frame, (SHIN * lifted, 0.0, 0.0))


def _key(rig, name, frame, angles):
    """Key a bone turned about the armature's y, then x, then z, seen from its parent."""
    bone = rig.pose.bones[name]
    bone.rotation_mode = "QUATERNION"
    x, y, z = (
        Quaternion(axis, angle) for axis, angle in zip(((1, 0, 0), (0, 1, 0), (0, 0, 1)), angles, strict=True)
    )
    rest = bone.bone.matrix_local.to_quaternion()
    bone.rotation_quaternion = rest.inverted() @ (z @ x @ y) @ rest
    bone.keyframe_insert("rotation_quaternion", frame=frame)


def _eased(share):
    """From 0 to 1 without a jerk at either end."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)
