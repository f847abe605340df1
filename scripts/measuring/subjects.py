# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be measured, for dev.py: imports nothing but Python's own library."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from environments import WITH_BPY


@dataclass(frozen=True)
class Subject:
    """What a module of `lab` or `benchmark` measures, and the environments that can run it, best first.

    usual: whether it runs where none is named.
    """

    measures: str
    environments: tuple[str, ...] = ("plain",)
    usual: bool = True


def _long(measures: str, environments: tuple[str, ...] = ("plain",)) -> Subject:
    return Subject(measures, environments, usual=False)


ROOMS = {
    "lab": {
        "methods": Subject("every method: energy, order, stability and cost"),
        "lattice": Subject("the levels of a lattice's springs, and the largest step each method survives"),
        "factorisation": Subject("dense against sparse, and a factor kept against one made at every step"),
        "settings": Subject("the guide's table of settings", WITH_BPY),
        "conservation": _long("energy, momentum and rest of every effort in a minute; takes hours"),
        "presets": _long("sheets of the same material at three resolutions"),
        "bending": _long("strips, strands and plates beside the elastica, vibration and buckling"),
        "drape": _long("presets in the drape test of textiles, on several meshes"),
        "efforts": _long("every effort's distance to the equations, stretch and time"),
        "tasks": _long("tasks done by Hooke and by the Cloth modifier", WITH_BPY),
        "settling": _long("a sheet that comes to rest in Hooke's air and the Cloth modifier's", WITH_BPY),
        "swings": _long("how swinging cloth comes to rest, by the numbers of the law of air"),
        "one_air": _long("flags carried and in wind, of several meshes and frame rates"),
        "starts": _long("cloth that begins exactly level or round: when it is down, and folds"),
        "solids": _long("solids beside beam theory, jelly that falls, a fine mesh", WITH_BPY),
        "flags": _long("flags in wind by Hooke and by the Cloth modifier", WITH_BPY),
    },
    "benchmark": {
        "core": Subject("the solver without Blender, over the size of the sheet"),
        "shapeop": Subject("Liu's curtain beside ShapeOp, by turns", ("rivals",)),
        "live": Subject("Hooke's frames in Blender and their parts", WITH_BPY),
        "rivals": Subject("Hooke and what Blender itself offers, on five courses", WITH_BPY),
        "collision": Subject("cotton dropped on Suzanne, beside Blender's own", WITH_BPY),
        "self_collision": Subject("a ribbon's heap and a sheet from one corner", WITH_BPY),
        "contact": Subject("scenes that touch, with contacts and without", WITH_BPY),
        "packages": Subject("Hooke's core and cloth solvers from PyPI", ("rivals",)),
        "truth": Subject("the picture of rivals and packages, from their tables"),
    },
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add to a parser what the subjects can be told."""
    parser.add_argument(
        "--row",
        action="append",
        dest="rows",
        default=[],
        metavar="WORDS",
        help="only rows that begin so, the others stay; may be repeated",
    )
    parser.add_argument(
        "--frames", type=_at_least(8), default=36, help="of a benchmark's race; 36 by default"
    )
    parser.add_argument(
        "--quads", type=_at_least(2), default=100, help="along each side of its sheet; 100 by default"
    )


def _at_least(limit: int):
    """A type of argument: a whole number from a limit on."""

    def whole_number(text: str) -> int:
        if int(text) < limit:
            raise argparse.ArgumentTypeError(f"{text} is too small: give at least {limit}")
        return int(text)

    return whole_number
