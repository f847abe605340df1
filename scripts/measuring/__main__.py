# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure a subject again and write its tables into docs/; `dev.py lab` and `dev.py benchmark` set up for it."""

import argparse
import importlib
import os
import sys
import time
from pathlib import Path

# Scenes that the tests specify are in tests/.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from commands import escape_letters

from measuring.subjects import ROOMS, add_options


def main():
    """Measure the subject."""
    parser = argparse.ArgumentParser(prog="measuring", description=__doc__.splitlines()[0])
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("subject")
    add_options(parser)
    chosen = parser.parse_args()
    escape_letters()
    # One thread makes dense algebra comparable with the sparse solvers, which have one.
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    print(f"{chosen.subject}: {ROOMS[chosen.room][chosen.subject].measures}", flush=True)
    began = time.monotonic()
    subject = importlib.import_module(f"{chosen.room}.{chosen.subject}")
    if hasattr(subject, "run"):
        subject.run()
    tables = list(subject.tables(chosen) if hasattr(subject, "tables") else getattr(subject, "TABLES", ()))
    for words in chosen.rows:
        if not any(measured.chosen([words]) for measured in tables):
            names = "; ".join(", ".join(name) for measured in tables for name in measured.chosen([]))
            sys.exit(f"no row begins with “{words}”: there are {names}")
    for measured in tables:
        measured.write(chosen.rows)
    print(f"  {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
