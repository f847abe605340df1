# SPDX-License-Identifier: GPL-3.0-or-later
"""Run experiments and regenerate their pictures and tables in docs/; `python3 scripts/dev.py lab` sets up for it."""

import argparse
import importlib
import os
import sys
import time
from pathlib import Path

EXPERIMENTS = {
    "methods": "every method: motion, energy, order, stability and cost",
    "lattice": "what each level of a lattice's springs does, and the largest step each method survives",
    "factorisation": "dense against sparse, and a factor kept against one made at every step",
    "acceleration": "plain and L-BFGS iterations of projective dynamics over count and over time",
    "energy": "what always stable methods and efforts gain on two thousand frames of every scene",
    "tenth_method": "the specification of the core, run on a copy with one more method",
    "settings": "the guide's table of settings; needs bpy",
    "lattice_demo": "a Blender file and pictures of the lattices; needs bpy",
}


def main():
    """Run the experiments named on the command line, one after another."""
    parser = argparse.ArgumentParser(prog="dev.py lab", description="Run the integrator lab.")
    names = ", ".join(EXPERIMENTS)
    parser.add_argument("experiments", nargs="+", choices=EXPERIMENTS, metavar="EXPERIMENT", help=names)
    # One thread makes dense algebra comparable with the sparse solvers, which have one. NumPy reads this once.
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    for name in parser.parse_args().experiments:
        print(f"{name}: {EXPERIMENTS[name]}", flush=True)
        started = time.monotonic()
        importlib.import_module(f"lab.{name}").run()
        print(f"  {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    main()
    if "bpy" in sys.modules:
        # The bpy module may wait for its own threads at interpreter exit.
        sys.stdout.flush()
        os._exit(0)
