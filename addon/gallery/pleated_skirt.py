# SPDX-License-Identifier: GPL-3.0-or-later
"""A knife-pleated skirt on walking legs."""

from math import pi

import numpy as np

from . import figure, skirt, stage

LABEL = "Pleated Skirt"
DESCRIPTION = "A skirt in knife pleats, edges that keep an angle, on hips and legs that an armature walks"
FRAME_END = 160

PLEATS, DOWN = 20, 20
# How far folds lie before and behind the skirt's cone at the hem [m], and the angle that they keep [degrees].
DEPTH, ANGLE = 0.009, 170.0
# A pleat's outer panel, the one that leads back behind it, and the one to the next pleat: where each begins, in pleats
# around and in depths outwards, in how many parts it is, and the sign of the fold there.
PANELS = ((0.0, 0.0, 3, 0), (1.15, 1.0, 2, -1), (0.5, -1.0, 2, 1))


def build(scene):
    """Hips and two legs with an armature, as of the plain skirt, and a cone of cloth in pleats around them."""
    rig = skirt.walker(scene)
    cloth = _skirt(scene)
    cloth.vertex_groups.new(name="Hips").add(range(len(cloth.data.vertices)), 1.0, "REPLACE")
    figure.bound(cloth, rig)
    stage.ground(scene)
    stage.look(scene, (2.2, -3.0, 1.3), (0.0, 0.0, 0.7), 60.0)
    how = {"self_collision": True, "self_distance": 0.003, "collision_thickness": 0.005}
    return stage.simulate(scene, cloth, "Waist", **how, pleats="Pleat", pleat_stiffness=20.0)


def _skirt(scene):
    """The cloth, its first ring in the group Waist, the angles of its folds in the attribute Pleat."""
    around, outwards, folds = _columns()
    count, points = len(folds), []
    for ring in range(DOWN + 1):
        share = ring / DOWN
        radius = skirt.radius(share) + DEPTH * (0.5 + 0.5 * share) * outwards
        height = np.full(count, skirt.WAIST + (skirt.HEM - skirt.WAIST) * share)
        points.append(np.column_stack([1.15 * radius * np.cos(around), radius * np.sin(around), height]))
    at = np.arange((DOWN + 1) * count).reshape(DOWN + 1, count)
    after = np.roll(at, -1, axis=1)
    faces = np.stack([at[:-1], at[1:], after[1:], after[:-1]], axis=-1).reshape(-1, 4)
    made = stage.mesh_object(scene, "Skirt", np.concatenate(points), faces=faces, color=(0.12, 0.16, 0.35))
    made.data.shade_flat()
    ends = np.array([edge.vertices[:] for edge in made.data.edges])
    angles = np.where(ends[:, 0] % count == ends[:, 1] % count, ANGLE * folds[ends[:, 0] % count], 0.0)
    for edge, angle in zip(made.data.attributes.new("Pleat", "FLOAT", "EDGE").data, angles, strict=True):
        edge.value = angle
    stage.group(made, "Waist", range(count))
    return made


def _columns():
    """Of the columns of vertices the angles around, how far out they lie, and the signs of the folds along them."""
    ends = (*PANELS[1:], (1.0, 0.0, 0, 0))
    rows = [
        (start[0] + k / start[2] * (end[0] - start[0]), start[1] + k / start[2] * (end[1] - start[1]), fold)
        for start, end in zip(PANELS, ends, strict=True)
        for k, fold in enumerate([start[3], *[0] * (start[2] - 1)])
    ]
    along, outwards, folds = np.tile(np.array(rows), (PLEATS, 1)).T
    pleat = np.repeat(np.arange(PLEATS), len(rows))
    return 2.0 * pi * (pleat + along) / PLEATS, outwards, folds
