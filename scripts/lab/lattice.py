# SPDX-License-Identifier: GPL-3.0-or-later
"""What each level of springs does for a lattice's shape and cost, and the largest step each method survives.

A tilted box of particles falls on a floor.
"""

from functools import cache
from itertools import combinations

import numpy as np
from measuring.measure import largest, median_seconds
from measuring.measured import Measured
from scipy.spatial.transform import Rotation
from theory.lattices import DAMPING, MASS, STIFFNESS, deviation, fastest_mode, parts, zero_modes
from theory.oscillator import largest_of_mode

from hooke.core import INTEGRATORS, Simulation, SimulationDiverged, SpringNetwork, State
from hooke.core.contacts import Plane
from hooke.core.diagnostics import enough_substeps, stable_dt
from hooke.core.topology import LATTICE_LEVELS

SHAPE, SPACING = (6, 6, 6), 0.2
TILT, HEIGHT = Rotation.from_euler("xyz", [28.0, 17.0, 0.0], degrees=True), 0.4
# By then every box has come to rest.
FPS, SECONDS = 24, 6
# Every choice of levels: 1, sqrt 2 and sqrt 3 times the spacing, each on or off.
REACHES = tuple(levels for count in (1, 2, 3) for levels in combinations(LATTICE_LEVELS, count))
ROOTS = dict(zip(LATTICE_LEVELS, ("1", "√2", "√3"), strict=True))
# A lattice whose springs are this much longer or shorter has not survived.
LARGEST_STRAIN = 2.0


def lattice(levels):
    """The network at rest, not tilted."""
    made_of = {"masses": MASS, "stiffness": STIFFNESS, "damping": DAMPING}
    return SpringNetwork.lattice(SHAPE, SPACING, reach=levels, **made_of)


def falling(levels, integrator="PROJECTIVE_DYNAMICS", *, dt=1.0 / FPS, substeps=4):
    """Simulation of a lattice that hangs tilted above the floor at z = 0 and is let go."""
    network = lattice(levels)
    simulation = Simulation(network, integrator, dt=dt, substeps=substeps, contacts=[Plane(friction=0.5)])
    x = TILT.apply(network.points - network.points.mean(axis=0))
    x[:, 2] += HEIGHT - x[:, 2].min()
    simulation.state = State(x, np.zeros_like(x), 0.0)
    return simulation


def of_levels(levels):
    """Cells of a reach: springs, free motions and cost, and its shape after the fall."""
    network, simulation = lattice(levels), falling(levels)
    frame = median_seconds(simulation.step, budget=0.0, least=SECONDS * FPS)
    x = simulation.state.x
    substeps = enough_substeps(network, INTEGRATORS["VERLET"], 1.0 / FPS)
    explicit_frame = median_seconds(falling(levels, "VERLET", substeps=substeps).step, budget=0.3)
    return (
        network.spring_count,
        parts(network),
        zero_modes(network) - 6 * parts(network),
        f"{np.ptp(x[:, 2]):.2f} m",
        f"{deviation(network, x) * 100:.1f} cm",
        f"{frame * 1e3:.1f} ms",
        f"{explicit_frame * 1e3:.1f} ms ({substeps})",
    )


def survives(integrator, dt):
    """Whether the lattice with all levels, stepped with dt [s], falls for a second and stays whole."""
    simulation = falling(REACHES[-1], integrator, dt=dt, substeps=1)
    try:
        for _ in range(int(np.ceil(1.0 / dt))):
            simulation.step()
    except SimulationDiverged:
        return False
    return simulation.diagnostics()["largest_strain"] < LARGEST_STRAIN


@cache
def _fastest_of_all():
    return fastest_mode(lattice(REACHES[-1]))


def largest_step(id):
    """Cells of a method: the largest step by theory, the one that survives the fall, and the sidebar's."""
    method, frame = INTEGRATORS[id], 1.0 / FPS
    frequency, rate = _fastest_of_all()
    expected = largest_of_mode(id, frequency, rate, frame)
    measured = largest(lambda dt: survives(id, dt), min(expected, frame) / 4, frame, precision=0.01)
    safe = stable_dt(lattice(REACHES[-1]), method.stability_limit, method.damping_limit)
    for step in (expected, measured, safe):
        yield "none" if step == 0.0 else "every step" if np.isinf(step) else f"{step * 1e3:.2f} ms"


TABLES = (
    Measured(
        "levels",
        "integrators.md",
        (
            "Rest lengths",
            "Springs",
            "Parts",
            "Free motions",
            "Height after",
            "Deviation",
            "Projective Dynamics",
            "Verlet (substeps)",
        ),
        {" ".join(ROOTS[level] for level in levels): (levels,) for levels in REACHES},
        of_levels,
        below=f"216 particles. Height and deviation are those after {SECONDS} s. Times: median processor times of one "
        f"thread for a frame of 1/{FPS} s, {{machine}}.",
    ),
    Measured(
        "largest-steps",
        "integrators.md",
        ("Method", "Fastest mode, theory", "Survived the fall", "Shown in the sidebar"),
        {method.label: (id,) for id, method in INTEGRATORS.items()},
        largest_step,
        below="The fastest mode has ω = 552 rad/s and is damped at 153 /s.",
    ),
)
