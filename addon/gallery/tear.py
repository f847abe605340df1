# SPDX-License-Identifier: GPL-3.0-or-later
"""A cloth that is torn in two."""

import numpy as np

from . import stage

LABEL = "Torn Cloth"
DESCRIPTION = "A cloth between two poles, narrow in its middle, is pulled until it tears in two"
FRAME_END = 100

COLUMNS, ROWS, WIDTH, SIZE, HEIGHT = 56, 36, 1.4, 0.9, 1.5
# Share of the size that is cut out of the middle, and how far from it.
WAIST, REACH = 0.45, 0.3
# How far it is from plane [m].
WAVES = 0.02
# How far the second pole goes, and when.
AWAY, PULLS = 0.6, (1, 40)


def build(scene):
    """A cloth pinned along both sides, of which a shape key carries one away with its pole."""
    points, faces, column, _row = stage.sheet(COLUMNS, ROWS, WIDTH, SIZE)
    points = np.add(points, (-WIDTH / 2.0, 0.0, SIZE / 2.0))
    points[:, 2] *= 1.0 - WAIST * np.exp(-((points[:, 0] / REACH) ** 2))
    # An exactly plane sheet would stay plane.
    points[:, 1] += (
        WAVES * np.sin(7.0 * points[:, 0] + 5.0 * points[:, 2]) * (1.0 - (2.0 * points[:, 0] / WIDTH) ** 2)
    )
    points[:, 2] += HEIGHT - SIZE / 2.0
    cloth = stage.mesh_object(scene, "Cloth", points, faces=faces, color=(0.65, 0.25, 0.12))
    sides = np.isin(column, (0, COLUMNS))
    pins = stage.group(cloth, "Sides", np.flatnonzero(sides))
    cloth.shape_key_add(name="Basis")
    pull = cloth.shape_key_add(name="Pull")
    for index in np.flatnonzero(column == COLUMNS):
        pull.data[index].co.x += AWAY
    stage.key(pull, "value", PULLS, (0.0, 1.0))
    poles = [
        stage.bar(scene, name, (x, 0.0, 0.0), (x, 0.0, HEIGHT + 0.1), 0.02, (0.6, 0.6, 0.62))
        for name, x in (("Left Pole", -WIDTH / 2.0), ("Right Pole", WIDTH / 2.0))
    ]
    stage.key(poles[1], "location", PULLS, (WIDTH / 2.0, WIDTH / 2.0 + AWAY), index=0)
    stage.ground(scene)
    stage.look(scene, (0.5, -4.4, 1.5), (0.2, 0.0, 0.95))
    strain = {"tearing": True, "breaking_strain": 0.3}
    return stage.simulate(scene, cloth, pins, "Cotton", **strain)
