# SPDX-License-Identifier: GPL-3.0-or-later
"""Time and memory of one factorisation, in a process of its own: `python factor_memory.py SIDE SOLVER`.

Only in a fresh process is the memory that comes with a factor the factor's own.
"""

import ctypes
import json
import sys
from pathlib import Path
from time import perf_counter

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from commands import run_quietly

from benchmark import curtain, naive
from hooke.core.solvers.linear import backends


def measured(side, solver):
    """Dict of a factorisation of the curtain's free vertices: seconds, kept and peak bytes, entries or None.

    Bytes are None where the system does not tell a process its memory. Raises RuntimeError if the process fails.
    """
    command = [sys.executable, str(Path(__file__).resolve()), str(side), solver]
    told = run_quietly(command)
    if told.returncode != 0:
        raise RuntimeError(
            f"factorising a sheet of {side}^2 with {solver} failed: {told.stderr.strip()[-300:]}"
        )
    return json.loads(told.stdout)


def _measure(side, solver):
    network = curtain.network(side)
    matrix = naive.system(network, curtain.DT)[0][network.free][:, network.free].tocsc()
    make = {factor.name: factor for factor in backends()}[solver]
    # The first use of a library loads and initialises it.
    make(matrix[:20, :20])
    before = _resident()
    began = perf_counter()
    factor = make(matrix)
    seconds = perf_counter() - began
    kept, peak = (None if now is None else now - before[0] for now in _resident())
    entries = int(factor._solver.nnz) if solver == "SUPERLU" else None
    return {"seconds": seconds, "kept": kept, "peak": peak, "entries": entries}


def _resident():
    """Bytes in memory now and at most so far, without what was freed; (None, None) where /proc is missing."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return None, None
    ctypes.CDLL(None).malloc_trim(0)
    lines = dict(
        line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines() if ":" in line
    )
    return tuple(1024 * int(lines[name].split()[0]) for name in ("VmRSS", "VmHWM"))


if __name__ == "__main__":
    print(json.dumps(_measure(int(sys.argv[1]), sys.argv[2])))
