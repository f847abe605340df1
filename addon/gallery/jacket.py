# SPDX-License-Identifier: GPL-3.0-or-later
"""A jacket of flat panels that is sewn on its wearer, buttons on it, and goes for a walk."""

from typing import Any

import numpy as np

from . import mannequin, stage
from .pattern import Pattern, coons, line, quarter

LABEL = "Jacket on a Walk"
DESCRIPTION = (
    "Flat panels are sewn to a denim jacket on a figure that an armature walks; buttons are attached to it"
)
FRAME_END = 180

# Frames in which the figure begins to lower its arms, and to walk, and the time in which the seams close [s].
LOWERS, WALKS = 64, 90
CLOSING = 2.0
WEIGHS, THICK_AIR = (48, 60), 3.0

# Corners of the left half of front and back, as they lie flat [m]: x from the middle, z from the ground.
NECK, SHOULDER, UNDERARM = (0.11, 1.495), (0.245, 1.47), (0.27, 1.2)
NAPE, THROAT = (0.0, 1.465), (0.0, 1.405)
MIDDLE, HEM = (0.0, 0.8), (0.265, 0.8)
CUFF_OUTSIDE, CUFF_INSIDE = (0.62, 1.125), (0.505, 1.0)
# Cells around a quarter of the neck, along the shoulder, down the armhole, down the side and along the sleeve.
AT_NECK, AT_SHOULDER, ARMHOLE, SIDE, SLEEVE = 5, 7, 12, 18, 22
# Panels lie this far before and behind the middle, both fronts this far apart [m].
AWAY, GAP = 0.17, 0.04
# The stand-up collar: its height and how far from the neck's middle it begins [m], and its rows.
COLLAR, ABOUT, COLLAR_ROWS = 0.045, (0.1, 0.11), 2
# Rows above the hem that stay open; of the bands in another colour, rows and columns.
OPEN, BAND, PLACKET = 4, 2, 1

# Distances that body and cloth keep [m].
SKIN, COAT = 0.001, 0.005

BUTTONS, BUTTON, THICK = 6, 0.011, 0.005
CLOTH, TRIM, BRASS = (0.09, 0.17, 0.32), (0.04, 0.07, 0.15), (0.75, 0.5, 0.15)


def build(scene):
    """The figure, three panels and a collar about it with loose edges between their rims, and a row of buttons."""
    body = stage.collider(mannequin.build(scene, LOWERS, WALKS, FRAME_END))
    body.collision.thickness_outer = SKIN
    pattern, middle = _cut()
    jacket = stage.mesh_object(scene, "Jacket", pattern.points, pattern.seams, pattern.faces, color=CLOTH)
    jacket.data.materials.append(stage.material("Trim", TRIM))
    for face, number in zip(jacket.data.polygons, pattern.materials, strict=True):
        face.material_index = number
    stage.ground(scene)
    stage.look(scene, (1.3, -3.6, 1.5), (0.0, 0.0, 0.98), 60.0)
    how: dict[str, Any] = {"sewing": True, "sewing_time": CLOSING, "collision_thickness": COAT}
    how |= {"air_law": "SETTLING", "air_drag": 0.1}
    stage.simulate(scene, jacket, "", "Denim", **how)
    # It is sewn before it weighs anything, in thick air: sleeves would swing off the arms.
    stage.key(jacket.hooke, "gravity_weight", WEIGHS, (0.0, 1.0))
    stage.key(jacket.hooke, "air_drag", WEIGHS, (THICK_AIR, jacket.hooke.air_drag))
    buttons = _buttons(scene, np.take(pattern.points, middle, axis=0))
    pins = stage.group(buttons, "Sewn On", range(len(buttons.data.vertices)))
    stage.simulate(scene, buttons, pins, "Saddle Leather", attach_object=jacket)
    return jacket


