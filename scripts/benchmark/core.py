# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `core`: the curtain over its size, beside a plain implementation and the limits of the memory."""

from itertools import pairwise
from time import perf_counter

import numpy as np
from measuring import machine
from measuring.table import bytes_text

from hooke.core import Simulation
from hooke.core.solvers.linear import backends, factorise

from . import curtain, factor_memory, naive

FACTOR_HEADINGS = ("factor kept", "peak", "entries")
# Time a case takes at most [s], but never fewer steps than these.
BUDGET, LEAST_STEPS = 3.0, 3


def run(options):
    """Measure every size with every solver and the plain implementation; returns rows, growth and bandwidth."""
    rate = machine.bandwidth()
    print(f"copying runs at {rate / 1e9:.1f} GB/s", flush=True)
    rows = []
    for side in curtain.SIDES[:3] if options.small else curtain.SIDES:
        network = curtain.network(side)
        new = [_hooke(network, side, factor.name, rate) for factor in backends()]
        reference = new[0].pop("x")
        for row in new[1:]:
            row["difference"] = float(np.abs(row.pop("x") - reference).max())
        new += [_naive(network, side, name, reference) for name in naive.ORDERINGS]
        for row in new:
            row["ratio"] = row["frame_ms"] / new[0]["frame_ms"]
            print(f"  {side}^2 {row['solver']}: {row['frame_ms']:.2f} ms a frame", flush=True)
        rows += new
    return {"bandwidth": rate, "rows": rows, "growth": _growth(rows)}


def _hooke(network, side, solver, rate):
    """A row: whole step, factorisation and solve of Hooke's core, and what the memory would allow."""
    simulation = Simulation(network, dt=curtain.DT, iterations=curtain.ITERATIONS, backend=solver)
    x, frame = _timed_steps(simulation.step, lambda: simulation.state.x)
    factor = factor_memory.measured(side, solver)
    solve = _solve_seconds(network, solver)
    iteration = frame / curtain.ITERATIONS
    row = {
        "side": side,
        "solver": solver,
        "springs": network.spring_count,
        "x": x,
        "difference": 0.0,
        "frame_ms": 1e3 * frame,
        "iteration_ms": 1e3 * iteration,
        "solve_ms": 1e3 * solve,
        "local_ms": 1e3 * (iteration - solve),
        "local_limit_ms": 1e3 * local_bytes(network) / rate,
        "factorise_s": factor["seconds"],
        "kept": factor["kept"],
        "peak": factor["peak"],
        "entries": factor["entries"],
    }
    if factor["kept"] is not None:
        row["solve_limit_ms"] = 1e3 * factor_bytes(factor) / rate
    return row


def _naive(network, side, name, reference):
    """A row of the plain implementation, and how far it is from Hooke after the same steps [m]."""
    began = perf_counter()
    simulation = naive.NaiveProjectiveDynamics(network, curtain.DT, curtain.ITERATIONS, naive.ORDERINGS[name])
    set_up = perf_counter() - began
    x, frame = _timed_steps(simulation.step, lambda: simulation.x)
    return {
        "side": side,
        "solver": f"plain NumPy, {name}",
        "difference": float(np.abs(x - reference).max()),
        "frame_ms": 1e3 * frame,
        "iteration_ms": 1e3 * frame / curtain.ITERATIONS,
        "factorise_s": set_up,
        "entries": int(simulation.factor.nnz),
    }


def _timed_steps(step, positions):
    """Positions after LEAST_STEPS steps, the same for whoever is timed, and the median seconds of a step."""
    seconds: list[float] = []
    step()
    kept = None
    while len(seconds) < LEAST_STEPS or (sum(seconds) < BUDGET and len(seconds) < 30):
        began = perf_counter()
        step()
        seconds.append(perf_counter() - began)
        if len(seconds) == LEAST_STEPS:
            kept = positions().copy()
    return kept, float(np.median(seconds))


def _solve_seconds(network, solver):
    matrix = naive.system(network, curtain.DT)[0][network.free][:, network.free].tocsc()
    factor = factorise(matrix, solver)
    b = np.random.default_rng(0).normal(size=(len(network.free), 3))
    seconds: list[float] = []
    while len(seconds) < 5 or (sum(seconds) < BUDGET / 6 and len(seconds) < 100):
        began = perf_counter()
        factor.solve(b)
        seconds.append(perf_counter() - began)
    return float(np.median(seconds))


