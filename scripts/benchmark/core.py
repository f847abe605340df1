# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `core`: Liu's curtain over its size, beside a plain implementation of the same method."""

from time import perf_counter

import numpy as np

from hooke.core import Simulation
from hooke.core.solvers.linear import backends

from . import curtain, naive

# Time a case takes at most [s], but never fewer steps than these.
BUDGET, LEAST_STEPS = 3.0, 3


def run(options):
    """Measure every size with every solver and the plain implementation; returns the rows."""
    rows = []
    for side in curtain.SIDES[:3] if options.small else curtain.SIDES:
        network, reference = curtain.network(side), None
        for name, make, positions in _simulations(network):
            began = perf_counter()
            simulation = make()
            factorise = perf_counter() - began
            x, frame = _timed_steps(simulation.step, lambda s=simulation, p=positions: p(s))
            reference = x if reference is None else reference
            off = float(np.abs(x - reference).max())
            rows.append(
                {"side": side, "solver": name, "frame_ms": 1e3 * frame, "factorise_s": factorise, "off": off}
            )
            print(f"  {side}^2 {name}: {1e3 * frame:.2f} ms a frame", flush=True)
    return {"rows": rows}


def _simulations(network):
    """Names, callables that set up a simulation, and functions that read its positions."""
    for factor in backends():
        settings = {"dt": curtain.DT, "iterations": curtain.ITERATIONS, "backend": factor.name}
        yield factor.name, lambda how=settings: Simulation(network, **how), lambda s: s.state.x
    for name, ordering in naive.ORDERINGS.items():
        yield (
            f"plain NumPy, {name}",
            lambda how=ordering: naive.NaiveProjectiveDynamics(network, curtain.DT, curtain.ITERATIONS, how),
            lambda s: s.x,
        )


def _timed_steps(step, positions):
    """Positions after LEAST_STEPS steps, and the median seconds of a step."""
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


def tables(results):
    """(title, headings, rows of text) of everything measured."""
    fastest: dict[int, float] = {}
    cells = []
    for row in results["rows"]:
        first = fastest.setdefault(row["side"], row["frame_ms"])
        cells.append(
            (
                f"{row['side']}²",
                row["solver"],
                f"{row['frame_ms']:.2f}",
                f"{row['frame_ms'] / curtain.ITERATIONS:.3f}",
                f"{row['frame_ms'] / first:.2f}",
                f"{row['factorise_s']:.3f}",
                f"{row['off']:.0e}",
            )
        )
    yield (
        f"core: Liu's curtain, {curtain.ITERATIONS} iterations of {1e3 * curtain.DT:.0f} ms a frame",
        ("grid", "solver", "ms a frame", "ms an iteration", "to the fastest", "factorise s", "off by m"),
        cells,
    )
