# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scenes share: Cycles' settings, backdrop, lights, camera, materials, simple solids."""

from typing import Any

import _cycles  # type: ignore[import-not-found]
import bpy
import numpy as np
from mathutils import Matrix, Vector


def empty_scene(fps, frame_end):
    """The scene of an empty file, for Cycles on the CPU."""
    # Unlike read_factory_settings this keeps the enabled extensions.
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = fps
    scene.frame_start, scene.frame_end = 1, frame_end
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = 24
    scene.cycles.adaptive_threshold = 0.05
    # Some builds of Blender leave the denoiser out.
    scene.cycles.use_denoising = _cycles.with_openimagedenoise
    scene.cycles.max_bounces = 5
    scene.render.use_persistent_data = True
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.look = "AgX - Medium High Contrast"
    return scene


def add(scene, name, data, location=(0.0, 0.0, 0.0)):
    """A new object of the scene."""
    obj = bpy.data.objects.new(name, data)
    obj.location = location
    scene.collection.objects.link(obj)
    return obj


def material(name, color, roughness=0.5, **inputs):
    """Principled material; inputs are further sockets, by their names with _ for a space."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.diffuse_color = (*color, 1.0)
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    for socket, value in inputs.items():
        shader.inputs[socket.replace("_", " ")].default_value = value
    return made


def backdrop(scene, color, distance):
    """A ground that bends up into a wall at a distance [m] behind the subject, under a pale sky."""
    radius, height = 0.6 * distance, 12.0
    angles = np.linspace(0.0, np.pi / 2, 25)
    profile = [(-20.0, 0.0)]
    profile += [(distance + radius * np.sin(a), radius * (1.0 - np.cos(a))) for a in angles]
    profile += [(distance + radius, height)]
    points = [(x, y, z) for x in (-40.0, 40.0) for y, z in profile]
    count = len(profile)
    faces = [(i, i + 1, count + i + 1, count + i) for i in range(count - 1)]
    mesh = bpy.data.meshes.new("Backdrop")
    mesh.from_pydata(points, [], faces)
    mesh.shade_smooth()
    mesh.materials.append(material("Backdrop", color, roughness=0.95, Specular_IOR_Level=0.1))
    add(scene, "Backdrop", mesh)
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    background = scene.world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (0.8, 0.88, 1.0, 1.0)
    background.inputs["Strength"].default_value = 0.35


def area_light(scene, name, place, target, size, power, color=(1.0, 1.0, 1.0)):
    """Square lamp of a size [m] and a power [W] at a place, turned to a target."""
    lamp: Any = bpy.data.lights.new(name, "AREA")
    lamp.size, lamp.energy, lamp.color = size, power, color
    add(scene, name, lamp).matrix_world = _towards(place, target)


def camera(scene, place, target, focal_length):
    """The scene's camera at a place, turned to a target; focal length [mm] on a 24 mm high sensor."""
    data = bpy.data.cameras.new("Camera")
    data.lens, data.sensor_height, data.sensor_fit = focal_length, 24.0, "VERTICAL"
    scene.camera = add(scene, "Camera", data)
    scene.camera.matrix_world = _towards(place, target)


def chart(scene, middle, place, target, width):
    """Light rows of things around a middle, and see them from a place to a target without perspective, so wide [m]."""
    x = middle[0]
    backdrop(scene, (0.62, 0.64, 0.66), 5.0)
    area_light(scene, "Key", (-3.0, -7.0, 8.0), middle, 4.0, 1500, (1.0, 0.96, 0.9))
    area_light(scene, "Rim", (x + 7.0, -2.0, 6.0), middle, 3.0, 500, (0.85, 0.92, 1.0))
    camera(scene, place, target, 50)
    seen = scene.camera.data
    seen.type, seen.ortho_scale, seen.sensor_fit = "ORTHO", width, "HORIZONTAL"


def label(scene, text, place, ink, size, align="LEFT"):
    """Words that stand upright at a place, letters of a size [m]; ink: a material."""
    curve: Any = bpy.data.curves.new(text, "FONT")
    curve.body, curve.size, curve.align_x = text, size, align
    curve.materials.append(ink)
    add(scene, text, curve, place).rotation_euler = (np.pi / 2, 0.0, 0.0)


def _towards(place, target):
    """World matrix at a place with -Z to the target and Y up."""
    turn = (Vector(target) - Vector(place)).to_track_quat("-Z", "Y")
    return Matrix.LocRotScale(Vector(place), turn, None)


def render(scene, frame, size, path):
    """Render a frame as a PNG of a size (width, height) [px]."""
    scene.frame_set(frame)
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
