# SPDX-License-Identifier: GPL-3.0-or-later
"""A flag that a storm tears off its pole."""

import numpy as np

from . import flag, stage

LABEL = "Flag Torn Off"
DESCRIPTION = "A keyed Wind grows to a storm, and a map of Tear Strength lets the flag tear along its hoist: off it flies"
FRAME_END = 130

# Strength of the wind at frames: a breeze, and what becomes of it.
BLOWS, STRENGTHS = (1, 40, 60), (50.0, 50.0, 700.0)
# Columns beside the hoist where it is weak, at its upper corner most, and the factors of Tear Strength.
WEAK, LEAST = (1, 2), 0.02
BREAKING = 0.25


def build(scene):
    """The example of a flag in wind, its wind keyed, and weak beside the hoist."""
    made = flag.build(scene)
    stage.key(scene.objects["Wind"].field, "strength", BLOWS, STRENGTHS)
    _, _, column, row = stage.sheet(flag.COLUMNS, flag.ROWS, flag.FLY, flag.HOIST)
    for place in np.flatnonzero(np.isin(column, WEAK)):
        stage.group(made, "Worn", [place], 1.0 - 0.4 * row[place] / flag.ROWS)
    how = {"tearing": True, "breaking_strain": BREAKING, "tear_strength_group": "Worn"}
    for name, value in {**how, "tear_strength_maximum": LEAST}.items():
        setattr(made.hooke, name, value)
    return made
