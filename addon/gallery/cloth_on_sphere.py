# SPDX-License-Identifier: GPL-3.0-or-later
"""A sheet dropped on a ball."""

from . import stage

LABEL = "Cloth on a Ball"
DESCRIPTION = "A sheet falls on a ball and on the floor: both are objects with Blender's Collision physics"
FRAME_END = 200

COLUMNS, SIDE = 70, 2.0


def build(scene):
    """A ball on the floor, and a level sheet above it."""
    stage.collider(stage.ground(scene))
    stage.collider(stage.ball(scene, "Ball", 0.45, (0.0, 0.0, 0.5), (0.8, 0.55, 0.2)))
    points, faces, *_ = stage.sheet(COLUMNS, COLUMNS, SIDE, SIDE)
    level = points[:, [0, 2, 1]] + [-SIDE / 2.0, SIDE / 2.0, 1.3]
    cloth = stage.mesh_object(scene, "Cloth", level, faces=faces, color=(0.25, 0.5, 0.35))
    stage.look(scene, (3.2, -4.2, 2.4), (0.0, 0.0, 0.5))
    return stage.simulate(scene, cloth)
