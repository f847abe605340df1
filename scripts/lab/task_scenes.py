# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes of the tasks; needs bpy."""

from math import pi

import bpy
import numpy as np
from measuring.blender import empty_scene

from hooke.addon import gallery
from hooke.addon.gallery import stage

FPS = 24
SPHERE = (0.0, 0.0, 0.5)
RADIUS = 0.5
FLOOR = 0.0
CUBE = 1.0
# Of the cushion: its size and thickness [m], and its cells along either.
WIDE, THICK, CELLS, LAYERS = 0.6, 0.2, 18, 6
BALL, LOWERED, RAISED = 0.15, 0.27, 0.45
PRESSES = (1, 24, 48, 60)
# The frame from which nothing holds the banner, and that from which the sheet is soft.
LET_GO, SOFT = 25, 72
# How much softer it is then.
SOFTER = 500
POST, BAND = 0.35, 0.42
PANEL, APART, PANEL_CELLS = 0.6, 0.06, 16


def sheet():
    """A level sheet of 1 m, 961 vertices, two corners in the group Pin."""
    return _sheet("Sheet", 30, lambda column, row: ((column == 0) | (column == 30)) & (row == 0), level=True)


def flag():
    """A flag of 1.5 by 1 m, 651 vertices, its hoist in the group Pin."""
    return _sheet("Flag", 20, lambda column, row: column == 0, wide=1.5)


def banner():
    """An upright sheet of 1 m, 961 vertices, its upper edge in the group Pin."""
    return _sheet("Banner", 30, lambda column, row: row == 0, height=4.0)


def _sheet(name, rows, held, *, wide=1.0, height=2.0, level=False):
    """A sheet of 30 columns and some rows, a metre long; held: columns and rows -> mask of the group Pin."""
    scene = empty_scene(FPS)
    points, faces, column, row = stage.sheet(30, rows, wide, 1.0)
    points = np.asarray(points)[:, [0, 2, 1]] if level else np.asarray(points)
    made = stage.mesh_object(scene, name, np.add(points, (0.0, 0.0, height)), faces=faces)
    stage.group(made, "Pin", np.flatnonzero(held(column, row)))
    stage.activate(made)
    return made


def skirt():
    """The gallery's skirt, 2,232 vertices, and the body that an armature walks; neither collides yet."""
    made = _of_gallery("SKIRT")
    body = bpy.data.objects["Body"]
    body.modifiers.remove(next(m for m in body.modifiers if m.type == "COLLISION"))
    stage.activate(made)
    return made


def net():
    """The gallery's net of 1,225 vertices, led by two posts through Hook modifiers."""
    made = _of_gallery("NET")
    # It only thickens what is shown.
    made.modifiers.remove(made.modifiers["Ropes"])
    return made


def jelly():
    """A cube of 1 m, its sides divided in ten, half a metre above the ground."""
    empty_scene(FPS)
    return _cube("Jelly", CUBE, (0.0, 0.0, CUBE), 10)


def _cube(name, size, place, cells):
    bpy.ops.mesh.primitive_cube_add(size=size, location=place)
    bpy.context.object.name = name
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=cells - 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    return bpy.context.object


def cylinder():
    """A standing tube of cloth, 1,008 vertices, above a ball of half a metre."""
    scene = empty_scene(FPS)
    stage.ball(scene, "Sphere", RADIUS, SPHERE, (0.6, 0.6, 0.6))
    return tube(scene, "Cylinder", 0.35, 1.2 + np.linspace(0.0, 0.8, 21), 48)


def tube(scene, name, radius, heights, around):
    """An open upright tube of cloth with rings at heights [m]."""
    turns = 2.0 * pi * np.arange(around) / around
    points = [(radius * np.cos(t), radius * np.sin(t), height) for height in heights for t in turns]
    ring = np.arange(len(points)).reshape(-1, around)
    after = np.roll(ring, -1, axis=1)
    faces = np.stack([ring[:-1], after[:-1], after[1:], ring[1:]], axis=-1).reshape(-1, 4)
    made = stage.mesh_object(scene, name, points, faces=faces)
    stage.activate(made)
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


def cushion():
    """A closed box of cloth, its sides bulged, on a ground, and a ball that presses on it and goes; both collide."""
    scene = empty_scene(FPS)
    made = _cube("Cushion", 1.0, (0.0, 0.0, 0.0), CELLS)
    for vertex in made.data.vertices:
        x, y, z = vertex.co
        bulge = np.sqrt((1.0 - 3.6 * x * x) * (1.0 - 3.6 * y * y))
        vertex.co = (WIDE * x, WIDE * y, THICK * z * bulge + THICK / 2.0)
    stage.collider(stage.ground(scene))
    ball = stage.collider(stage.ball(scene, "Ball", BALL, (0.0, 0.0, RAISED), (0.6, 0.6, 0.6)))
    stage.key(ball, "location", PRESSES, (RAISED, LOWERED, LOWERED, RAISED), index=2)
    scene.frame_set(1)
    stage.activate(made)
    return made


def band():
    """A tube of cloth, 768 vertices, a fifth wider than the post that it is around."""
    scene = empty_scene(FPS)
    post = stage.bar(scene, "Post", (0.0, 0.0, -1.0), (0.0, 0.0, 1.0), POST, (0.6, 0.6, 0.6))
    post.data.shade_smooth()
    return tube(scene, "Band", BAND, np.linspace(0.0, 0.4, 12), 64)


def panels():
    """Two level squares above each other on a ground that collides, and loose edges from rim to rim."""
    scene = empty_scene(FPS)
    flat, quads, column, row = stage.sheet(PANEL_CELLS, PANEL_CELLS, PANEL, PANEL)
    level = np.column_stack([flat[:, 0], flat[:, 2], np.full(len(flat), 0.05)])
    rim = np.flatnonzero(np.isin(column, (0, PANEL_CELLS)) | np.isin(row, (0, PANEL_CELLS)))
    points = np.concatenate([level, np.add(level, (0.0, 0.0, APART))])
    faces = np.concatenate([quads[:, ::-1], quads + len(flat)])
    made = stage.mesh_object(scene, "Panels", points, np.column_stack([rim, rim + len(flat)]), faces)
    stage.collider(stage.ground(scene))
    stage.activate(made)
    return made


def pulled():
    """The gallery's cloth that is pulled until it tears, without Hooke, its sides in the group Pin."""
    made = _of_gallery("TEAR")
    made.vertex_groups["Sides"].name = "Pin"
    return made


def _of_gallery(id):
    """An example without Hooke, its settings as of an object that never had any."""
    scene = empty_scene(FPS)
    made = gallery.build(id, scene)
    stage.activate(made)
    bpy.ops.hooke.remove()
    for name in list(made.hooke.bl_rna.properties.keys()):
        made.hooke.property_unset(name)
    return made
