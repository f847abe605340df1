# SPDX-License-Identifier: GPL-3.0-or-later
"""A balloon on a string that is let go."""

from itertools import pairwise
from typing import Any

import numpy as np

from . import stage

LABEL = "Balloon"
DESCRIPTION = (
    "Pressure blows a skin up on its string, lighter than air, and a keyed Pin Strength lets go of it"
)
FRAME_END = 150

RINGS, SEGMENTS, RADIUS, STRING, PIECES, HAND = 24, 32, 0.1, 0.7, 28, 0.5
# It is blown up from the first frame to the second, and let go at the last.
BLOWN, PRESSURE, LET_GO = (1, 30), (0.0, 900.0), 75


def build(scene):
    """A small skin above a string of edges, whose lower end is held."""
    points, faces = _skin()
    knot = int(points[:, 2].argmin())
    heights = np.linspace(points[knot, 2], points[knot, 2] - STRING, PIECES + 1)[1:]
    string = np.column_stack([0.02 * np.sin(np.arange(1, PIECES + 1)), np.zeros(PIECES), heights])
    ends = [knot, *range(len(points), len(points) + PIECES)]
    points = np.concatenate([points, string])
    points[:, 2] += HAND - points[:, 2].min()
    balloon = stage.mesh_object(scene, "Balloon", points, list(pairwise(ends)), faces, color=(0.8, 0.08, 0.1))
    stage.ground(scene)
    stage.look(scene, (0.8, -2.9, 1.4), (0.0, 0.0, 1.3), 42.0)
    hand = stage.group(balloon, "Hand", ends[-1:])
    how: dict[str, Any] = {
        "stretch_stiffness": 120.0,
        "shear_stiffness": 40.0,
        "bending_rigidity": 5.0,
        "area_density": 0.02,
    }
    how |= {"line_stiffness": 500.0, "line_density": 0.001, "gravity_weight": -1.0, "keep_shape": False}
    how |= {"air_law": "FLOW", "air_drag": 1.2}
    stage.simulate(scene, balloon, hand, "Rubber Sheet", **how)
    stage.key(balloon.hooke, "pressure", BLOWN, PRESSURE)
    stage.key(balloon.hooke, "pin_strength", (LET_GO - 1, LET_GO), (1.0, 0.0))
    return stage.thicken(balloon, 0.003)


def _skin():
    """Points [m] and faces of a sphere that narrows to its knot."""
    around, down = np.meshgrid(
        2.0 * np.pi * np.arange(SEGMENTS) / SEGMENTS, np.pi * np.arange(1, RINGS) / RINGS
    )
    neck = np.exp(-(((np.pi - down) / 0.45) ** 2))
    wide, height = np.sin(down) * (1.0 - 0.35 * neck), np.cos(down) - 0.35 * neck
    rings = np.column_stack(
        [(wide * np.cos(around)).ravel(), (wide * np.sin(around)).ravel(), height.ravel()]
    )
    points = RADIUS * np.concatenate([rings, [(0.0, 0.0, 1.0), (0.0, 0.0, -1.35)]])
    number = np.arange(len(rings)).reshape(RINGS - 1, SEGMENTS)
    after = np.roll(number, -1, axis=1)
    quads = np.stack([number[:-1], number[1:], after[1:], after[:-1]], axis=-1).reshape(-1, 4)
    top = [(len(rings), a, b) for a, b in zip(number[0], after[0], strict=True)]
    bottom = [(len(rings) + 1, b, a) for a, b in zip(number[-1], after[-1], strict=True)]
    return points, [*map(tuple, quads), *top, *bottom]
