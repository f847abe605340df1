# SPDX-License-Identifier: GPL-3.0-or-later
"""Time Hooke on the sheet: the solver alone, and whole frames in Blender.

Figures are comparable within one run only: they depend on the machine and on what else it does, so both are
printed above the tables.
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmark import live, machine, solver

SUBJECTS = {"core": solver.run, "live": live.run}


def main():
    """Run the subjects and print their tables; returns the exit status."""
    parser = argparse.ArgumentParser(prog="benchmark", description=__doc__.splitlines()[0])
    parser.add_argument(
        "subjects", nargs="*", metavar="SUBJECT", help=f"{', '.join(SUBJECTS)}; all by default"
    )
    parser.add_argument("--quads", type=int, default=100, help="along each side of the sheet")
    parser.add_argument("--frames", type=int, default=48, help="to measure, after the warm-up; at least 24")
    options = parser.parse_args()
    unknown = sorted(set(options.subjects) - set(SUBJECTS))
    if unknown:
        parser.error(f"there is no subject {', '.join(unknown)}; there are {', '.join(SUBJECTS)}")
    if options.quads < 2 or options.frames < 24:
        parser.error(f"--quads {options.quads} --frames {options.frames}: give at least 2 and 24")
    print(machine.description(), flush=True)
    for name in options.subjects or SUBJECTS:
        SUBJECTS[name](options.quads, options.frames)
    return 0


if __name__ == "__main__":
    status = main()
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
