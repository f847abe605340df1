# SPDX-License-Identifier: GPL-3.0-or-later
"""Run one experiment and regenerate its pictures and tables in docs/; `python3 scripts/dev.py lab` sets up for it."""

import argparse
import importlib
import os
import sys
import time
from pathlib import Path

# The tests' own networks are the package `energies`.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from commands import escape_letters
from measuring.subject import keep_to_one_thread

from lab.subjects import SUBJECTS, add_options


def main():
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="lab", description=__doc__.splitlines()[0])
    parser.add_argument("subject", choices=SUBJECTS)
    add_options(parser)
    escape_letters()
    chosen = parser.parse_args()
    name = chosen.subject
    # One thread makes dense algebra comparable with the sparse solvers, which have one.
    keep_to_one_thread()
    print(f"{name}: {SUBJECTS[name].measures}", flush=True)
    started = time.monotonic()
    subject = importlib.import_module(f"lab.{name}")
    for measured in getattr(subject, "TABLES", ()):
        measured.write()
    if hasattr(subject, "draw"):
        subject.draw()
    if hasattr(subject, "run"):
        subject.run(**{option: getattr(chosen, option) for option in SUBJECTS[name].options})
    print(f"  {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
