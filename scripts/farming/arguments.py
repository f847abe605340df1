# SPDX-License-Identifier: GPL-3.0-or-later
"""The farm's command line."""

import argparse
from pathlib import Path

from . import wedge

# More variants than this are asked about before any is begun.
MANY = 1000

_FARM = """Bake every combination of files, objects and values of settings, on this machine or on a Dask cluster.

    python3 scripts/farm.py shot.blend --object Flag --frames 1-48 --wedge stretch-stiffness=500,2000,8000
                            --wedge damping-ratio=0:1:5 --output wedges/
    python3 scripts/farm.py apply wedges/ 7            put a variant's settings into the artist's file

Other options are those of the bake, the same for every variant: --mode MESH_CACHE, --pin-group Pole, --quality FINE …
Exit status: 0 all is done, 2 wrong arguments, nothing was begun, 1 anything else; table.csv says what is missing.
"""


class _Parser(argparse.ArgumentParser):
    """Parser whose errors are one sentence."""

    def error(self, message):
        raise wedge.WedgeError(f"{message} (see --help)")


def command_of(words):
    """What words ask for, `bake` or `apply`, and its options, by name.

    Raises wedge.WedgeError, SystemExit where help is asked for.
    """
    return ("apply", parse_apply(words[1:])) if words[:1] == ["apply"] else ("bake", parse(words))


def parse(words):
    """Options of a farm, by name; `wedge` is the Wedge. Raises as `command_of`."""
    parser = _Parser(
        prog="farm.py",
        description=_FARM,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="+", metavar="FILE.blend", help="files, each with every object")
    parser.add_argument("--object", action="append", required=True, metavar="NAME", help="may be repeated")
    parser.add_argument("--frames", metavar="A-B", help="frame range; default: each file's own")
    parser.add_argument(
        "--wedge",
        action="append",
        default=[],
        metavar="SETTING=A,B,C",
        help="values of a setting, also FIRST:LAST:COUNT; may be repeated",
    )
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="folder for the results")
    parser.add_argument(
        "--workers", type=_count, metavar="N", help="bakes at a time here; default: cores, memory"
    )
    parser.add_argument(
        "--memory",
        type=_gigabytes,
        default=2e9,
        metavar="GB",
        help="what a bake may take, to count workers; 2",
    )
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that runs, tcp://HOST:8786")
    parser.add_argument(
        "--files-by",
        choices=("either", "folder", "task"),
        default="either",
        metavar="WAY",
        help="`folder` shared with the workers, shipped with the `task`, or `either`, as each worker can; default",
    )
    parser.add_argument("--blender", metavar="COMMAND", help="a Blender, or a Python with bpy, to bake with")
    parser.add_argument(
        "--retries", type=int, choices=range(11), default=2, metavar="N", help="of what fails; 2"
    )
    parser.add_argument(
        "--pictures", type=int, choices=range(13), default=3, metavar="N", help="of a variant; 3"
    )
    parser.add_argument(
        "--size", type=_size, default=(200, 200), metavar="WxH", help="of a picture at most; 200x200"
    )
    parser.add_argument(
        "--numbers",
        default="strains.largest,energies.total,times.ms_per_frame",
        metavar="A,B",
        help="columns of table.csv that the contact sheet shows; %(default)s",
    )
    parser.add_argument("--each", action="store_true", help="tell the progress of every variant")
    parser.add_argument("--yes", action="store_true", help=f"do not ask before more than {MANY} variants")
    options, common = parser.parse_known_args(words)
    if options.frames is not None:
        common += [f"--frames={options.frames}"]
    stray = [word for word in common if word.split("=")[0] in ("--output", "--report", "--cache-file")]
    if stray:
        raise wedge.WedgeError(f"{stray[0]} is given by the farm, for every variant its own: leave it out")
    options.output = options.output.absolute()
    options.numbers = [name for name in options.numbers.split(",") if name]
    options.wedge = wedge.Wedge(
        _once("file", [str(Path(file).absolute()) for file in options.files]),
        _once("--object", options.object),
        tuple(wedge.axis_of(text) for text in options.wedge),
        tuple(common),
    )
    return options


def parse_apply(words):
    """Options of `farm.py apply`, by name; raises as `command_of`."""
    parser = _Parser(prog="farm.py apply", description="Put a variant's settings into the artist's file.")
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of a farm's results")
    parser.add_argument("variant", metavar="NUMBER", help="number of the variant, or name of its folder")
    parser.add_argument("--file", metavar="FILE.blend", help="default: the one it was baked from")
    parser.add_argument("--blender", metavar="COMMAND", help="a Blender, or a Python with bpy, to do it with")
    return parser.parse_args(words)


def _once(what, names):
    twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
    if twice is not None:
        raise wedge.WedgeError(f"{what} {twice} is given twice: leave one out")
    return tuple(names)


def _count(text):
    if not (text.isdecimal() and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is no number to count to: give 1 or more")
    return int(text)


def _gigabytes(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is out of range: give the gigabytes that a bake takes")
    return 1e9 * value


def _size(text):
    width, _, height = text.partition("x")
    if not (
        width.isdecimal() and height.isdecimal() and 8 <= int(width) <= 4096 and 8 <= int(height) <= 4096
    ):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no size: give width and height in pixels, such as 200x150"
        )
    return int(width), int(height)
