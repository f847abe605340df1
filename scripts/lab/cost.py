# SPDX-License-Identifier: GPL-3.0-or-later
"""What one step of every method costs on a hanging cloth, in counted work and in time."""

from collections import Counter

from measuring.measure import call_counts, median_seconds

from hooke.core import INTEGRATORS, Simulation, SpringNetwork, forces
from hooke.core.diagnostics import enough_substeps
from hooke.core.integrators import position_based
from hooke.core.solvers import linear
from hooke.core.solvers.tensions import Tensions

FRAME = 1.0 / 24.0
SIDE = 33

# What the counted functions are, in the words of the table.
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
    return SpringNetwork.grid(
        (side, side), 1.0 / (side - 1), stiffness=1e4, bending=1e3, mass=1.0, pins=[0, side - 1]
    )


def substeps_of(method, network):
    """Steps in a frame that the method needs to be stable; None where no step is."""
    return enough_substeps(network, method, FRAME)


def step_costs(network):
    """Counted work and median time [s] of a step of every method, as {id: (Counter by words, seconds)}."""
    costs = {}
    for id, method in INTEGRATORS.items():
        # A method that is stable at no step is timed at one too small to diverge within the measurement.
        substeps = substeps_of(method, network) or 100 * substeps_of(INTEGRATORS["VERLET"], network)
        simulation = Simulation(network, id, dt=FRAME / substeps)
        simulation.step()
        counts = call_counts(simulation.step, WORK)
        work: Counter[str] = Counter()
        for function, count in counts.items():
            work[WORK[function]] += count
        costs[id] = work, median_seconds(simulation.step, budget=0.4)
    return costs


def work_in_words(work):
    """Counted work as the table shows it."""
    order = dict.fromkeys(WORK.values())
    return ", ".join(f"{work[name]} {name}{'s' if work[name] > 1 else ''}" for name in order if name in work)
