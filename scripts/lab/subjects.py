# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab's experiments, each a module with run(); imports nothing but Python's own library."""

from __future__ import annotations

import argparse

from environments import WITH_BPY
from measuring.subject import Subject, at_least

SUBJECTS = {
    "methods": Subject("every method: motion, energy, order, stability and cost"),
    "lattice": Subject(
        "what each level of a lattice's springs does, and the largest step each method survives"
    ),
    "factorisation": Subject("dense against sparse, and a factor kept against one made at every step"),
    "acceleration": Subject(
        "plain and L-BFGS iterations of projective dynamics over count and over time", usual=False
    ),
    "energy": Subject(
        "what always stable methods and efforts gain in two thousand frames of every scene", usual=False
    ),
    "friction": Subject(
        "what every effort gains on surfaces with friction in six hundred frames, and what comes to rest",
        usual=False,
        options=("converged_frames",),
    ),
    "conservation": Subject(
        "what every effort keeps of energy and momentum in a minute, and when it rests; takes hours",
        usual=False,
        options=("scenes", "converged_seconds"),
    ),
    "presets": Subject("sheets of the same material at three resolutions", usual=False),
    "bending": Subject("strips, strands and plates beside the elastica, vibration and buckling", usual=False),
    "drape": Subject("presets in the drape test of textiles, on several meshes", WITH_BPY, usual=False),
    "efforts": Subject("every effort's distance to the equations, stretch and time", usual=False),
    "settings": Subject("the guide's table of settings", WITH_BPY),
    "tasks": Subject(
        "tasks done by Hooke and by the Cloth modifier: clicks and what comes out", WITH_BPY, usual=False
    ),
    "settling": Subject(
        "how a sheet falls and comes to rest, in Hooke's air and the Cloth modifier's", WITH_BPY, usual=False
    ),
    "solids": Subject(
        "solids beside beam theory, jelly that falls, and frames of a fine mesh", WITH_BPY, usual=False
    ),
    "wind": Subject("the same flag in wind by Hooke and by the Cloth modifier", WITH_BPY, usual=False),
    "lattice_demo": Subject("a Blender file and pictures of the lattices", WITH_BPY),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add to a parser what experiments can be told."""
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
    parser.add_argument(
        "--converged-frames",
        type=at_least(1),
        default=60,
        metavar="N",
        help="friction: how many frames Converged is simulated for; 60 by default",
    )
