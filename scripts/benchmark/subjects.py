# SPDX-License-Identifier: GPL-3.0-or-later
"""What the benchmark measures, each a module with run(options) and tables(results), and its options.

Imports nothing but Python's own library.
"""

from __future__ import annotations

import argparse

from environments import WITH_BPY
from measuring.subject import Subject, at_least

SUBJECTS = {
    "core": Subject("the solver without Blender, over the size of the sheet"),
    "shapeop": Subject(
        "Liu's curtain beside ShapeOp, one thread each, by turns", ("rivals",), one_thread=True
    ),
    "live": Subject("Hooke's frames in Blender and their parts", WITH_BPY),
    "rivals": Subject("Hooke and what Blender itself offers", WITH_BPY),
    "other_courses": Subject("the same on cotton, a flag on a moving pole, a net and a solid", WITH_BPY),
    "collision": Subject(
        "cotton dropped on Suzanne, beside Blender's own: time, penetration, stretch", WITH_BPY
    ),
    "self_collision": Subject(
        "a ribbon's heap and a sheet from one corner, with and without self-collision",
        WITH_BPY,
        one_thread=True,
    ),
    "contact": Subject(
        "what touches in the core: cost, penetration, stretch, rest, and slopes, bounces and a rope on a pole",
        WITH_BPY,
        one_thread=True,
    ),
    "packages": Subject("Hooke's core and cloth solvers from PyPI", ("rivals",)),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add to a parser what the subjects can be told."""
    parser.add_argument(
        "--frames", type=at_least(8), default=36, help="to simulate, at least 8; 36 by default"
    )
    parser.add_argument(
        "--quads",
        type=at_least(2),
        default=100,
        help="along each side of the sheet, at least 2; 100 by default",
    )
    parser.add_argument(
        "--large",
        action="store_true",
        help="rivals: also at twice the quads, half the frames; contact: also at four times the vertices, and clothes",
    )
    parser.add_argument("--small", action="store_true", help="core: only the three smallest grids")
