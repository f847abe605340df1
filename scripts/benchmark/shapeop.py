# SPDX-License-Identifier: GPL-3.0-or-later
"""Subject `shapeop`: Liu's curtain by Hooke's core and by ShapeOp, a C++ library, step by step in turns.

By turns, whatever else the machine does falls on both alike: the ratio of neighbouring steps is what is told. Both
alternate the same projection and solve; ShapeOp starts them from the last positions where Hooke starts from where the
vertices would fly, so their frames meet only with very many iterations: 0.03 mm apart after 20,000 on 81 vertices.
"""

from time import perf_counter

import numpy as np
from compas_shapeop._shapeop import SolverWrapper

from hooke.core import Simulation
from hooke.core.solvers.linear import backends

from . import curtain

SIDE = 81
# Steps before the first that is timed, and timed ones.
WARM_UP, TURNS = 5, 100
# What holds a vertex: pins are soft in ShapeOp.
PIN_WEIGHT = 1e8


class ShapeOp:
    """The network in ShapeOp's dynamic mode, without damping."""

    def __init__(self, network):
        self.solver = SolverWrapper()
        self.solver.set_points(np.array(network.points.T, order="F"))
        for vertex in network.hard_pins.tolist():
            self.solver.add_closeness_constraint(vertex, PIN_WEIGHT)
        # A strain's weight is k L [N]: it is measured against the length.
        weights = (network.stiffness * network.rest_lengths).tolist()
        for (i, j), weight in zip(network.edges.tolist(), weights, strict=True):
            self.solver.add_edge_strain_constraint(i, j, weight, 1.0, 1.0)
        # Gravity is an acceleration here, and one mass is that of every vertex.
        self.solver.add_gravity_force(0.0, 0.0, -9.81)
        if not self.solver.initialize(True, float(network.masses[0]), 1.0, curtain.DT):
            raise RuntimeError("ShapeOp could not factorise the curtain")

    def step(self):
        """One step of all iterations."""
        self.solver.solve(curtain.ITERATIONS)


def run(_options):
    """Time them by turns; returns both times and their ratio."""
    network = curtain.network(SIDE)
    theirs = ShapeOp(network)
    contestants = {
        f"Hooke's core, {backend}": Simulation(
            network, dt=curtain.DT, iterations=curtain.ITERATIONS, backend=backend
        )
        for backend in ("AUTO", *(factor.name for factor in backends()))
    }
    steps = [theirs.step, *(simulation.step for simulation in contestants.values())]
    seconds = np.array([[_seconds(step) for step in steps] for _ in range(WARM_UP + TURNS)])[WARM_UP:]
    rows = []
    for column, name in enumerate(contestants, start=1):
        ratios = seconds[:, column] / seconds[:, 0]
        rows.append(
            {
                "name": name,
                "ms": 1e3 * float(np.median(seconds[:, column])),
                "ratio": float(np.median(ratios)),
                "quartiles": np.quantile(ratios, (0.25, 0.75)).tolist(),
            }
        )
        print(f"  {name}: {rows[-1]['ratio']:.2f} of ShapeOp", flush=True)
    return {"shapeop_ms": 1e3 * float(np.median(seconds[:, 0])), "rows": rows}


def _seconds(step):
    began = perf_counter()
    step()
    return perf_counter() - began


def tables(results):
    """(title, headings, rows of text) of everything measured."""
    rows = [("ShapeOp", f"{results['shapeop_ms']:.2f}", "1", "")]
    for row in results["rows"]:
        low, high = row["quartiles"]
        rows.append(
            (
                row["name"],
                f"{row['ms']:.2f}",
                f"{row['ratio']:.2f}",
                f"{low:.2f}–{high:.2f}",
            )
        )
    yield (
        f"Liu's curtain of {SIDE}² vertices, {curtain.ITERATIONS} iterations, one thread each, {TURNS} steps in turns",
        ("", "ms a step", "of ShapeOp's", "half of all turns"),
        rows,
    )
