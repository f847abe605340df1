# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet of metal that is dented."""

import numpy as np

from . import stage

LABEL = "Dented Sheet"
DESCRIPTION = "A ball presses a dent into a thin sheet of metal; the dent stays"
FRAME_END = 110

CELLS, SIZE, HEIGHT = 48, 1.0, 0.5
RADIUS, PRESSES, WAYS = 0.16, (1, 12, 34, 46, 64), (0.86, 0.68, 0.52, 0.52, 0.95)
METAL = {
    "stretch_stiffness": 20000.0,
    "shear_stiffness": 7000.0,
    "bending_rigidity": 50000.0,
    "area_density": 1.5,
    "damping_ratio": 0.2,
    "bending_damping": 0.2,
}
YIELDS = {
    "plasticity": True,
    "stretch_yield": 0.005,
    "stretch_rate": 60.0,
    "bend_yield": 1.0,
    "bend_rate": 60.0,
}


def build(scene):
    """A sheet held by its rim, and a ball that comes down on it and goes up again."""
    flat, quads, column, row = stage.sheet(CELLS, CELLS, SIZE, SIZE)
    level = np.column_stack([flat[:, 0] - SIZE / 2.0, flat[:, 2] + SIZE / 2.0, np.full(len(flat), HEIGHT)])
    sheet = stage.mesh_object(scene, "Sheet", level, faces=quads, color=(0.55, 0.57, 0.6))
    shader = sheet.data.materials[0].node_tree.nodes["Principled BSDF"]
    shader.inputs["Metallic"].default_value, shader.inputs["Roughness"].default_value = 0.9, 0.35
    rim = np.flatnonzero(np.isin(column, (0, CELLS)) | np.isin(row, (0, CELLS)))
    pins = stage.group(sheet, "Rim", rim)
    ball = stage.collider(stage.ball(scene, "Ball", RADIUS, (0.05, -0.05, WAYS[0]), (0.6, 0.2, 0.1)))
    stage.key(ball, "location", PRESSES, WAYS, index=2)
    stage.ground(scene)
    stage.look(scene, (1.1, -1.5, 1.35), (0.0, 0.0, 0.45))
    return stage.simulate(scene, sheet, pins, "Cotton", **METAL, **YIELDS)
