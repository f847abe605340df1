# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes of the tasks, and what came out of them in a few words; needs bpy."""

from math import pi
from typing import Any

import bpy
import numpy as np

from hooke.addon import gallery
from hooke.addon.gallery import stage

from .flapping import flapping

FPS = 24
SPHERE = (0.0, 0.0, 0.5)
RADIUS = 0.5
FLOOR = 0.0
CUBE = 1.0
# Closer to a surface than this is on it: what both keep distance by is larger [m].
ON = 1e-3
# Of a flag of 1.5 m: what goes less far sideways is taken by eye to hang still in the wind [m].
FLUTTERS = 0.05


def activate(obj):
    """Make an object the active and only selected one."""
    stage.activate(obj)


def empty():
    """An empty scene at 24 frames a second."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    return scene


def sheet():
    """A level sheet of 1 m, 961 vertices, two corners in the group Pin."""
    scene = empty()
    points, faces, column, row = stage.sheet(30, 30, 1.0, 1.0)
    made = stage.mesh_object(scene, "Sheet", points[:, [0, 2, 1]] + [0.0, 0.0, 2.0], faces=faces)
    stage.group(made, "Pin", (((column == 0) | (column == 30)) & (row == 0)).nonzero()[0])
    activate(made)
    return made


def flag():
    """A flag of 1.5 by 1 m, 651 vertices, its hoist in the group Pin."""
    scene = empty()
    points, faces, column, _row = stage.sheet(30, 20, 1.5, 1.0)
    made = stage.mesh_object(scene, "Flag", np.add(points, (0.0, 0.0, 2.0)), faces=faces)
    stage.group(made, "Pin", (column == 0).nonzero()[0])
    activate(made)
    return made


def skirt():
    """The gallery's skirt, 2,232 vertices, and the body that an armature walks; neither collides yet."""
    made = _of_gallery("SKIRT")
    body = bpy.data.objects["Body"]
    body.modifiers.remove(next(m for m in body.modifiers if m.type == "COLLISION"))
    activate(made)
    return made


def net():
    """The gallery's net of 1,225 vertices, led by two posts through Hook modifiers."""
    made = _of_gallery("NET")
    # It only thickens what is shown.
    made.modifiers.remove(made.modifiers["Ropes"])
    return made


def jelly():
    """A cube of 1 m, its sides divided in ten, half a metre above the ground."""
    empty()
    bpy.ops.mesh.primitive_cube_add(size=CUBE, location=(0.0, 0.0, CUBE))
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=9)
    bpy.ops.object.mode_set(mode="OBJECT")
    return bpy.context.object


def cylinder():
    """A standing tube of cloth, 1,008 vertices, above a ball of half a metre."""
    scene = empty()
    stage.ball(scene, "Sphere", RADIUS, SPHERE, (0.6, 0.6, 0.6))
    around, down = 48, 20
    turns, rows = 2.0 * pi * np.arange(around) / around, np.linspace(0.0, 0.8, down + 1)
    points = [(0.35 * np.cos(t), 0.35 * np.sin(t), 1.2 + height) for height in rows for t in turns]
    faces = [
        (row * around + i, row * around + j, (row + 1) * around + j, (row + 1) * around + i)
        for row in range(down)
        for i, j in ((i, (i + 1) % around) for i in range(around))
    ]
    made = stage.mesh_object(scene, "Cylinder", points, faces=faces)
    activate(made)
    return made


def wind(strength):
    """A Wind that blows along x, but for three degrees: exactly along a flag nothing would begin to flutter."""
    bpy.ops.object.effector_add(type="WIND", location=(-2.0, 0.0, 1.5), rotation=(0.0, pi / 2.0, 0.05))
    bpy.context.object.field.strength = strength


def plane():
    """A plane of 20 m where the 3D cursor is."""
    bpy.ops.mesh.primitive_plane_add(size=20.0)


def material_preset(name):
    """Choose one of Hooke's materials."""
    for folder in bpy.utils.preset_paths("hooke/material"):
        for file, path in bpy.path.module_names(folder):
            if file == name:
                bpy.ops.script.execute_preset(filepath=path, menu_idname="HOOKE_PT_material_presets")


