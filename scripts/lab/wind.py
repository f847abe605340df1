# SPDX-License-Identifier: GPL-3.0-or-later
"""The same flag in the same Wind by Hooke and by Blender's Cloth modifier: mean angles in docs/guide.md, and a picture.

A square of 1 m and 441 vertices hangs from its upper edge; both weigh 0.3 kg a vertex, the modifier's default. Its own
air brings the modifier's to rest; Hooke's gets as much Air Drag as does that for so heavy a cloth. A third row is a
shirt's cotton by Hooke as added, in wind as much weaker as it is lighter. Needs bpy.
"""

import bpy
import numpy as np
from measuring.page import PICTURES, ROOT, table, write_block
from measuring.palette import few_colours
from scenes import studio

import hooke
from hooke.addon.sections.field_forces import PRESSURE

GUIDE = ROOT / "docs" / "guide.md"
QUADS, SECONDS, FPS = 20, 8, 24
VERTICES = (QUADS + 1) ** 2
CLOTH_MASS = 0.3
COTTON = 0.136
STRENGTHS = (500.0, 1500.0, 5000.0)
SETTLING_DRAG = 100.0
SIZE = (1200, 620)
G = 9.81


def run():
    """Simulate, write the table and the picture."""
    if not hasattr(bpy.types.Object, "hooke"):
        hooke.register()
    kinds = {"Cloth modifier": _cloth, "Hooke": _hooke, "Hooke, cotton": _cotton}
    rows, shapes = [], {}
    lightness = COTTON / (CLOTH_MASS * VERTICES)
    for strength in STRENGTHS:
        balance = np.degrees(np.arctan(PRESSURE * strength / (CLOTH_MASS * VERTICES * G)))
        row = [f"{strength:.0f}", f"{balance:.0f}°"]
        for name, add in kinds.items():
            frames = _frames(strength * (lightness if add is _cotton else 1.0), add)
            shapes[name, strength] = frames[-1]
            row.append(f"{_angles(frames[-3 * FPS :]).mean():.0f}°")
        rows.append(row)
        print("  " + ", ".join(row), flush=True)
    header = ["Strength of Wind", "balance of weight and pressure", *kinds]
    _picture(shapes, PICTURES / "lab-wind.png")
    write_block("wind", table(header, rows), page=GUIDE)


def _frames(strength, add):
    """World positions of a flag in wind along x at every frame, shape (count, VERTICES, 3)."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_end = FPS, SECONDS * FPS
    bpy.ops.object.effector_add(type="WIND", location=(-3.0, 0.0, 0.0), rotation=(0.0, np.pi / 2, 0.0))
    bpy.context.object.field.strength = strength
    flag = _flag(scene)
    add(flag)
    frames = []
    for frame in range(1, scene.frame_end + 1):
        scene.frame_set(frame)
        shown = flag.evaluated_get(bpy.context.evaluated_depsgraph_get())
        frames.append([vertex.co[:] for vertex in shown.data.vertices])
    return np.array(frames)


def _flag(scene):
    heights, across = np.meshgrid(
        np.linspace(0.0, -1.0, QUADS + 1), np.linspace(-0.5, 0.5, QUADS + 1), indexing="ij"
    )
    points = np.column_stack([np.zeros(VERTICES), across.ravel(), heights.ravel()])
    mesh = bpy.data.meshes.new("Flag")
    mesh.from_pydata(points.tolist(), [], _faces())
    flag = studio.add(scene, "Flag", mesh)
    flag.vertex_groups.new(name="Pin").add(list(range(QUADS + 1)), 1.0, "REPLACE")
    bpy.context.view_layer.objects.active = flag
    flag.select_set(True)
    return flag


def _faces():
    corner = np.arange(VERTICES).reshape(QUADS + 1, QUADS + 1)
    around = (corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:])
    return np.stack(around, axis=-1).reshape(-1, 4).tolist()


def _cloth(flag):
    settings = flag.modifiers.new("Cloth", "CLOTH").settings
    settings.mass, settings.vertex_group_mass, settings.quality = CLOTH_MASS, "Pin", 10


def _cotton(flag):
    bpy.ops.hooke.add()


def _hooke(flag):
    bpy.ops.hooke.add()
    flag.hooke.area_density = CLOTH_MASS * VERTICES
    # As much stiffer as it is heavier than cotton.
    for name in ("stretch_stiffness", "bending_rigidity"):
        setattr(flag.hooke, name, getattr(flag.hooke, name) * CLOTH_MASS * VERTICES / COTTON)
    flag.hooke.air_drag, flag.hooke.air_law = SETTLING_DRAG, "FLOW"


def _angles(frames):
    """Angle of the lower edge from the vertical below the hinge, in degrees."""
    lower = frames[:, -(QUADS + 1) :].mean(axis=1)
    return np.degrees(np.arctan2(lower[:, 0], -lower[:, 2]))


def _picture(shapes, path):
    """All flags beside each other: a row for each who simulates, stronger wind to the right."""
    scene = studio.empty_scene(FPS, 1)
    scene.render.dither_intensity, scene.cycles.samples = 0.0, 6
    names = list(dict.fromkeys(name for name, _ in shapes))
    colors = ((0.75, 0.3, 0.08), (0.03, 0.2, 0.5), (0.1, 0.4, 0.2))
    ink = studio.material("Ink", (0.03, 0.03, 0.035))
    for (name, strength), shape in shapes.items():
        row = names.index(name)
        place = (2.0 * STRENGTHS.index(strength), 0.0, 4.2 - 1.55 * row)
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(shape.tolist(), [], _faces())
        mesh.shade_smooth()
        mesh.materials.append(studio.material(name, colors[row], roughness=0.7))
        studio.add(scene, name, mesh, place)
    for row, name in enumerate(names):
        studio.label(scene, name, (-1.6, 0.0, 3.7 - 1.55 * row), ink, 0.22, "CENTER")
    for column, strength in enumerate(STRENGTHS):
        studio.label(scene, f"{strength:.0f}", (2.0 * column, 0.0, 4.4), ink, 0.22, "CENTER")
    studio.chart(scene, (2.0, 0.0, 2.5), (-0.6, -16.0, 3.0), (1.6, 0.0, 2.2), 9.4)
    studio.render(scene, 1, SIZE, path)
    few_colours(path)
