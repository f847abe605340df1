# SPDX-License-Identifier: GPL-3.0-or-later
"""Liu's curtain beside ShapeOp, the C++ library of the method's authors, step by step in turns.

By turns, whatever else the machine does falls on both alike: the ratio of neighbouring steps is what is told. Both
alternate the same projection and solve; ShapeOp starts them from the last positions where Hooke starts from where the
vertices would fly, so their frames meet only with very many iterations: 0.03 mm apart after 20,000 on 81 vertices.
"""

from time import perf_counter

import numpy as np
from compas_shapeop._shapeop import SolverWrapper
from measuring.measured import Measured

from hooke.core import Simulation
from hooke.core.solvers.linear import backends

from .core import DT, ITERATIONS, curtain

SIDE = 81
# Steps before the first that is timed, and timed ones.
WARM_UP, TURNS = 5, 100
# Of what holds a vertex: pins are soft in ShapeOp.
PIN_WEIGHT = 1e8


def shapeop(network):
    """A step of all iterations, of the network in ShapeOp's dynamic mode without damping."""
    solver = SolverWrapper()
    solver.set_points(np.array(network.points.T, order="F"))
    for vertex in network.hard_pins.tolist():
        solver.add_closeness_constraint(vertex, PIN_WEIGHT)
    # A strain's weight is k L [N]: it is measured against the length.
    weights = (network.stiffness * network.rest_lengths).tolist()
    for (i, j), weight in zip(network.edges.tolist(), weights, strict=True):
        solver.add_edge_strain_constraint(i, j, weight, 1.0, 1.0)
    # Gravity is an acceleration here, and one mass is that of every vertex.
    solver.add_gravity_force(0.0, 0.0, -9.81)
    if not solver.initialize(True, float(network.masses[0]), 1.0, DT):
        raise RuntimeError("ShapeOp could not factorise the curtain")
    return lambda: solver.solve(ITERATIONS)


def beside(backend):
    """Cells: milliseconds of ShapeOp and of the core by turns, and the median and quartiles of their ratios."""
    network = curtain(SIDE)
    core = Simulation(network, dt=DT, iterations=ITERATIONS, backend=backend)
    steps = shapeop(network), core.step
    seconds = np.array([[_seconds(step) for step in steps] for _ in range(WARM_UP + TURNS)])[WARM_UP:]
    low, middle, high = np.quantile(seconds[:, 1] / seconds[:, 0], (0.25, 0.5, 0.75))
    return (
        *(f"{1e3 * each:.2f}" for each in np.median(seconds, axis=0)),
        f"{middle:.2f}",
        f"{low:.2f}–{high:.2f}",
    )


def _seconds(step):
    began = perf_counter()
    step()
    return perf_counter() - began


def tables(_options):
    """Hooke's core with every linear solver."""
    yield Measured(
        "shapeop",
        "benchmark.md",
        ("Hooke's core", "ShapeOp: ms a step", "Hooke: ms a step", "of ShapeOp's", "half of all turns"),
        {name: (name,) for name in ("AUTO", *(factor.name for factor in backends()))},
        beside,
        f"{SIDE}² vertices, {ITERATIONS} iterations, one thread each, {TURNS} steps in turns.",
        "Measured on {machine}.",
    )
