# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of scripts that take pictures: outside Blender, which they start, or behind `--` within; and strips."""

import argparse
import subprocess
import sys
from pathlib import Path


def parse(program, description, choices, command):
    """What was asked for: output, an absolute Path, only, a list or None, and command, without one within Blender.

    choices: names of the pictures; command: what starts Blender, in words, or None within.
    """
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="folder for the pictures")
    parser.add_argument("--only", action="append", choices=choices, help="this one; may be repeated")
    if command is not None:
        parser.add_argument("command", nargs="+", help=command)
    words = sys.argv[1:] if command is not None else sys.argv[sys.argv.index("--") + 1 :]
    chosen = parser.parse_args(words)
    chosen.output = chosen.output.resolve()
    return chosen


def join(parts, whole, reduced):
    """Write pictures side by side as one by ImageMagick, and remove them; reduced: its words for fewer colours."""
    subprocess.run(["convert", *parts, "+append", *reduced, f"png8:{whole}"], check=True)
    for part in parts:
        part.unlink()
