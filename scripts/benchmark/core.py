# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver without Blender over the size of Liu's curtain, with each linear solver and beside plain NumPy.

Liu, Bargteil, O'Brien, Kavan 2013, "Fast Simulation of Mass-Spring Systems", Table 1; theirs has 81^2 vertices.
"""

from dataclasses import replace
from functools import cache
from time import perf_counter

import numpy as np
from measuring.measure import median_seconds
from measuring.measured import Measured
from theory import courses, naive

from hooke.core import Simulation
from hooke.core.solvers.linear import backends

DT, ITERATIONS = 0.033, 10
SIDES = (33, 81, 101, 201, 317)


def curtain(side):
    """SpringNetwork of side^2 vertices with structural, shear and bending springs of one stiffness."""
    return replace(courses.sheet(side - 1), bending=1.0).network()


def _by_core(backend):
    return lambda network: Simulation(network, dt=DT, iterations=ITERATIONS, backend=backend)


def _by_numpy(ordering):
    return lambda network: naive.NaiveProjectiveDynamics(network, DT, ITERATIONS, ordering)


SOLVERS = {factor.name: _by_core(factor.name) for factor in backends()}
SOLVERS |= {f"plain NumPy, {name}": _by_numpy(ordering) for name, ordering in naive.ORDERINGS.items()}


@cache
def _measured(side, solver):
    """Positions after four steps [m], seconds to set up, and median ones of a step."""
    network = curtain(side)
    began = perf_counter()
    simulation = SOLVERS[solver](network)
    made = perf_counter() - began
    for _ in range(4):
        simulation.step()
    x = simulation.x if hasattr(simulation, "x") else simulation.state.x
    return x.copy(), made, median_seconds(simulation.step, budget=3.0, least=3)


def cells(side, solver):
    """Cells of a solver, whose positions and times are compared with those of the first."""
    (expected, _, first), (x, made, seconds) = _measured(side, next(iter(SOLVERS))), _measured(side, solver)
    off = np.abs(x - expected).max()
    times = f"{1e3 * seconds:.2f}", f"{1e3 * seconds / ITERATIONS:.3f}", f"{seconds / first:.2f}"
    return *times, f"{made:.3f}", f"{off:.0e}"


def tables(options):
    """Grids of up to three times as many vertices a side as the race has quads."""
    yield Measured(
        "core",
        "benchmark.md",
        ("grid", "solver", "ms a frame", "ms an iteration", "to the fastest", "factorise s", "off by m"),
        {
            (f"{side}²", name): (side, name)
            for side in SIDES
            if side <= max(33, 3.2 * options.quads)
            for name in SOLVERS
        },
        cells,
        f"Liu's curtain, {ITERATIONS} iterations of {1e3 * DT:.0f} ms a frame.",
        "Measured on {machine}.",
    )
