# SPDX-License-Identifier: GPL-3.0-or-later
"""What the examples share: meshes from arrays, materials, light and camera, and Hooke as its buttons add it."""

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..operators import add_hooke

GROUND, SKY = (0.26, 0.30, 0.32), (0.55, 0.68, 0.82)


def mesh_object(scene, name, points, edges=(), faces=(), color=(0.8, 0.8, 0.8), smooth=True):
    """A mesh object of points [m], in the scene."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(
        np.asarray(points, dtype=float).tolist(),
        [list(map(int, i)) for i in edges],
        [list(map(int, i)) for i in faces],
    )
    if len(faces) and smooth:
        mesh.shade_smooth()
    mesh.materials.append(material(name, color))
    return add(scene, name, mesh)


def sheet(columns, rows, width, height):
    """Points [m] of a sheet from the origin along x and down -z, row by row, its quads, and (column, row) of each."""
    column, row = (grid.ravel() for grid in np.meshgrid(np.arange(columns + 1), np.arange(rows + 1)))
    points = np.column_stack([width * column / columns, np.zeros(len(column)), -height * row / rows])
    corners = np.arange(len(points)).reshape(rows + 1, columns + 1)[:-1, :-1].ravel()
    return points, corners[:, None] + np.array([0, columns + 1, columns + 2, 1]), column, row


def add(scene, name, data):
    """A new object of the scene."""
    obj = bpy.data.objects.new(name, data)
    scene.collection.objects.link(obj)
    return obj


def material(name, color, roughness=0.7):
    """A material that looks the same in the solid view and in a render."""
    made = bpy.data.materials.new(name)
    made.diffuse_color = (*color, 1.0)
    shader = _nodes(made)["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    return made


def activate(obj):
    """Make the object the active and only selected one."""
    bpy.context.view_layer.update()
    for other in bpy.context.view_layer.objects:
        other.select_set(False)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def group(obj, name, indices, weight=1.0):
    """A vertex group of some vertices; returns its name."""
    made = obj.vertex_groups.get(name) or obj.vertex_groups.new(name=name)
    made.add([int(index) for index in indices], weight, "REPLACE")
    return made.name


def simulate(scene, obj, pin_group="", preset="Cotton", **settings):
    """Add Hooke to an object as the button does, choose a material, then change settings."""
    activate(obj)
    add_hooke(scene, obj)
    for folder in bpy.utils.preset_paths("hooke/material"):
        for path in bpy.path.module_names(folder):
            if path[0] == preset.replace(" ", "_"):
                bpy.ops.script.execute_preset(filepath=path[1], menu_idname="HOOKE_PT_material_presets")
    obj.hooke.pin_group = pin_group
    for name, value in settings.items():
        setattr(obj.hooke, name, value)
    return obj


def thicken(obj, radius):
    """Show the edges that border no face as round ropes [m], by a modifier below Hooke's, which adds to the mesh."""
    tree = bpy.data.node_groups.new("Ropes", "GeometryNodeTree")
    for direction in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    nodes, link = tree.nodes, tree.links.new
    kinds = {
        "given": "NodeGroupInput",
        "faces": "GeometryNodeInputMeshEdgeNeighbors",
        "none": "FunctionNodeCompare",
        "line": "GeometryNodeMeshToCurve",
        "round": "GeometryNodeCurvePrimitiveCircle",
        "rope": "GeometryNodeCurveToMesh",
        "coat": "GeometryNodeSetMaterial",
        "both": "GeometryNodeJoinGeometry",
        "result": "NodeGroupOutput",
    }
    node: dict[str, Any] = {name: nodes.new(kind) for name, kind in kinds.items()}
    node["none"].data_type, node["none"].operation = "FLOAT", "LESS_THAN"
    node["none"].inputs[1].default_value = 0.5
    node["round"].inputs["Resolution"].default_value = 8
    node["round"].inputs["Radius"].default_value = radius
    node["coat"].inputs["Material"].default_value = obj.data.materials[0]
    link(node["faces"].outputs["Face Count"], node["none"].inputs[0])
    link(node["given"].outputs["Geometry"], node["line"].inputs["Mesh"])
    link(node["none"].outputs["Result"], node["line"].inputs["Selection"])
    link(node["line"].outputs["Curve"], node["rope"].inputs["Curve"])
    link(node["round"].outputs["Curve"], node["rope"].inputs["Profile Curve"])
    link(node["rope"].outputs["Mesh"], node["coat"].inputs["Geometry"])
    # Links into one socket are joined the last made first: the mesh itself has to come first.
    link(node["coat"].outputs["Geometry"], node["both"].inputs["Geometry"])
    link(node["given"].outputs["Geometry"], node["both"].inputs["Geometry"])
    link(node["both"].outputs["Geometry"], node["result"].inputs["Geometry"])
    obj.modifiers.new("Ropes", "NODES").node_group = tree
    return obj


def collider(obj):
    """Give an object Blender's Collision physics, which stops whatever Hooke simulates."""
    obj.modifiers.new("Collision", "COLLISION")
    return obj


def ground(scene, size=60.0):
    """A level ground, to see shadows on."""
    half = size / 2.0
    points = [(-half, -half, 0.0), (half, -half, 0.0), (half, half, 0.0), (-half, half, 0.0)]
    return mesh_object(scene, "Ground", points, faces=[(0, 1, 2, 3)], color=GROUND)


def ball(scene, name, radius, place, color):
    """A ball at a place."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=radius, location=place)
    made = bpy.context.view_layer.objects.active
    made.name = made.data.name = name
    made.data.shade_smooth()
    made.data.materials.append(material(name, color))
    return made


def bar(scene, name, start, end, radius, color):
    """A round bar from one point to another."""
    start, end = Vector(start), Vector(end)
    bpy.ops.mesh.primitive_cylinder_add(vertices=24, radius=radius, depth=(end - start).length)
    made = bpy.context.view_layer.objects.active
    made.name = made.data.name = name
    made.matrix_world = Matrix.LocRotScale((start + end) / 2.0, (end - start).to_track_quat("Z", "Y"), None)
    made.data.materials.append(material(name, color))
    return made


def look(scene, place, target, focal_length=50.0):
    """Camera, sun and sky: from a place to a target."""
    camera = add(scene, "Camera", bpy.data.cameras.new("Camera"))
    camera.data.lens = focal_length
    camera.matrix_world = _towards(place, target)
    scene.camera = camera
    sun = add(scene, "Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle = 3.5, 0.06
    sun.matrix_world = _towards((place[0] - 4.0, place[1] - 1.0, place[2] + 5.0), target)
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.color = SKY
    sky = _nodes(scene.world)["Background"]
    sky.inputs["Color"].default_value = (*SKY, 1.0)
    sky.inputs["Strength"].default_value = 0.5


def key(obj, path, frames, values, index=-1):
    """Key frames of a property, one value a frame."""
    for frame, value in zip(frames, values, strict=True):
        if index < 0:
            setattr(obj, path, value)
        else:
            getattr(obj, path)[index] = value
        obj.keyframe_insert(path, index=index, frame=frame)


def _nodes(owner):
    """Shader nodes of a material or world, which has them from the start from Blender 5.0 on."""
    if owner.node_tree is None:
        owner.use_nodes = True
    return owner.node_tree.nodes


def _towards(place, target):
    turn = (Vector(target) - Vector(place)).to_track_quat("-Z", "Y")
    return Matrix.LocRotScale(Vector(place), turn, None)
