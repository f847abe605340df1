# SPDX-License-Identifier: GPL-3.0-or-later
"""How true every effort is: distance to the explicit reference, stretch and time on every course of the race."""

from time import process_time

import numpy as np
from benchmark.reference import frames
from measuring.measured import Measured
from theory.courses import COURSES, FPS, distance

from hooke.core import Simulation
from hooke.core.effort import EFFORTS

QUADS = 30
# What is compared with the efforts: Standard's time spent on plain iterations.
PLAIN = {"substeps": 5, "iterations": 1}
# Converged is a reference itself.
PLAYED = {effort.label: effort.settings for effort in EFFORTS.values() if not effort.tolerance}
CASES = {**PLAYED, "5 × 1 plain": PLAIN}


def measured(course, settings):
    """Cells of a row: milliseconds, distances, stretches and the share of stiffness that is in effect."""
    expected = frames(course, FPS)
    simulation = Simulation(course.network(), dt=1.0 / FPS, **settings)
    found, spent = [], []
    for _ in range(FPS):
        began = process_time()
        simulation.step(course.pin_targets)
        spent.append(process_time() - began)
        found.append(simulation.state.x)
    stretches = np.array([course.stretches(x) for x in found])
    apart = [distance(found[n - 1], expected[n - 1]) / course.size for n in (FPS // 2, FPS)]
    return (
        f"{1e3 * np.median(spent):.1f}",
        *(f"{value:.3f}" for value in apart),
        f"{100.0 * stretches.max():.1f} %",
        f"{100.0 * stretches.mean():.3f} %",
        f"{100.0 * simulation.integrator.stiffness_share().mean():.0f} %",
    )


TABLES = (
    Measured(
        "efforts",
        "solver_figures.md",
        ("course", "effort", "ms", "0.5 s", "1 s", "worst", "mean stretch", "stiffness carried"),
        {
            (name, label): (course(QUADS), how)
            for name, course in COURSES.items()
            for label, how in CASES.items()
        },
        measured,
        f"Springs of {QUADS} × {QUADS} quads, without air; distance (RMS) to the reference, Verlet at its stable step, "
        "in m, over the size of the course; stretch of edges within the first second; processor time of a frame.",
    ),
)
