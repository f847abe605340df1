# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain and accelerated iterations of projective dynamics: error of one step over iterations and over time."""

import time

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import NullFormatter
from measuring import figures, machine
from measuring.page import significant, table, write_block

from hooke.core import Simulation, SpringNetwork
from hooke.core.solvers.implicit_step import ImplicitStep

# The protocol of Liu et al. 2013: a sheet of 1 m^2 and 1 kg, one step of 33 ms out of its motion.
DT = 0.033
GRAVITY = np.array([0.0, 0.0, -9.81])
SIDES = (21, 81)
STRUCTURAL, BENDING = 2400.0, 300.0
# Steps from rest to the state that is measured from: in the fall, and in the swing.
STATES = {"fall": 3, "swing": 25}
COUNTS = (1, 2, 5, 10, 20, 50, 100, 200)
REFERENCE = 1500

NAMES = {"NONE": "plain", "LBFGS": "L-BFGS"}
COLOURS = {"NONE": "#8f8f8f", "LBFGS": figures.COLOURS["PROJECTIVE_DYNAMICS"]}


def sheet(side):
    """The sheet, held at two corners: structural, shear and bending springs."""
    springs = {"structural": STRUCTURAL, "shear": STRUCTURAL, "bending": BENDING}
    return SpringNetwork.grid((side, side), 1.0 / (side - 1), **springs, mass=1.0, pins=[0, side - 1])


def state_in_motion(network, steps):
    """State after so many nearly converged steps."""
    simulation = Simulation(network, dt=DT, iterations=200, acceleration="LBFGS")
    for _ in range(steps):
        simulation.step()
    return simulation.state


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


def curves(side, steps):
    """{acceleration: (relative errors, seconds)} over COUNTS, of the objective above its minimum."""
    network = sheet(side)
    state = state_in_motion(network, steps)
    value, y = objective(network, state)
    least = value(one_step(network, state, REFERENCE, "LBFGS")[0])
    height = value(y) - least
    measured = {}
    for acceleration in NAMES:
        rows = []
        for count in COUNTS:
            x, seconds = one_step(network, state, count, acceleration, repeats=max(3, 40 // count))
            rows.append(((value(x) - least) / height, seconds))
        measured[acceleration] = np.array(rows).T
    return measured


def at_equal_time(measured):
    """Error of L-BFGS over the plain iterations' in the same time, by count of L-BFGS; nan before their first."""
    (plain, plain_seconds), (accelerated, seconds) = measured["NONE"], measured["LBFGS"]
    logarithm = np.interp(np.log(seconds), np.log(plain_seconds), np.log(plain), left=np.nan)
    return accelerated / np.exp(logarithm)


def draw(results):
    """Error over iterations and over time, one row of panels a sheet, in the fall."""
    figure, panels = plt.subplots(len(SIDES), 2, figsize=(8.4, 5.6), sharey="row")
    for row, side in zip(panels, SIDES, strict=True):
        for acceleration, (errors, seconds) in results[side, "fall"].items():
            style = {"color": COLOURS[acceleration], "marker": "o", "markersize": 3}
            row[0].plot(COUNTS, errors, **style)
            row[1].plot(1e3 * seconds, errors, **style)
            for panel, end in ((row[0], COUNTS[-1]), (row[1], 1e3 * seconds[-1])):
                name = NAMES[acceleration]
                panel.annotate(
                    name, (end, errors[-1]), (5, -2), textcoords="offset points", color=style["color"]
                )
        row[0].set(title=f"{side}² vertices", xlabel="iterations", ylabel="relative error of the objective")
        row[1].set(title="the same over wall time", xlabel="time of the step [ms]")
        for panel in row:
            panel.set(xscale="log", yscale="log")
            panel.xaxis.set_minor_formatter(NullFormatter())
    figure.tight_layout(w_pad=2.0)
    figures.save(figure, "lab-acceleration.png")


def write_table(results):
    """Errors at every count, and their ratio at equal time."""
    header = ["Iterations"]
    rows = [[count] for count in COUNTS]
    for (side, name), measured in results.items():
        header += [f"{side}² {name}: plain", "L-BFGS", "at equal time"]
        for row, plain, accelerated, ratio in zip(
            rows, measured["NONE"][0], measured["LBFGS"][0], at_equal_time(measured), strict=True
        ):
            row += [significant(plain), significant(accelerated), "–" if np.isnan(ratio) else f"{ratio:.2f}"]
    note = (
        f"Relative error of the objective, (E - E*)/(E₀ - E*), E* after {REFERENCE} iterations of L-BFGS; least "
        f"of several wall times of one thread, {machine.description()}."
    )
    write_block("acceleration", table(header, rows) + "\n\n" + note)


def run():
    """Measure, draw and write."""
    cases = [(side, name) for side in SIDES for name in STATES if side == SIDES[0] or name == "fall"]
    results = {(side, name): curves(side, STATES[name]) for side, name in cases}
    draw(results)
    write_table(results)
