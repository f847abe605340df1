# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets in the drape test, on every mesh and with every effort: tables and pictures in docs/bending.md; needs bpy."""

from pathlib import Path
from tempfile import TemporaryDirectory

import bpy
import numpy as np
from measuring.measured import Measured
from measuring.page import PICTURES
from measuring.palette import few_colours
from scenes import strip, studio

from hooke.core.effort import EFFORTS

from .cusick import TABLE, draped
from .drape_meshes import KINDS
from .preset_materials import material

# What is published of such fabrics [%], from Gan 1991 and from textile handbooks; None where nothing is.
BANDS = {
    "Silk": "20–40",
    "Cotton": "60–76",
    "Gray Interlock": "–",
    "Leather": "47–70",
    "Denim": "70–90",
}
SPACINGS, DROPS = (0.01, 0.007, 0.005), 3
SIZE = (340, 260)
COLOUR = (0.06, 0.14, 0.34)
# Converged takes minutes where cloth buckles.
PLAYED = [id for id, effort in EFFORTS.items() if not effort.tolerance]


# A disc of every preset, for the picture.
shown: dict = {}


def preset(name):
    """Cells: published coefficients, those on every mesh with the number of folds, and their spread [%]."""
    means = []
    for kind in KINDS:
        for spacing in SPACINGS:
            found = [draped(material(name), spacing, kind, seed=seed) for seed in range(DROPS)]
            means.append((100.0 * np.mean([each.coefficient for each in found]), found[0].nodes))
    shown[name] = found[0]
    cells = [f"{share:.0f} ({nodes})" for share, nodes in means]
    return BANDS[name], *cells, f"{np.ptp([share for share, _ in means]):.0f}"


def by_effort(name):
    """Cells: the coefficient with every effort at 10 mm [%], mean of both kinds of mesh."""
    for id in PLAYED:
        found = [draped(material(name), SPACINGS[0], kind, id) for kind in KINDS]
        yield f"{100.0 * np.mean([each.coefficient for each in found]):.0f}"


def draw():
    """Every preset from the side and from above, docs/pictures/lab-drape.png."""
    path = PICTURES / "lab-drape.png"
    with TemporaryDirectory() as folder:
        rows = []
        for view in ("side", "above"):
            tiles = []
            for name, drape in shown.items():
                tile = Path(folder, f"{name}-{view}.png")
                _render(drape, view, tile)
                tiles.append(strip.read_picture(tile))
            rows.append(strip.join(tiles, axis=1))
        strip.write_picture(path, strip.join(rows, axis=0))
    few_colours(path)


def _render(drape, view, path):
    """One disc on its table, ten times as large, which lights and ground are made for."""
    scene = studio.empty_scene(24, 1)
    scene.render.dither_intensity, scene.cycles.samples = 0.0, 12
    mesh = bpy.data.meshes.new("Cloth")
    polygons = drape.polygons
    ends = np.cumsum(polygons.sizes)
    faces = [
        polygons.corners[end - size : end].tolist() for end, size in zip(ends, polygons.sizes, strict=True)
    ]
    mesh.from_pydata((10.0 * drape.x + [0.0, 0.0, 1.8]).tolist(), [], faces)
    mesh.shade_smooth()
    mesh.materials.append(studio.material("Cloth", COLOUR, roughness=0.8))
    studio.add(scene, "Cloth", mesh)
    bpy.ops.mesh.primitive_cylinder_add(
        radius=10.0 * TABLE - 0.02, depth=1.78, location=(0.0, 0.0, 0.89), vertices=96
    )
    bpy.context.object.data.materials.append(studio.material("Table", (0.3, 0.3, 0.3)))
    studio.backdrop(scene, (0.62, 0.64, 0.66), 6.0)
    studio.area_light(scene, "Key", (-4.0, -6.0, 6.0), (0.0, 0.0, 1.2), 2.5, 420, (1.0, 0.96, 0.9))
    studio.area_light(scene, "Rim", (6.0, 3.0, 4.0), (0.0, 0.0, 1.2), 2.0, 160, (0.85, 0.92, 1.0))
    place = (0.0, -9.5, 3.6) if view == "side" else (0.0, -0.01, 12.0)
    studio.camera(scene, place, (0.0, 0.0, 1.3), 62)
    studio.render(scene, 1, SIZE, path)


TABLES = (
    Measured(
        "drape",
        "bending.md",
        ("preset", "published", *(f"{kind}, {1e3 * h:g} mm" for kind in KINDS for h in SPACINGS), "spread"),
        {name: (name,) for name in BANDS},
        preset,
    ),
    Measured(
        "drape-efforts",
        "bending.md",
        ("preset", *(EFFORTS[id].label for id in PLAYED)),
        {name: (name,) for name in BANDS},
        by_effort,
    ),
)
