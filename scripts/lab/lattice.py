# SPDX-License-Identifier: GPL-3.0-or-later
"""What each level of springs does for a lattice's shape and cost, and the largest step each method survives."""

import numpy as np
from measuring import machine
from measuring.measure import largest, median_seconds
from measuring.page import table, write_block
from scipy.linalg import eigvalsh
from scipy.sparse.csgraph import connected_components
from scipy.spatial.transform import Rotation

from hooke.core import INTEGRATORS, SimulationDiverged, forces
from hooke.core.diagnostics import enough_substeps, stable_dt

from .dropped_lattice import (
    DAMPING,
    FPS,
    MASS,
    REACHES,
    SECONDS,
    STIFFNESS,
    falling,
    lattice,
    rest_lengths_in_words,
)
from .stability import largest_of_mode

# A lattice whose springs are this much longer or shorter has not survived.
LARGEST_STRAIN = 2.0


def zero_modes(network):
    """Number of motions that stretch no spring to first order; a rigid body has 6."""
    stiffness = forces.stiffness_matrix(network, network.points).toarray()
    eigenvalues = eigvalsh(stiffness)
    return int(np.count_nonzero(eigenvalues < 1e-9 * eigenvalues[-1]))


def parts(network):
    """Number of pieces that no spring joins."""
    incidence = network.incidence.matrix()
    return int(connected_components(incidence.T @ incidence)[0])


def deviation(network, x):
    """Root mean square distance [m] of x from the shape at rest, moved and turned to fit best."""
    at_rest = network.points - network.points.mean(axis=0)
    now = x - x.mean(axis=0)
    turn, _ = Rotation.align_vectors(now, at_rest)
    return float(np.sqrt(np.mean(np.sum((now - turn.apply(at_rest)) ** 2, axis=1))))


def compare_levels():
    """Rows of the table: springs, free motions and cost of each reach, and its shape after the fall."""
    rows = []
    for levels in REACHES:
        network, simulation = lattice(levels), falling(levels)
        frame = median_seconds(simulation.step, budget=0.0, least=SECONDS * FPS)
        x = simulation.state.x
        substeps = enough_substeps(network, INTEGRATORS["VERLET"], 1.0 / FPS)
        explicit = falling(levels, "VERLET", substeps=substeps)
        explicit_frame = median_seconds(explicit.step, budget=0.3)
        rows.append(
            [
                rest_lengths_in_words(levels),
                network.spring_count,
                parts(network),
                zero_modes(network) - 6 * parts(network),
                f"{np.ptp(x[:, 2]):.2f} m",
                f"{deviation(network, x) * 100:.1f} cm",
                f"{frame * 1e3:.1f} ms",
                f"{explicit_frame * 1e3:.1f} ms ({substeps})",
            ]
        )
    return rows


LEVELS_HEADER = [
    "Rest lengths",
    "Springs",
    "Parts",
    "Free motions",
    "Height after",
    "Deviation",
    "Projective Dynamics",
    "Verlet (substeps)",
]


def survives(integrator, dt):
    """Whether the lattice with all levels, stepped with dt [s], falls for a second and stays whole."""
    simulation = falling(REACHES[-1], integrator, dt=dt, substeps=1)
    try:
        for _ in range(int(np.ceil(1.0 / dt))):
            simulation.step()
    except SimulationDiverged:
        return False
    return simulation.diagnostics()["largest_strain"] < LARGEST_STRAIN


def fastest_mode(network):
    """Angular frequency [rad/s] and damping rate [1/s] of the fastest motion at rest, from the eigenvalues.

    Stiffness and damping are in one proportion in all springs, and so are they in every mode.
    """
    stiffness = forces.stiffness_matrix(network, network.points).toarray()
    square = eigvalsh(stiffness, subset_by_index=[len(stiffness) - 1] * 2)[0] / MASS
    return float(np.sqrt(square)), float(square * DAMPING / STIFFNESS)


def largest_steps():
    """Rows of the table: the largest step that each method survives, and what theory promises."""
    network, rows = lattice(REACHES[-1]), []
    frequency, rate = fastest_mode(network)
    frame = 1.0 / FPS
    for id, method in INTEGRATORS.items():
        expected = largest_of_mode(id, frequency, rate, frame)
        measured = largest(
            lambda dt, id=id: survives(id, dt), min(expected, frame) / 4, frame, precision=0.01
        )
        safe = stable_dt(network, method.stability_limit, method.damping_limit)
        rows.append([method.label, *(_step_in_words(step) for step in (expected, measured, safe))])
    return rows


def _step_in_words(step):
    if step == 0.0:
        return "none"
    return "every step" if np.isinf(step) else f"{step * 1e3:.2f} ms"


STEPS_HEADER = ["Method", "Fastest mode, theory", "Survived the fall", "Shown in the sidebar"]


def run():
    """Measure and write both tables."""
    levels = table(LEVELS_HEADER, compare_levels())
    network = lattice(REACHES[-1])
    note = (
        f"{network.vertex_count} particles. Height and deviation are those after {SECONDS} s. Times: median "
        f"processor times of one thread for a frame of 1/{FPS} s, {machine.description()}."
    )
    write_block("levels", f"{levels}\n\n{note}")
    frequency, rate = fastest_mode(network)
    note = f"The fastest mode has ω = {frequency:.0f} rad/s and is damped at {rate:.0f} /s."
    write_block("largest-steps", f"{table(STEPS_HEADER, largest_steps())}\n\n{note}")
