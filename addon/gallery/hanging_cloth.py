# SPDX-License-Identifier: GPL-3.0-or-later
"""A towel on a line."""

from . import stage

LABEL = "Hanging Cloth"
DESCRIPTION = "A cotton sheet let go at two corners: the three clicks, done"
FRAME_END = 200

COLUMNS, ROWS, SIDE, HEIGHT = 60, 60, 1.6, 2.2


def build(scene):
    """A sheet that lies level, pinned at the two corners of one side."""
    stage.bar(scene, "Line", (-1.4, 0.0, HEIGHT), (1.4, 0.0, HEIGHT), 0.02, (0.35, 0.2, 0.1))
    points, faces, column, row = stage.sheet(COLUMNS, ROWS, SIDE, SIDE)
    level = points[:, [0, 2, 1]] + [-SIDE / 2.0, 0.0, HEIGHT]
    cloth = stage.mesh_object(scene, "Cloth", level, faces=faces, color=(0.75, 0.25, 0.2))
    held = ((column == 0) | (column == COLUMNS)) & (row == 0)
    pins = stage.group(cloth, "Pin", held.nonzero()[0])
    stage.ground(scene)
    stage.look(scene, (3.4, -4.6, 3.1), (0.0, -0.2, 1.45))
    return stage.simulate(scene, cloth, pins)
