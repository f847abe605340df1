# SPDX-License-Identifier: GPL-3.0-or-later
"""A flag on a pole that an armature swings: its first column of vertices is pinned and follows the bone."""

from math import pi, radians, sin
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from . import studio

NAME = "Flag"
FPS, FRAME_END = 24, 120
MOMENTS = (50, 64, 78, 99, 113)
PANEL = (396, 385)
# So few substeps that backward Euler's own damping stands in for the air, which Hooke does not know.
SETTINGS = {"stiffness": 1000.0, "bending": 0.2, "mass": 0.3, "substeps": 4}

COLUMNS, ROWS = 84, 60
FLY, HOIST = 1.4, 1.0
SOCKET_HEIGHT, POLE_LENGTH, LEAN = 1.1, 1.9, radians(57.0)
TURN, NOD, PERIOD = radians(25.0), radians(6.0), 1.6


def build():
    """The scene with the flag ready for Hooke; returns (scene, flag)."""
    scene = studio.empty_scene(FPS, FRAME_END)
    rig = _armature(scene)
    _pole(scene, rig)
    flag = _flag(scene)
    _follow_pole(flag, rig)
    _stage(scene)
    return scene, flag


def _armature(scene):
    """Two bones: a turntable that swings from side to side, and on it the pole, which nods."""
    data = bpy.data.armatures.new("Rig")
    rig = studio.add(scene, "Rig", data)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    turntable, pole = data.edit_bones.new("Turntable"), data.edit_bones.new("Pole")
    turntable.head, turntable.tail = (0.0, 0.0, SOCKET_HEIGHT - 0.2), (0.0, 0.0, SOCKET_HEIGHT)
    pole.head, pole.tail = turntable.tail, _on_pole(POLE_LENGTH).translation
    pole.parent = turntable
    pole.align_roll((0.0, -1.0, 0.0))
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.hide_set(True)
    for frame in range(1, FRAME_END + 1, 2):
        turn, nod = _swing((frame - 1) / FPS)
        for name, axis, angle in (("Turntable", 1, turn), ("Pole", 2, nod)):
            bone = rig.pose.bones[name]
            bone.rotation_mode = "XYZ"
            bone.rotation_euler[axis] = angle
            bone.keyframe_insert("rotation_euler", index=axis, frame=frame)
    return rig


def _swing(t):
    """Angles of the turntable and of the pole [rad] at t [s], both starting softly from rest."""
    share = min(t, 1.0)
    ease = share**2 * (3.0 - 2.0 * share)
    phase = 2.0 * pi * t / PERIOD
    return ease * TURN * sin(phase), ease * NOD * sin(phase + 1.0)


def _on_pole(distance):
    """World matrix at a distance [m] from the socket along the pole at rest, Z along the pole."""
    socket = Matrix.Translation((0.0, 0.0, SOCKET_HEIGHT))
    return socket @ Matrix.Rotation(LEAN, 4, "Y") @ Matrix.Translation((0.0, 0.0, distance))


def _pole(scene, rig):
    wood = studio.material("Wood", (0.22, 0.10, 0.04), roughness=0.35)
    brass = studio.material("Brass", (0.80, 0.52, 0.22), roughness=0.2, Metallic=1.0)
    iron = studio.material("Iron", (0.05, 0.055, 0.06), roughness=0.45, Metallic=0.6)
    pole = studio.cylinder(scene, "Pole", 0.02, POLE_LENGTH, _on_pole(POLE_LENGTH / 2), wood)
    knob = studio.sphere(scene, "Knob", 0.045, _on_pole(POLE_LENGTH + 0.03), brass)
    for part in (pole, knob):
        _follow_pole(part, rig)
    studio.sphere(scene, "Joint", 0.06, _on_pole(0.0), brass)
    post = Matrix.Translation((0.0, 0.0, SOCKET_HEIGHT / 2))
    studio.cylinder(scene, "Post", 0.03, SOCKET_HEIGHT, post, iron)
    studio.cylinder(scene, "Foot", 0.28, 0.05, Matrix.Translation((0.0, 0.0, 0.025)), iron)


def _follow_pole(obj, rig):
    """Bind an object to the pole's bone."""
    obj.vertex_groups.new(name="Pole").add(range(len(obj.data.vertices)), 1.0, "REPLACE")
    obj.modifiers.new("Armature", "ARMATURE").object = rig


