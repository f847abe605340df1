# SPDX-License-Identifier: GPL-3.0-or-later
"""A flag that a storm tears off its pole."""

import numpy as np

from . import flag, stage

LABEL = "Flag Torn Off"
DESCRIPTION = (
    "A keyed Wind grows to a storm; by a map of Tear Strength the flag tears along its hoist and flies off"
)
FRAME_END = 100

# Strength of the wind at frames: a breeze, and what becomes of it.
BLOWS, STRENGTHS = (1, 36, 60), (50.0, 50.0, 1000.0)
# Columns beside the hoist where it is weak, at its upper corner most, and the factors of Tear Strength.
WEAK, LEAST = (1, 2), 0.14
BREAKING = 0.6


def build(scene):
    """The example of a flag in wind, its wind keyed, and weak beside the hoist."""
    made = flag.build(scene)
    # Wide enough to see it go.
    scene.camera.data.lens, scene.camera.data.shift_x = 30.0, 0.2
    stage.collider(scene.objects["Ground"])
    stage.key(scene.objects["Wind"].field, "strength", BLOWS, STRENGTHS)
    _, _, column, row = stage.sheet(flag.COLUMNS, flag.ROWS, flag.FLY, flag.HOIST)
    for place in np.flatnonzero(np.isin(column, WEAK)):
        stage.group(made, "Worn", [place], 1.0 - 0.02 * row[place] / flag.ROWS)
    how = {"tearing": True, "breaking_strain": BREAKING, "tear_strength_group": "Worn"}
    for name, value in {**how, "tear_strength_maximum": LEAST}.items():
        setattr(made.hooke, name, value)
    return made
