# SPDX-License-Identifier: GPL-3.0-or-later
"""A pillow sewn of two panels."""

import numpy as np

from . import stage

LABEL = "Pillow"
DESCRIPTION = "Two flat panels are sewn along their rims into a pillow and inflated; a ball presses on it"
FRAME_END = 150

CELLS, SIZE, APART, HEIGHT = 24, 0.6, 0.06, 0.06
PRESSURE, CLOSING = 80.0, 1.0
# The ball's frames, and the height of its middle at each [m].
RADIUS, PRESSES, WAYS = 0.13, (1, 50, 75, 100, 125), (0.8, 0.8, 0.36, 0.36, 0.8)


def build(scene):
    """Panels above each other, edges from rim to rim, and a ball that comes down on them."""
    flat, quads, column, row = stage.sheet(CELLS, CELLS, SIZE, SIZE)
    level = np.column_stack([flat[:, 0] - SIZE / 2.0, flat[:, 2] + SIZE / 2.0, np.full(len(flat), HEIGHT)])
    rim = np.flatnonzero(np.isin(column, (0, CELLS)) | np.isin(row, (0, CELLS)))
    points = np.concatenate([level, np.add(level, (0.0, 0.0, APART))])
    faces = np.concatenate([quads[:, ::-1], quads + len(flat)])
    seams = np.column_stack([rim, rim + len(flat)])
    pillow = stage.mesh_object(scene, "Pillow", points, seams, faces, color=(0.75, 0.3, 0.22))
    stage.collider(stage.ground(scene))
    ball = stage.collider(stage.ball(scene, "Ball", RADIUS, (0.0, 0.0, WAYS[0]), (0.2, 0.35, 0.6)))
    stage.key(ball, "location", PRESSES, WAYS, index=2)
    stage.look(scene, (1.15, -1.35, 0.8), (0.0, 0.0, 0.12))
    return stage.simulate(scene, pillow, "", "Denim", sewing=True, sewing_time=CLOSING, pressure=PRESSURE)