def _flag(scene):
    fly = np.tile(np.linspace(0.0, 1.0, COLUMNS + 1), ROWS + 1)
    hoist = np.repeat(np.linspace(0.0, 1.0, ROWS + 1), COLUMNS + 1)
    on_pole = np.column_stack([FLY * fly, np.zeros(fly.size), -HOIST * hoist])
    matrix = np.array(_on_pole(POLE_LENGTH - 0.05))
    points = on_pole @ matrix[:3, :3].T + matrix[:3, 3]
    corners = np.arange(fly.size).reshape(ROWS + 1, COLUMNS + 1)[:-1, :-1].ravel()
    faces = corners[:, None] + np.array([0, COLUMNS + 1, COLUMNS + 2, 1])
    mesh = bpy.data.meshes.new(NAME)
    mesh.from_pydata(points.tolist(), [], faces.tolist())
    mesh.shade_smooth()
    uv = np.column_stack([fly, 1.0 - hoist])[faces.ravel()]
    mesh.uv_layers.new().data.foreach_set("uv", uv.astype(np.float32).ravel())
    mesh.materials.append(_cloth())
    flag = studio.add(scene, NAME, mesh)
    held = np.flatnonzero(fly == 0.0).tolist()
    flag.vertex_groups.new(name="Pin").add(held, 1.0, "REPLACE")
    return flag


def _cloth():
    """Thin cloth with the emblem printed through, part of the light passing."""
    cloth = studio.material(NAME, (0.7, 0.08, 0.05), roughness=0.8, Sheen_Weight=0.15)
    nodes, links = cloth.node_tree.nodes, cloth.node_tree.links
    surface, output = nodes["Principled BSDF"], nodes["Material Output"]
    emblem, through, mix = (
        nodes.new(f"ShaderNode{kind}") for kind in ("TexImage", "BsdfTranslucent", "MixShader")
    )
    emblem.image = _emblem()
    nodes.active = emblem
    mix.inputs["Factor" if "Factor" in mix.inputs else "Fac"].default_value = 0.3
    links.new(emblem.outputs["Color"], surface.inputs["Base Color"])
    links.new(emblem.outputs["Color"], through.inputs["Color"])
    links.new(surface.outputs["BSDF"], mix.inputs[1])
    links.new(through.outputs["BSDF"], mix.inputs[2])
    links.new(mix.outputs[0], output.inputs["Surface"])
    return cloth


def _emblem():
    """A coil spring on a plain ground, as an image packed into the file."""
    width, height, turns = 840, 600, 5
    turn = np.linspace(0.0, 2.0 * pi * turns, 1200)
    x = np.interp(turn, turn[[0, -1]], (0.30, 0.70)) * width - 0.055 * width * np.sin(turn)
    y = 0.5 * height - 0.24 * height * np.cos(turn)
    column, row = np.arange(width)[None, :], np.arange(height)[:, None]
    ink = np.zeros((height, width))
    for center_x, center_y in zip(x, y, strict=True):
        left, low = int(center_x) - 16, int(center_y) - 16
        window = (slice(low, low + 34), slice(left, left + 34))
        distance = np.hypot(column[:, window[1]] - center_x, row[window[0]] - center_y)
        ink[window] = np.maximum(ink[window], np.clip(12.5 - distance, 0.0, 1.0))
    border = np.minimum(np.minimum(column, width - 1 - column), np.minimum(row, height - 1 - row))
    ink = np.maximum(ink, np.clip(border - 24.0, 0.0, 1.0) * np.clip(33.0 - border, 0.0, 1.0))
    ground, paint = np.array([0.78, 0.13, 0.09]), np.array([0.97, 0.91, 0.78])
    pixels = np.ones((height, width, 4), dtype=np.float32)
    pixels[..., :3] = ground + ink[..., None] * (paint - ground)
    image: Any = bpy.data.images.new("Emblem", width, height)
    image.pixels.foreach_set(pixels.ravel())
    image.pack()
    return image


def _stage(scene):
    studio.backdrop(scene, (0.10, 0.19, 0.22), 3.0)
    middle = (1.2, 0.0, 1.3)
    studio.area_light(scene, "Key", (-3.5, -2.5, 5.0), middle, 1.2, 700, (1.0, 0.93, 0.85))
    studio.area_light(scene, "Back", (4.5, 2.0, 3.5), middle, 1.5, 420, (0.85, 0.93, 1.0))
    studio.camera(scene, (1.05, -9.0, 2.3), (1.05, 0.0, 1.1), 80)
