# SPDX-License-Identifier: GPL-3.0-or-later
"""The arguments of the command line; numbers have the limits of the settings they become."""

import argparse
import math
import re
from pathlib import Path
from typing import Any

import bpy

from ..core import INTEGRATORS
from ..core.effort import EFFORTS
from . import properties
from .bakes import MODES
from .mesh_io import MeshError


class _Parser(argparse.ArgumentParser):
    """Parser whose errors are one line."""

    def error(self, message):
        raise MeshError(f"{message} (see --help)")


def parse(arguments):
    """Options by name, from a list of strings.

    Raises MeshError for what is missing, unknown or out of range; SystemExit where help was asked for.
    """
    parser = _Parser(prog="hooke", description="Mass-spring simulation for Blender.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    command = commands.add_parser("bake", help="simulate an object and bake it into the file")
    command.add_argument("--object", required=True, metavar="NAME", help="mesh object to bake")
    command.add_argument("--pin-group", metavar="G", help="vertex group that holds the pins")
    command.add_argument("--frames", type=_frames, metavar="A-B", help="frame range, for example 1-250")
    command.add_argument(
        "--mode", choices=list(MODES), metavar="M", help="what to bake to: " + ", ".join(MODES)
    )
    command.add_argument(
        "--step", type=_within("bake_step"), metavar="N", help="frames from one shape key to the next"
    )
    command.add_argument(
        "--tolerance",
        dest="bake_tolerance",
        type=_within("bake_tolerance"),
        metavar="T",
        help="largest error of PRINCIPAL_SHAPES [m]",
    )
    command.add_argument(
        "--cache-file",
        type=Path,
        metavar="C.pc2",
        help="of MESH_CACHE; default: in a folder beside the output",
    )
    command.add_argument("--integrator", choices=list(INTEGRATORS), metavar="ID", help=", ".join(INTEGRATORS))
    command.add_argument(
        "--effort", choices=list(EFFORTS), metavar="ID", help=f"{', '.join(EFFORTS)}: substeps and iterations"
    )
    command.add_argument("--substeps", type=_within("substeps"), metavar="N", help="steps within a frame")
    command.add_argument(
        "--iterations", type=_within("iterations"), metavar="N", help="solver iterations in a substep"
    )
    command.add_argument(
        "--acceleration",
        choices=INTEGRATORS["PROJECTIVE_DYNAMICS"].choices["acceleration"],
        metavar="ID",
        help="of the iterations: NONE, SECANT or LBFGS",
    )
    command.add_argument(
        "--stiffness", type=_within("stiffness"), metavar="K", help="of the springs along edges [N/m]"
    )
    command.add_argument("--mass", type=_within("mass"), metavar="M", help="of the whole object [kg]")
    command.add_argument("--output", type=Path, metavar="OUT.blend", help="default: the opened file itself")
    command.add_argument("--report", type=Path, metavar="OUT.json", help="write figures of the bake as JSON")
    return parser.parse_args(arguments)


def _frames(text):
    match = re.fullmatch(r"(-?\d+)-(-?\d+)", text)
    first, last = (int(match[1]), int(match[2])) if match is not None else (0, -1)
    limits: Any = bpy.types.Scene.bl_rna.properties["frame_current"]
    if not limits.hard_min <= first <= last <= limits.hard_max:
        raise argparse.ArgumentTypeError(f"{text!r} is no frame range: give first-last, for example 1-250")
    return first, last


def _within(setting):
    """Parser of a number within the limits of one of the object's settings."""
    limits = properties.HookeSettings.bl_rna.properties[setting]
    whole = limits.type == "INT"

    def number(text):
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = math.nan
        if not limits.hard_min <= value <= limits.hard_max:
            raise argparse.ArgumentTypeError(
                f"{text!r} is out of range: give a {'whole ' * whole}number from {limits.hard_min:g} to "
                f"{limits.hard_max:g}"
            )
        return value

    return number
