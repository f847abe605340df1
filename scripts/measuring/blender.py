# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes of Blender that are measured: empty ones, mesh objects, and where their vertices are; needs bpy."""

from typing import Any

import bpy
import numpy as np

import hooke


def empty_scene(fps):
    """An empty file's scene at so many frames a second, where Hooke is registered."""
    if not hasattr(bpy.types.Object, "hooke"):
        hooke.register()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = fps
    return scene


def new_mesh_object(scene, name, points, edges=(), faces=()):
    """A mesh object of points [m], edges and faces, of which Polygons are taken too, linked to a scene."""
    if hasattr(faces, "sizes"):
        faces = np.split(faces.corners, np.cumsum(faces.sizes)[:-1])
    mesh: Any = bpy.data.meshes.new(name)
    mesh.from_pydata(
        np.asarray(points).tolist(), np.asarray(edges).tolist(), [list(map(int, face)) for face in faces]
    )
    obj: Any = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(obj)
    return obj


def positions(obj, depsgraph=None):
    """Positions [m] of an object's evaluated mesh in the world, shape (n, 3)."""
    shown = obj.evaluated_get(depsgraph or bpy.context.evaluated_depsgraph_get())
    x = np.empty(3 * len(shown.data.vertices), dtype=np.float32)
    shown.data.attributes["position"].data.foreach_get("vector", x)
    matrix = np.array(shown.matrix_world)
    return x.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]


def monkey(size, levels):
    """Points [m] and faces of Blender's monkey of a size in Blender's measure, subdivided so often."""
    bpy.ops.mesh.primitive_monkey_add(size=size)
    maker: Any = bpy.context.view_layer.objects.active
    maker.modifiers.new("Subdivision", "SUBSURF").levels = levels
    mesh = maker.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    points = np.array([vertex.co for vertex in mesh.vertices], dtype=np.float64)
    faces = [list(face.vertices) for face in mesh.polygons]
    bpy.data.objects.remove(maker)
    return points, faces
