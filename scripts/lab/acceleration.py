# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain and accelerated iterations of projective dynamics: error of one step over iterations and over time.

The protocol of Liu et al. 2013: a sheet of 1 m^2 and 1 kg, one step of 33 ms out of its motion.
"""

import time
from functools import cache

import numpy as np
from measuring.measured import Measured
from measuring.page import significant

from hooke.core import Simulation, SpringNetwork
from hooke.core.solvers.implicit_step import ImplicitStep

DT, GRAVITY = 0.033, np.array([0.0, 0.0, -9.81])
SPRINGS = {"structural": 2400.0, "shear": 2400.0, "bending": 300.0}
# Vertices along a side, and steps from rest to the state that is measured from: in the fall, and in the swing.
CASES = {"21² fall": (21, 3), "21² swing": (21, 25), "81² fall": (81, 3)}
COUNTS = (1, 2, 5, 10, 20, 50, 100, 200)
REFERENCE = 1500


def objective(network, state):
    """Callable x -> objective of the step from a state [J], and the position the iterations start from."""
    y = state.x + DT * state.v + DT**2 * GRAVITY
    y[network.hard_pins] = network.points[network.hard_pins]
    step = ImplicitStep(network, DT)
    rows, start = np.ascontiguousarray(y.T), np.ascontiguousarray(state.x.T)
    step.begin(rows, start, network.points[network.soft_pins])
    return lambda x: step.objective(np.ascontiguousarray(x.T))[0], y


def one_step(network, state, iterations, acceleration, repeats=1):
    """Positions after one step, and the least time [s] it took."""
    simulation = Simulation(network, dt=DT, iterations=iterations, acceleration=acceleration)
    seconds = []
    for _ in range(repeats):
        simulation.state = state
        began = time.perf_counter()
        simulation.step()
        seconds.append(time.perf_counter() - began)
    return simulation.state.x, min(seconds)


@cache
def curves(side, steps):
    """(errors, seconds) over COUNTS of plain iterations and of L-BFGS: how far the objective is above its minimum."""
    network = SpringNetwork.grid((side, side), 1.0 / (side - 1), **SPRINGS, mass=1.0, pins=[0, side - 1])
    simulation = Simulation(network, dt=DT, iterations=200, acceleration="LBFGS")
    for _ in range(steps):
        simulation.step()
    value, y = objective(network, simulation.state)
    least = value(one_step(network, simulation.state, REFERENCE, "LBFGS")[0])
    found = []
    for acceleration in ("NONE", "LBFGS"):
        rows = []
        for count in COUNTS:
            x, seconds = one_step(network, simulation.state, count, acceleration, max(3, 40 // count))
            rows.append(((value(x) - least) / (value(y) - least), seconds))
        found.append(np.array(rows).T)
    return found


def errors(number):
    """Cells of a count: for each case the error of plain iterations, of L-BFGS, and their ratio at equal time."""
    for case in CASES.values():
        (plain, plain_seconds), (accelerated, seconds) = curves(*case)
        in_time = np.exp(np.interp(np.log(seconds), np.log(plain_seconds), np.log(plain), left=np.nan))
        ratio = accelerated[number] / in_time[number]
        yield significant(plain[number])
        yield significant(accelerated[number])
        yield "–" if np.isnan(ratio) else f"{ratio:.2f}"


TABLES = (
    Measured(
        "acceleration",
        "integrators.md",
        ("Iterations", *(cell for case in CASES for cell in (f"{case}: plain", "L-BFGS", "at equal time"))),
        {str(count): (number,) for number, count in enumerate(COUNTS)},
        errors,
        below=f"Relative error of the objective, (E - E*)/(E₀ - E*), E* after {REFERENCE} iterations of L-BFGS; least "
        "of several wall times of one thread, {machine}.",
    ),
)
