# SPDX-License-Identifier: GPL-3.0-or-later
"""A flag of silk in steady wind, by Hooke and by Blender's Cloth modifier: how it beats, and a picture; needs bpy.

1.5 x 1 m and 2,501 vertices, held by one edge, in Blender's Wind without noise: from the second second on.
"""

import time

import bpy
import numpy as np
from measuring.page import PICTURES, ROOT, table, write_block
from measuring.palette import few_colours
from scenes import studio

import hooke

from .flag_regimes import rows as regimes

PAGE = ROOT / "docs" / "air.md"
PRESET = ROOT / "addon" / "presets" / "hooke" / "material" / "Silk.py"
COLUMNS, ROWS, LENGTH, WIDTH = 60, 40, 1.5, 1.0
FRAMES, FPS, FROM = 120, 24, 36
STRENGTHS = (5.0, 20.0, 50.0, 100.0)
SHOWN = 100
SIZE = (1200, 500)


def run():
    """Simulate, write the table and the picture."""
    if not hasattr(bpy.types.Object, "hooke"):
        hooke.register()
    write_block("flags", regimes(), page=PAGE)
    rows, shapes = [], {}
    for strength in STRENGTHS:
        cells = [f"{strength:.0f}"]
        times = {}
        for name, add in ADDED.items():
            frames, times[name] = _frames(strength, add)
            sideways = frames[FROM:, _free_edge(), 1].mean(axis=1)
            cells += [f"{np.ptp(sideways):.2f}", f"{_beat(sideways):.1f}"]
            if name in SHOWN_ROWS:
                shapes[name, strength] = frames[SHOWN]
            if name == "Hooke":
                mean, worst = _stretch(frames[FROM:])
                cells.append(f"{100.0 * mean:.1f}, {100.0 * worst:.1f} %")
        cells.append(f"{times['Hooke'] / times['Air Inertia 0']:.2f}")
        rows.append(cells)
        print("  " + ", ".join(cells), flush=True)
    header = ["Strength of Wind"]
    for name in ADDED:
        header += [f"{name}: way [m]", "beats [1/s]"]
        header += ["stretch: mean, worst edge"] if name == "Hooke" else []
    _picture(shapes, PICTURES / "lab-flutter.png")
    write_block("flutter", table([*header, "time over that of Air Inertia 0"], rows), page=PAGE)


def _frames(strength, add):
    """World positions at every frame, shape (FRAMES, vertex_count, 3), and processor time of a frame [s]."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_end = FPS, FRAMES
    bpy.ops.object.effector_add(type="WIND", location=(-3.0, 0.0, 0.0), rotation=(0.0, np.pi / 2, 0.05))
    bpy.context.object.field.strength = strength
    flag = _flag(scene)
    add(flag)
    frames, started = [], time.process_time()
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
        shown = flag.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        places = np.empty(3 * len(shown.vertices), np.float32)
        shown.attributes["position"].data.foreach_get("vector", places)
        frames.append(places.reshape(-1, 3))
    return np.array(frames, dtype=np.float64), (time.process_time() - started) / FRAMES


def _points():
    across, up = np.meshgrid(np.linspace(0.0, LENGTH, COLUMNS + 1), np.linspace(0.0, WIDTH, ROWS + 1))
    return np.column_stack([across.ravel(), np.zeros(across.size), up.ravel()])


def _corners():
    return np.arange((ROWS + 1) * (COLUMNS + 1)).reshape(ROWS + 1, COLUMNS + 1)


def _faces():
    corner = _corners()
    around = (corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:])
    return np.stack(around, axis=-1).reshape(-1, 4).tolist()


def _free_edge():
    return _corners()[:, -1]


def _flag(scene):
    mesh = bpy.data.meshes.new("Flag")
    mesh.from_pydata(_points().tolist(), [], _faces())
    flag = studio.add(scene, "Flag", mesh)
    flag.vertex_groups.new(name="Pin").add(_corners()[:, 0].tolist(), 1.0, "REPLACE")
    bpy.context.view_layer.objects.active = flag
    flag.select_set(True)
    return flag


def _silk(flag, inertia=1.0):
    bpy.ops.hooke.add()
    exec(compile(PRESET.read_text(encoding="utf-8"), str(PRESET), "exec"), {})
    flag.hooke.air_inertia = inertia


def _cloth(flag):
    """The modifier's own silk."""
    settings = flag.modifiers.new("Cloth", "CLOTH").settings
    settings.mass, settings.vertex_group_mass, settings.quality = 0.15, "Pin", 5
    settings.tension_stiffness = settings.compression_stiffness = 5.0
    settings.shear_stiffness, settings.bending_stiffness = 5.0, 0.05
    settings.tension_damping = settings.compression_damping = settings.shear_damping = 0.0
    settings.air_damping = 1.0


ADDED = {
    "Hooke": _silk,
    "Air Inertia 0": lambda flag: _silk(flag, inertia=0.0),
    "Cloth modifier": _cloth,
}
SHOWN_ROWS = ("Cloth modifier", "Hooke")


def _beat(sideways):
    """How often it goes up through its mean [1/s]."""
    y = sideways - sideways.mean()
    return np.count_nonzero((y[:-1] < 0.0) & (y[1:] >= 0.0)) * FPS / len(y)


def _stretch(frames):
    """The most that edges are stretched, on average in a frame, and of a single one."""
    grid = frames[:, _corners()]
    sizes = (COLUMNS / LENGTH, 2), (ROWS / WIDTH, 1)
    strains = [
        (np.linalg.norm(np.diff(grid, axis=axis), axis=-1) * per_metre - 1.0).reshape(len(frames), -1)
        for per_metre, axis in sizes
    ]
    strains = np.maximum(np.concatenate(strains, axis=1), 0.0)
    return float(strains.mean(axis=1).max()), float(strains.max())


def _picture(shapes, path):
    """A row for each who simulates, stronger wind to the right, seen from aside and above."""
    scene = studio.empty_scene(FPS, 1)
    scene.render.dither_intensity, scene.cycles.samples = 0.0, 8
    colors = dict(zip(SHOWN_ROWS, ((0.75, 0.3, 0.08), (0.03, 0.2, 0.5)), strict=True))
    ink = studio.material("Ink", (0.03, 0.03, 0.035))
    for (name, strength), shape in shapes.items():
        place = (2.1 * STRENGTHS.index(strength), 0.0, 2.0 * SHOWN_ROWS[::-1].index(name))
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(shape.tolist(), [], _faces())
        mesh.shade_smooth()
        mesh.materials.append(studio.material(name, colors[name], roughness=0.7))
        studio.add(scene, name, mesh, place)
    for name in SHOWN_ROWS:
        studio.label(scene, name, (-0.2, -0.3, 2.0 * SHOWN_ROWS[::-1].index(name) + 1.12), ink, 0.16)
    studio.chart(scene, (3.0, 0.0, 1.5), (3.4, -14.0, 5.0), (3.9, 0.0, 1.3), 8.9)
    studio.render(scene, 1, SIZE, path)
    few_colours(path)
