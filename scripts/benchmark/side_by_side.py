# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `side_by_side`: the falling sheet by the most used contestants and the reference, moment by moment.

Writes one rendered picture a contestant and moment into build/benchmark/; `plots` puts them together with labels.
"""

import bpy
import numpy as np
from measuring import results
from scenes import studio

from . import courses, race, reference
from .courses import FPS
from .in_blender import Cloth, Xpbd
from .rivals import CLOTH_MASS, efforts

# When they are pictured [s].
MOMENTS = (0.25, 0.5, 0.75, 1.0)
PANEL = (330, 330)
# Vertices of a square of one colour; squares show where the sheet is stretched.
SQUARES = 10
LIFT = np.array([0.0, 0.0, 2.35])


class Recorder(race.Contestant):
    """A contestant whose positions at the moments are kept."""

    def __init__(self, contestant):
        self.contestant, self.name = contestant, contestant.name
        self.kept = []

    def start(self, course):
        """The contestant's."""
        self.contestant.start(course)

    def advance(self):
        """The contestant's."""
        self.contestant.advance()

    def positions(self):
        """The contestant's, kept."""
        self.kept.append(self.contestant.positions())
        return self.kept[-1]


def run(options):
    """Simulate and render; returns the figures of all, and the files by name."""
    course = courses.sheet(options.quads)
    truth = reference.frames(course, round(MOMENTS[-1] * FPS))
    standard, fine = (hooke for hooke in efforts() if hooke.name.endswith(("Standard", "Fine")))
    contestants = [
        Recorder(contestant)
        for contestant in (
            Cloth("Cloth, quality 5, 0.3 kg a vertex", CLOTH_MASS, quality=5),
            Xpbd("XPBD node, 5 × 15", 5, 15),
            standard,
            fine,
        )
    ]
    rows = race.run(contestants, course, truth)
    columns = {recorder.name: recorder.kept for recorder in contestants} | {"Reference": truth}
    scene, mesh = stage(course)
    files = {}
    for number, (name, frames) in enumerate(columns.items()):
        files[name] = []
        for moment in MOMENTS:
            frame = round(moment * FPS) - 1
            if frame >= len(frames):
                continue
            path = results.FOLDER / f"side-by-side-{number}-{frame + 1}.png"
            mesh.vertices.foreach_set("co", (frames[frame] + LIFT).astype(np.float32).ravel())
            mesh.update()
            studio.render(scene, 1, PANEL, path)
            files[name].append(path.name)
        print(f"  {name} pictured", flush=True)
    part = {"course": "sheet", "vertices": len(course.points), "frames": len(truth), "rows": rows}
    return {"title": "side by side", "parts": [part], "files": files}


def stage(course):
    """The scene that is rendered, and the mesh in it that takes the positions."""
    scene = studio.empty_scene(FPS, 1)
    scene.cycles.samples = 12
    mesh = bpy.data.meshes.new("Sheet")
    mesh.from_pydata((course.points + LIFT).tolist(), [], course.faces.tolist())
    mesh.shade_smooth()
    for name, color in (("Light", (0.85, 0.8, 0.7)), ("Dark", (0.55, 0.1, 0.06))):
        mesh.materials.append(studio.material(name, color, roughness=0.8))
    side = round(len(course.faces) ** 0.5)
    row, column = np.divmod(np.arange(len(course.faces)), side)
    squares = (row * SQUARES // side + column * SQUARES // side) % 2
    mesh.polygons.foreach_set("material_index", squares.astype(np.int32))
    studio.add(scene, "Sheet", mesh)
    studio.backdrop(scene, (0.10, 0.19, 0.22), 6.0)
    middle = (0.0, -0.9, 1.3)
    studio.area_light(scene, "Key", (-3.5, -5.0, 5.0), middle, 1.5, 900, (1.0, 0.93, 0.85))
    studio.area_light(scene, "Back", (4.5, 3.0, 4.5), middle, 1.5, 500, (0.85, 0.93, 1.0))
    studio.camera(scene, (7.6, -7.0, 5.2), (-0.15, -0.95, 1.25), 54)
    return scene, mesh


tables = race.tables
