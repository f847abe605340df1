# SPDX-License-Identifier: GPL-3.0-or-later
"""Run one experiment and regenerate its pictures and tables in docs/; `python3 scripts/dev.py lab` sets up for it."""

import importlib
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from measuring.subject import keep_to_one_thread

from lab.subjects import SUBJECTS


def main(name):
    """Run the experiment."""
    # One thread makes dense algebra comparable with the sparse solvers, which have one.
    keep_to_one_thread()
    print(f"{name}: {SUBJECTS[name].measures}", flush=True)
    started = time.monotonic()
    importlib.import_module(f"lab.{name}").run()
    print(f"  {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