def local_bytes(network):
    """Bytes that one iteration without its solve must move between memory and processor at the least.

    Float64 values and indices of 8 bytes, each array once. The local step reads both ends' indices, stiffness and
    rest length of a spring and all positions, and writes a force of three components. The right side reads those
    forces and the incidence matrix (two signs of 8, two indices of 4 bytes), x, y and the masses, and writes the
    gradient. The update reads the increment and x and writes x.
    """
    spring = (16 + 8 + 8 + 24) + (24 + 16 + 8)
    vertex = 24 + (24 + 24 + 8 + 24) + (24 + 24 + 24)
    return spring * network.spring_count + vertex * network.vertex_count


def factor_bytes(factor):
    """Bytes of reading a factor in both directions: L and U once each, or L and its transpose."""
    return 8 * factor["entries"] if factor["entries"] is not None else 2 * factor["kept"]


def _growth(rows):
    """Exponents of time and memory over the vertices between neighbouring sizes, and fitted to all."""
    fits = []
    for solver in dict.fromkeys(row["solver"] for row in rows):
        mine = [row for row in rows if row["solver"] == solver]
        counts = np.log([row["side"] ** 2 for row in mine])
        for quantity in ("frame_ms", "factorise_s", "solve_ms", "kept"):
            values = [row.get(quantity) for row in mine]
            if len(mine) < 2 or any(value is None or value <= 0 for value in values):
                continue
            logs = np.log(values)
            fits.append(
                {
                    "solver": solver,
                    "quantity": quantity,
                    "between": (np.diff(logs) / np.diff(counts)).tolist(),
                    "fitted": float(np.polyfit(counts, logs, 1)[0]),
                }
            )
    return fits


def tables(results):
    """(title, headings, rows of text) of everything measured."""
    rows, rate = results["rows"], results["bandwidth"]
    yield (
        f"core: Liu's curtain, {curtain.ITERATIONS} iterations of {1e3 * curtain.DT:.0f} ms a frame",
        ("grid", "solver", "ms a frame", "ms an iteration", "to the fastest", "factorise s", "off by m"),
        [
            (
                f"{row['side']}²",
                row["solver"],
                f"{row['frame_ms']:.2f}",
                f"{row['iteration_ms']:.3f}",
                f"{row['ratio']:.2f}",
                f"{row['factorise_s']:.3f}",
                f"{row['difference']:.0e}",
            )
            for row in rows
        ],
    )
    yield (
        f"core: against the memory, which copies {rate / 1e9:.1f} GB/s",
        ("grid", "solver", *("rest ms", "limit", "ratio"), *("solve ms", "limit", "ratio"), *FACTOR_HEADINGS),
        [_limit_cells(row) for row in rows if "local_ms" in row],
    )
    between = [f"{a}²–{b}²" for a, b in _pairs(results)]
    yield (
        "core: growth, the exponent of the number of vertices",
        ("solver", "of", *between, "fitted"),
        [
            (
                fit["solver"],
                GROWING[fit["quantity"]],
                *(f"{e:.2f}" for e in fit["between"]),
                f"{fit['fitted']:.2f}",
            )
            for fit in results["growth"]
        ],
    )


GROWING = {
    "frame_ms": "frame",
    "factorise_s": "factorisation",
    "solve_ms": "solve",
    "kept": "memory of the factor",
}


def _pairs(results):
    sides = list(dict.fromkeys(row["side"] for row in results["rows"]))
    return list(pairwise(sides))


def _limit_cells(row):
    limit = row.get("solve_limit_ms")
    return (
        f"{row['side']}²",
        row["solver"],
        f"{row['local_ms']:.3f}",
        f"{row['local_limit_ms']:.3f}",
        f"{row['local_ms'] / row['local_limit_ms']:.1f}",
        f"{row['solve_ms']:.3f}",
        "–" if not limit else f"{limit:.3f}",
        "–" if not limit else f"{row['solve_ms'] / limit:.1f}",
        bytes_text(row["kept"]),
        bytes_text(row["peak"]),
        "–" if row["entries"] is None else f"{row['entries']:,}",
    )
