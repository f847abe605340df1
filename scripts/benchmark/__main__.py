# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure one subject, or report what was measured; `python3 scripts/dev.py benchmark` sets up for both.

Figures are comparable within one run only: they depend on the machine and on what else it does, so both are
kept with them.
"""

import argparse
import importlib
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmark.subjects import SUBJECTS


def main():
    """Run the subject and print its tables, or write the page; returns the exit status."""
    parser = argparse.ArgumentParser(prog="benchmark", description=__doc__.splitlines()[0])
    parser.add_argument("subject", choices=[*SUBJECTS, "report"])
    parser.add_argument("--frames", type=int, default=36, help="of the sheet to simulate, at least 8")
    parser.add_argument("--quads", type=int, default=100, help="along each side of the sheet, at least 2")
    parser.add_argument(
        "--large", action="store_true", help="rivals: also at twice the quads, half the frames"
    )
    parser.add_argument("--small", action="store_true", help="core: only the three smallest grids")
    options = parser.parse_args()
    if options.quads < 2 or options.frames < 8:
        parser.error(f"--quads {options.quads} --frames {options.frames}: give at least 2 and 8")
    if options.subject == "report":
        importlib.import_module("benchmark.report").run()
        return 0
    from benchmark import machine, results
    from benchmark.table import print_table

    started = time.monotonic()
    print(f"{options.subject}: {SUBJECTS[options.subject].measures}\n{machine.description()}", flush=True)
    subject = importlib.import_module(f"benchmark.{SUBJECTS[options.subject].module}")
    found = {"machine": machine.description(), **subject.run(options)}
    found["tables"] = list(subject.tables(found))
    results.write(options.subject, found)
    for table in found["tables"]:
        print_table(*table)
    print(f"{options.subject}: {time.monotonic() - started:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    status = main()
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
