# SPDX-License-Identifier: GPL-3.0-or-later
"""All methods side by side: order, stability, energy and cost, one row for each integrator in the catalogue."""

from collections import Counter
from functools import cache

import numpy as np
from measuring.measure import call_counts, median_seconds, order
from measuring.measured import Measured
from measuring.page import significant
from scipy.integrate import solve_ivp
from theory.oscillator import FREQUENCY, SHOWN_STEPS, energies, measured_limit, measured_order

from hooke.core import INTEGRATORS, Simulation, SpringNetwork, State, forces
from hooke.core.diagnostics import enough_substeps
from hooke.core.integrators import position_based
from hooke.core.solvers import linear
from hooke.core.solvers.tensions import Tensions

FRAME, SIDE = 1.0 / 24.0, 33
# Of the damped net: how long it moves [s], and in how many steps.
DURATION, STEP_COUNTS = 0.2, (100, 200, 400)
# The counted functions, in the words of the table.
WORK = {
    forces.spring_forces: "force evaluation",
    Tensions.gradient: "force evaluation",
    linear.factorise: "factorisation",
    linear.CholmodFactor.solve: "solve",
    linear.SuperLUFactor.solve: "solve",
    position_based._project: "batch projection",
}


def hanging_cloth(side=SIDE):
    """A square cloth of 1 m and 1 kg, hung at two corners: side^2 vertices, springs of 10 kN/m."""
    springs = {"stiffness": 1e4, "bending": 1e3, "mass": 1.0}
    return SpringNetwork.grid((side, side), 1.0 / (side - 1), **springs, pins=[0, side - 1])


def step_cost(id, network):
    """Counted work of a step, a Counter by words, and its median time [s]."""
    # A method that is stable at no step is timed at one too small to diverge within the measurement.
    substeps = enough_substeps(network, INTEGRATORS[id], FRAME) or 100 * enough_substeps(
        network, INTEGRATORS["VERLET"], FRAME
    )
    simulation = Simulation(network, id, dt=FRAME / substeps)
    simulation.step()
    work: Counter[str] = Counter()
    for function, count in call_counts(simulation.step, WORK).items():
        work[WORK[function]] += count
    return work, median_seconds(simulation.step, budget=0.4)


@cache
def swinging_cube():
    """A 3 x 3 x 3 lattice of unequal masses and springs, damped, hung at one corner; its velocities at the start [m/s].

    And its positions after DURATION [m] by SciPy's DOP853 to a relative tolerance of 1e-12.
    """
    rng = np.random.default_rng(1)
    plain = SpringNetwork.lattice((3, 3, 3), 0.2)
    network = SpringNetwork(
        plain.points,
        plain.edges,
        masses=rng.uniform(0.1, 0.4, plain.vertex_count),
        stiffness=rng.uniform(10.0, 40.0, plain.spring_count),
        rest_lengths=plain.rest_lengths,
        damping=rng.uniform(0.0, 0.2, plain.spring_count),
        pins=[0],
    )
    v = rng.normal(0.0, 0.3, network.points.shape)
    v[0] = 0.0
    system = Simulation(network, "SYMPLECTIC_EULER", dt=DURATION).system

    def rates(t, flat):
        x, v = flat.reshape(2, -1, 3)
        return np.concatenate([v.ravel(), system.accelerations(x, v, t).ravel()])

    start = np.concatenate([network.points.ravel(), v.ravel()])
    solution = solve_ivp(rates, (0.0, DURATION), start, method="DOP853", rtol=1e-12, atol=1e-13)
    return network, v, solution.y[: v.size, -1].reshape(-1, 3)


def order_on_net(integrator):
    """Order on the swinging cube."""
    network, v, exact = swinging_cube()
    errors = []
    for count in STEP_COUNTS:
        simulation = Simulation(network, integrator, dt=DURATION, substeps=count)
        simulation.state = State(network.points, v, 0.0)
        simulation.step()
        errors.append(np.abs(simulation.state.x - exact).max())
    return order([DURATION / count for count in STEP_COUNTS], errors)


def row(id):
    """Cells of a method."""
    method, network, energy = INTEGRATORS[id], hanging_cloth(), energies(id)
    work, seconds = step_cost(id, network)
    substeps = enough_substeps(network, method, FRAME)
    return (
        method.order or "–",
        f"{measured_order(id):.2f}",
        f"{order_on_net(id):.2f}",
        _limit(method.stability_limit),
        _limit(measured_limit(id)),
        f"{significant(energy.min(), 3)} … {significant(energy.max(), 3)}",
        ", ".join(
            f"{work[name]} {name}{'s' if work[name] > 1 else ''}"
            for name in dict.fromkeys(WORK.values())
            if work[name]
        ),
        f"{significant(seconds * 1e3)} ms",
        substeps or "–",
        f"{significant(substeps * seconds * 1e3)} ms" if substeps else "–",
    )


def _limit(limit):
    """A limit of w dt in words."""
    return "never" if limit == 0.0 else "always" if np.isinf(limit) else f"{limit:.3f}"


METHODS = {method.label: (id,) for id, method in INTEGRATORS.items()}
TABLES = (
    Measured(
        "methods",
        "integrators.md",
        (
            "Method",
            "Order: stated",
            "oscillator",
            "damped net",
            "Largest ω dt: theory",
            "measured",
            "E/E0 in 8 periods",
            "Work of a step",
            "Time of a step",
            "Steps a frame",
            "Time of a frame",
        ),
        METHODS,
        row,
        below="Median processor times of one thread, {machine}; cloth of 1089 vertices and 6206 springs, steps a frame "
        f"of 1/24 s as `enough_substeps` says. Energies at ω dt = {FREQUENCY / SHOWN_STEPS:.2f}.",
    ),
    Measured(
        "uses",
        "integrators.md",
        ("Method", "In the sidebar's words"),
        METHODS,
        lambda id: [INTEGRATORS[id].description],
        right=False,
    ),
)
