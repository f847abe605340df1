# SPDX-License-Identifier: GPL-3.0-or-later
"""Dense against sparse factorisation, and a factor kept against one made at every step, over the size."""

import matplotlib.pyplot as plt
import numpy as np
from measuring import figures, machine
from measuring.measure import exponent, median_seconds
from measuring.page import significant, table, write_block
from scipy.linalg import cho_factor, cho_solve

from hooke.core import Simulation
from hooke.core.solvers import linear
from hooke.core.solvers.global_matrix import global_matrix

from .cost import FRAME, hanging_cloth

DENSE_SIDES = (11, 17, 25, 35, 49, 65)
SPARSE_SIDES = (*DENSE_SIDES, 101, 141, 201)
STEP_SIDES = (11, 17, 25, 35, 49, 65, 101)

NAMES = {
    "dense": "dense Cholesky (LAPACK)",
    "SUPERLU": "sparse LU (SuperLU)",
    "CHOLMOD": "sparse Cholesky (CHOLMOD)",
    "kept": "Projective Dynamics, factor kept",
    "each step": "the same, factorised at every step",
    "newton": "Implicit Euler, 3n × 3n at every step",
}
COLOURS = {
    "dense": "#c0152f",
    "SUPERLU": "#4aa3df",
    "CHOLMOD": "#0b5394",
    "kept": figures.COLOURS["PROJECTIVE_DYNAMICS"],
    "each step": "#8f8f8f",
    "newton": figures.COLOURS["IMPLICIT_EULER"],
}


class DenseFactor:
    """Cholesky factor of the matrix with all its zeros."""

    def __init__(self, matrix):
        self._factor = cho_factor(matrix.toarray(), lower=True)

    def solve(self, b):
        """x with matrix x = b, for b of shape (n, k)."""
        return cho_solve(self._factor, b)


def solver_times():
    """{solver: (vertex counts, seconds to factorise, seconds to solve for x, y and z)}."""
    solvers = {"dense": DenseFactor, **{factor.name: factor for factor in linear.backends()}}
    times: dict[str, list] = {name: [] for name in solvers}
    for side in SPARSE_SIDES:
        matrix = global_matrix(hanging_cloth(side), FRAME)
        b = np.random.default_rng(0).normal(size=(side * side, 3))
        for name, solver in solvers.items():
            if name == "dense" and side not in DENSE_SIDES:
                continue
            factor = solver(matrix)
            factorise = median_seconds(lambda m=matrix, s=solver: s(m), budget=0.2, least=3)
            solve = median_seconds(lambda f=factor, b=b: f.solve(b), budget=0.1, least=3)
            times[name].append((side * side, factorise, solve))
    return {name: tuple(np.array(rows).T) for name, rows in times.items()}


def step_times():
    """{treatment: (vertex counts, seconds)} of a step of a frame.

    Projective dynamics with ten iterations on a factor that is kept or made anew, and linearised implicit Euler.
    """
    times: dict[str, list] = {name: [] for name in ("kept", "each step", "newton")}
    for side in STEP_SIDES:
        network = hanging_cloth(side)
        kept = Simulation(network, dt=FRAME)
        newton = Simulation(network, "IMPLICIT_EULER", dt=FRAME)

        matrix = global_matrix(network, FRAME)

        def each_step(simulation=kept, matrix=matrix):
            linear.factorise(matrix)
            simulation.step()

        for name, run in (("kept", kept.step), ("each step", each_step), ("newton", newton.step)):
            run()
            times[name].append((side * side, median_seconds(run, budget=0.2, least=3)))
    return {name: tuple(np.array(rows).T) for name, rows in times.items()}


def growth(counts, seconds):
    """Exponent of the time over the number of vertices, fitted on the larger half of the sizes."""
    half = len(counts) // 2
    return exponent(counts[half:], seconds[half:])


def draw(solvers, steps):
    """Time over vertices: to factorise, to solve, to step; the fitted growth stands at each line."""
    figure, panels = plt.subplots(1, 3, figsize=(10.5, 3.5), sharey=True)
    factorising = {name: (counts, seconds) for name, (counts, seconds, _) in solvers.items()}
    solving = {name: (counts, seconds) for name, (counts, _, seconds) in solvers.items()}
    titles = "factorise once", "solve for x, y and z", "one step of a frame"
    for panel, title, lines in zip(panels, titles, (factorising, solving, steps), strict=True):
        last = max(counts[-1] for counts, _ in lines.values())
        panel.set(xscale="log", yscale="log", title=title, xlabel="vertices n")
        panel.set(xlim=(100, last), ylim=(0.005, 2e5))
        at_edge = []
        for place, (name, (counts, seconds)) in enumerate(lines.items()):
            colour, milliseconds = COLOURS[name], seconds * 1e3
            panel.plot(counts, milliseconds, color=colour, marker="o", markersize=3, clip_on=False)
            panel.text(0.03, 0.96 - 0.075 * place, NAMES[name], color=colour, transform=panel.transAxes)
            text = f"$n^{{{growth(counts, seconds):.1f}}}$"
            if counts[-1] == last:
                at_edge.append((milliseconds[-1], text, colour))
            else:
                end = counts[-1], milliseconds[-1]
                panel.annotate(text, end, (5, 2), textcoords="offset points", color=colour)
        figures.label_ends(panel, at_edge)
    panels[0].set_ylabel("time [ms]")
    figure.tight_layout(w_pad=1.5)
    figures.save(figure, "lab-factorisation.png")


def write_tables(solvers, steps):
    """The times behind the plot, in milliseconds."""
    write_block(
        "solvers",
        _solver_table(solvers) + f"\n\nMedian processor times of one thread, {machine.description()}.",
    )
    write_block(
        "steps", _step_table(steps) + f"\n\nMedian processor times of one thread, {machine.description()}."
    )


def _solver_table(solvers):
    header = ["Grid", "Vertices n"]
    header += [f"{what}, {name}" for what in ("factorise", "solve") for name in solvers]
    rows = []
    for side in SPARSE_SIDES:
        row = [f"{side}²", side * side]
        for kind in (1, 2):
            for columns in solvers.values():
                times = dict(zip(columns[0], columns[kind], strict=True))
                row.append(_milliseconds(times.get(side * side)))
        rows.append(row)
    fits = [f"n^{growth(columns[0], columns[kind]):.2f}" for kind in (1, 2) for columns in solvers.values()]
    return table(header, [*rows, ["growth", "", *fits]])


def _step_table(steps):
    header = ["Grid", "Vertices n", *(NAMES[name] for name in steps), "kept : every step"]
    rows = []
    for number, side in enumerate(STEP_SIDES):
        seconds = {name: columns[1][number] for name, columns in steps.items()}
        ratio = f"1 : {seconds['each step'] / seconds['kept']:.1f}"
        rows.append([f"{side}²", side * side, *(_milliseconds(value) for value in seconds.values()), ratio])
    fits = [f"n^{growth(*columns):.2f}" for columns in steps.values()]
    return table(header, [*rows, ["growth", "", *fits, ""]])


def _milliseconds(seconds):
    return "–" if seconds is None else f"{significant(seconds * 1e3)} ms"


def run():
    """Measure, draw and write."""
    solvers, steps = solver_times(), step_times()
    draw(solvers, steps)
    write_tables(solvers, steps)
