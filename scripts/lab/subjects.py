# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab's experiments, each a module with TABLES, draw() or run(); imports nothing but Python's own library."""

from __future__ import annotations

import argparse

from environments import WITH_BPY
from measuring.subject import Subject, at_least

SUBJECTS = {
    "methods": Subject("every method: energy, order, stability and cost"),
    "lattice": Subject("the levels of a lattice's springs, and the largest step each method survives"),
    "factorisation": Subject("dense against sparse, and a factor kept against one made at every step"),
    "acceleration": Subject("plain and L-BFGS iterations of projective dynamics", usual=False),
    "conservation": Subject(
        "energy, momentum and rest of every effort in a minute; takes hours",
        usual=False,
        options=("scenes", "converged_seconds"),
    ),
    "presets": Subject("sheets of the same material at three resolutions", usual=False),
    "bending": Subject("strips, strands and plates beside the elastica, vibration and buckling", usual=False),
    "drape": Subject("presets in the drape test of textiles, on several meshes", WITH_BPY, usual=False),
    "efforts": Subject("every effort's distance to the equations, stretch and time", usual=False),
    "settings": Subject("the guide's table of settings", WITH_BPY),
    "tasks": Subject("tasks done by Hooke and by the Cloth modifier", WITH_BPY, usual=False),
    "settling": Subject(
        "a sheet that comes to rest in Hooke's air and the Cloth modifier's", WITH_BPY, usual=False
    ),
    "starts": Subject("cloth that begins exactly level or round: when it is down, and folds", usual=False),
    "solids": Subject("solids beside beam theory, jelly that falls, a fine mesh", WITH_BPY, usual=False),
    "flags": Subject("flags in wind by Hooke and by the Cloth modifier", WITH_BPY, usual=False),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the experiments' options to a parser."""
    parser.add_argument(
        "--scene",
        action="append",
        dest="scenes",
        default=[],
        metavar="WORDS",
        help="conservation: only scenes whose names begin so; may be repeated",
    )
    parser.add_argument(
        "--converged-seconds",
        type=at_least(1),
        default=30,
        metavar="S",
        help="conservation: how long Converged is simulated; 30 by default",
    )