def world_positions(obj):
    """Evaluated positions in the world, shape (n, 3)."""
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(3 * len(shown.data.vertices), dtype=np.float32)
    shown.data.attributes["position"].data.foreach_get("vector", points)
    matrix = np.array(shown.matrix_world)
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def judge_hanging(obj, shown):
    """How far it fell, and how far it is stretched."""
    return f"hangs, {shown[0, :, 2].mean() - shown[-1, :, 2].mean():.2f} m lower, {stretched(obj, shown)}"


def judge_flag(obj, shown):
    """Whether its free edge flutters: how far it goes sideways in the last three seconds, and how often it beats."""
    edge = shown[-3 * FPS :].reshape(-1, 21, 31, 3)[:, :, -1, 1].mean(axis=1)
    way, beats = flapping(edge, FPS)
    if way < FLUTTERS or not beats:
        return f"hangs in the wind, its free edge goes {way:.2f} m sideways, {stretched(obj, shown)}"
    return f"flutters, {way:.2f} m from side to side, {beats:.1f} times a second, {stretched(obj, shown)}"


def judge_skirt(obj, shown):
    """How many vertices are in the body, and how far it is stretched."""
    body: Any = bpy.data.objects["Body"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    into = body.matrix_world.inverted()
    depths = []
    for point in shown[-1]:
        local = into @ stage.Vector(point)
        _, nearest, normal, _ = body.closest_point_on_mesh(local)
        depths.append((nearest - local).dot(normal))
    count = int((np.array(depths) > ON).sum())
    return f"{count} of {len(depths):,} vertices in the body, {stretched(obj, shown)}"


def judge_jelly(obj, shown):
    """What is left of its volume, and how deep it is in the floor."""
    lowest = shown[-1, :, 2].min()
    share = volume(obj, shown[-1]) / CUBE**3
    where = "on the floor" if lowest > FLOOR - ON else f"{1e3 * (FLOOR - lowest):.0f} mm in the floor"
    height = np.ptp(shown[-1, :, 2])
    return f"{where}, {100 * share:.0f} % of its volume, {height:.2f} m high"


def judge_net(obj, shown):
    """How far its ends are from where the posts take them, and how far it is stretched."""
    worst, scene = 0.0, bpy.context.scene
    for name in ("Left Post", "Right Post"):
        index = obj.vertex_groups[name].index
        tied = [v.index for v in obj.data.vertices if any(g.group == index for g in v.groups)]
        for frame in range(1, len(shown) + 1, 12):
            scene.frame_set(frame)
            post = bpy.data.objects[name].matrix_world.translation
            moved = shown[frame - 1, tied] - np.array(post)
            worst = max(worst, float(np.abs(moved - (shown[0, tied] - _at_start(name))).max()))
    return f"its ends are within {1e3 * worst:.1f} mm of the posts, {stretched(obj, shown)}"


def judge_sphere(obj, shown):
    """Whether it is on the sphere, and how far inside it ever was."""
    distances = np.linalg.norm(shown - np.array(SPHERE), axis=2) - RADIUS
    inside = 1e3 * max(-distances.min(), 0.0)
    middle = shown[-1, :, 2].mean()
    where = "rests on it" if middle > SPHERE[2] else "slid off"
    return f"{where}, never deeper in than {inside:.0f} mm, {stretched(obj, shown)}"


def _at_start(name):
    post = bpy.data.objects[name]
    scene = bpy.context.scene
    frame = scene.frame_current
    scene.frame_set(1)
    place = np.array(post.matrix_world.translation)
    scene.frame_set(frame)
    return place


def stretched(obj, shown):
    """In words: how much longer the longest edge is at the end than in the first frame."""
    edges = np.array([edge.vertices[:] for edge in obj.data.edges])
    lengths = np.linalg.norm(np.diff(shown[-1][edges], axis=1)[:, 0], axis=1)
    rest = np.linalg.norm(np.diff(shown[0][edges], axis=1)[:, 0], axis=1)
    return f"edges +{100 * (lengths / rest - 1.0).max():.0f} % at most"


def volume(obj, points):
    """Volume [m³] of an object's closed faces with its vertices at points [m]."""
    obj.data.calc_loop_triangles()
    corners = points[np.array([triangle.vertices[:] for triangle in obj.data.loop_triangles])]
    return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0)


def _of_gallery(id):
    """An example without Hooke, its settings as of an object that never had any."""
    scene = empty()
    made = gallery.build(id, scene)
    activate(made)
    bpy.ops.hooke.remove()
    for name in list(made.hooke.bl_rna.properties.keys()):
        made.hooke.property_unset(name)
    return made