def _cut():
    """The Pattern, and points of the left front from its throat down to where it stays open."""
    pattern = Pattern()
    left_back, left_back_sleeve, right_back, right_back_sleeve = pattern.panel(
        *_half(NAPE, AWAY), *_half(NAPE, AWAY, -1.0), flip=(0, 1)
    )
    left, left_sleeve = pattern.panel(*_half(THROAT, -AWAY, gap=GAP))
    right, right_sleeve = pattern.panel(*_half(THROAT, -AWAY, -1.0, GAP), flip=(0, 1))
    for body, sleeve, behind, sleeve_behind in (
        (left, left_sleeve, left_back, left_back_sleeve),
        (right, right_sleeve, right_back, right_back_sleeve),
    ):
        pattern.sew(body[0, AT_NECK:], behind[0, AT_NECK:])
        pattern.sew(body[ARMHOLE:, -1], behind[ARMHOLE:, -1])
        for row in (0, -1):
            pattern.sew(sleeve[row, 1:], sleeve_behind[row, 1:])
        for part in (body, behind):
            pattern.trim(part[-BAND - 1 :])
        for part in (sleeve, sleeve_behind):
            pattern.trim(part[:, -BAND - 1 :])
        pattern.trim(body[:, : PLACKET + 1])
    closed = slice(None, -OPEN)
    pattern.sew(left[closed, 0], right[closed, 0])
    neckline = [*left[0, :AT_NECK], *left_back[0, AT_NECK::-1][:-1]]
    neckline += [*right_back[0, : AT_NECK + 1], *right[0, AT_NECK - 1 :: -1]]
    (collar,) = pattern.panel(_collar(len(neckline)))
    pattern.sew(neckline, collar[-1])
    pattern.trim(collar)
    return pattern, left[closed, 0]


def _half(middle, y, side=1.0, gap=0.0):
    """Grids of body and sleeve of a half, upright at y; middle: of its neckline."""
    neckline = quarter(middle, NECK, AT_NECK)
    armhole = line(SHOULDER, UNDERARM, ARMHOLE)
    body = coons(
        np.concatenate([neckline, line(NECK, SHOULDER, AT_SHOULDER)[1:]]),
        line(MIDDLE, HEM, AT_NECK + AT_SHOULDER),
        line(middle, MIDDLE, ARMHOLE + SIDE),
        np.concatenate([armhole, line(UNDERARM, HEM, SIDE)[1:]]),
    )
    sleeve = coons(
        line(SHOULDER, CUFF_OUTSIDE, SLEEVE),
        line(UNDERARM, CUFF_INSIDE, SLEEVE),
        armhole,
        line(CUFF_OUTSIDE, CUFF_INSIDE, ARMHOLE),
    )
    return [
        np.stack([side * (grid[..., 0] + gap / 2.0), np.full(grid.shape[:2], y), grid[..., 1]], axis=-1)
        for grid in (body, sleeve)
    ]


def _collar(count):
    """A grid of so many columns about the neck, from the throat over the left side, open there."""
    turn = 2.0 * np.pi * (np.arange(count) + 0.5) / count
    height = np.linspace(COLLAR, 0.0, COLLAR_ROWS + 1)
    # As a neckline goes, lower at the throat.
    low = NAPE[1] + 0.03 - (NAPE[1] - THROAT[1]) * np.cos(turn / 2.0) ** 4 - 0.03 * np.sin(turn / 2.0) ** 2
    return np.stack(
        [
            np.broadcast_to(ABOUT[0] * np.sin(turn), (COLLAR_ROWS + 1, count)),
            np.broadcast_to(-ABOUT[1] * np.cos(turn), (COLLAR_ROWS + 1, count)),
            low + height[:, None],
        ],
        axis=-1,
    )


def _buttons(scene, edge):
    """An object of round buttons before an edge of cloth, points from its upper end down [m]."""
    shares = (np.arange(BUTTONS) + 0.35) / BUTTONS * (len(edge) - 1)
    turns = 2.0 * np.pi * np.arange(16) / 16
    points: list[Any] = []
    faces: list[list[int]] = []
    for share in shares:
        place = edge[int(share)] + (share % 1.0) * (edge[int(share) + 1] - edge[int(share)])
        first = len(points)
        for away in (0.002, 0.002 + THICK):
            points += (
                place
                + np.column_stack(
                    [
                        BUTTON * np.cos(turns) + 1.1 * BUTTON,
                        np.full(len(turns), -away),
                        BUTTON * np.sin(turns),
                    ]
                )
            ).tolist()
        ring = range(len(turns))
        faces += [[first + i for i in reversed(ring)], [first + len(turns) + i for i in ring]]
        faces += [
            [first + i, first + j, first + len(turns) + j, first + len(turns) + i]
            for i, j in zip(ring, [*ring[1:], 0], strict=True)
        ]
    return stage.mesh_object(scene, "Buttons", points, faces=faces, color=BRASS, smooth=False)
