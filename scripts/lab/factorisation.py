# SPDX-License-Identifier: GPL-3.0-or-later
"""Dense against sparse factorisation, and a factor kept against one made at every step, over the size."""

import numpy as np
from measuring.measure import median_seconds
from measuring.measured import Measured
from measuring.page import significant
from scipy.linalg import cho_factor, cho_solve

from hooke.core import Simulation
from hooke.core.solvers import linear
from hooke.core.solvers.global_matrix import global_matrix

from .methods import FRAME, hanging_cloth

DENSE_SIDES = (11, 17, 25, 35, 49, 65)
SPARSE_SIDES = (*DENSE_SIDES, 101, 141, 201)
STEP_SIDES = (11, 17, 25, 35, 49, 65, 101)


class DenseFactor:
    """Cholesky factor of the matrix with all its zeros."""

    def __init__(self, matrix):
        self._factor = cho_factor(matrix.toarray(), lower=True)

    def solve(self, b):
        """x with matrix x = b, for b of shape (n, k)."""
        return cho_solve(self._factor, b)


SOLVERS = {"dense": DenseFactor, **{factor.name: factor for factor in linear.backends()}}


def solvers(side):
    """Cells: vertices, the times to factorise by every solver, and those to solve for x, y and z."""
    matrix = global_matrix(hanging_cloth(side), FRAME)
    b = np.random.default_rng(0).normal(size=(side * side, 3))
    times: list[list[str]] = [[], []]
    for name, solver in SOLVERS.items():
        if name == "dense" and side not in DENSE_SIDES:
            for column in times:
                column.append("–")
            continue
        factor = solver(matrix)
        times[0].append(_median(lambda solver=solver: solver(matrix)))
        times[1].append(_median(lambda factor=factor: factor.solve(b)))
    return side * side, *times[0], *times[1]


def steps(side):
    """Cells: vertices, and times of a step with the factor kept, made anew, and of linearised implicit Euler."""
    network = hanging_cloth(side)
    kept, newton = Simulation(network, dt=FRAME), Simulation(network, "IMPLICIT_EULER", dt=FRAME)
    matrix = global_matrix(network, FRAME)

    def each_step():
        linear.factorise(matrix)
        kept.step()

    found = []
    for run in (kept.step, each_step, newton.step):
        run()
        found.append(median_seconds(run, budget=0.2, least=3))
    times = [f"{significant(seconds * 1e3)} ms" for seconds in found]
    return side * side, *times, f"1 : {found[1] / found[0]:.1f}"


def _median(run):
    return f"{significant(1e3 * median_seconds(run, budget=0.2, least=3))} ms"


_BELOW = "Median processor times of one thread, {machine}."
TABLES = (
    Measured(
        "solvers",
        "integrators.md",
        ("Grid", "Vertices n", *(f"{what}, {name}" for what in ("factorise", "solve") for name in SOLVERS)),
        {f"{side}²": (side,) for side in SPARSE_SIDES},
        solvers,
        below=_BELOW,
    ),
    Measured(
        "steps",
        "integrators.md",
        (
            "Grid",
            "Vertices n",
            "Projective Dynamics, factor kept",
            "the same, factorised at every step",
            "Implicit Euler, 3n × 3n at every step",
            "kept : every step",
        ),
        {f"{side}²": (side,) for side in STEP_SIDES},
        steps,
        below=_BELOW,
    ),
)
