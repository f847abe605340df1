# SPDX-License-Identifier: GPL-3.0-or-later
"""Run experiments and regenerate their pictures and tables in docs/.

python3 scripts/dev.py lab                     all but tenth_method
python3 scripts/dev.py lab lattice methods     only these
"""

import argparse
import importlib
import os
import time

EXPERIMENTS = {
    "methods": "every method: motion, energy, order, stability and cost",
    "lattice": "what each level of a lattice's springs does, and the largest step each method survives",
    "factorisation": "dense against sparse, and a factor kept against one made at every step",
    "tenth_method": "the specification of the core, run on a copy with one more method",
}
# It takes as long as the core's tests.
ON_REQUEST = {"tenth_method"}


def main():
    """Run the experiments named on the command line."""
    # One thread makes dense algebra comparable with the sparse solvers, which have one. NumPy reads this once.
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    parser = argparse.ArgumentParser(prog="dev.py lab", description="Run the integrator lab.")
    parser.add_argument("experiments", nargs="*", choices=[[], *EXPERIMENTS], metavar="EXPERIMENT")
    chosen = parser.parse_args().experiments or [name for name in EXPERIMENTS if name not in ON_REQUEST]
    for name in chosen:
        print(f"{name}: {EXPERIMENTS[name]}", flush=True)
        started = time.monotonic()
        importlib.import_module(f"lab.{name}").run()
        print(f"  {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
