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

from commands import escape_letters
from measuring.subject import keep_to_one_thread

from benchmark.subjects import SUBJECTS, add_options


def main():
    """Run the subject and print its tables, or write the page."""
    parser = argparse.ArgumentParser(prog="benchmark", description=__doc__.splitlines()[0])
    parser.add_argument("subject", choices=[*SUBJECTS, "report"])
    add_options(parser)
    escape_letters()
    options = parser.parse_args()
    if options.subject == "report":
        importlib.import_module("benchmark.report").run()
        return
    if SUBJECTS[options.subject].one_thread:
        keep_to_one_thread()
    from measuring import machine, results
    from measuring.table import print_table

    started = time.monotonic()
    print(f"{options.subject}: {SUBJECTS[options.subject].measures}\n{machine.description()}", flush=True)
    subject = importlib.import_module(f"benchmark.{options.subject}")
    found = {"machine": machine.description(), **subject.run(options)}
    found["tables"] = list(subject.tables(found))
    results.write(options.subject, found)
    for table in found["tables"]:
        print_table(*table)
    print(f"{options.subject}: {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
