# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit steps in air that has inertia, against dense algebra and double precision."""

import numpy as np
import pytest

from hooke.core import State
from hooke.core.air import ReactiveAir
from hooke.core.bodies import Cloth
from hooke.core.kernels import CHOSEN
from hooke.core.solvers.conjugate_gradients import ConjugateGradients
from hooke.core.solvers.global_matrix import global_matrix
from hooke.core.solvers.implicit_step import ImplicitStep
from hooke.core.solvers.kept_factor import KeptFactor
from hooke.core.solvers.kept_solve import KeptSolve
from hooke.core.solvers.single_gradients import SingleGradients

from .flags import flag, pure

pytest.importorskip("scipy")


def in_air(network, dt, few=False):
    """An ImplicitStep in air, linearised where the network is crumpled, its gradient, its factor, and the air."""
    body = Cloth(network)
    air = ReactiveAir([pure(5.0).on(body).flow])
    problem = ImplicitStep(network, dt, airs=(air,))
    x = network.points + np.random.default_rng(3).normal(scale=0.01, size=network.points.shape)
    air.begin(State(x, np.zeros_like(x)), dt)
    x = np.ascontiguousarray(x.T)
    problem.begin(x + 0.001, x, network.points[network.soft_pins])
    return problem, x, KeptFactor(network, dt, "AUTO", few=few), air


def test_the_kept_matrix_has_the_mass_of_the_air_in_all_directions():
    network, _tip = flag(6, 4)
    problem, x, factor, air = in_air(network, 0.02)
    columns = air.columns / problem.dt
    dense = global_matrix(network, problem.dt).toarray() + columns @ columns.T
    g = problem.gradient(x).copy()
    found = KeptSolve(factor, problem, (air,))(g)
    expected = np.linalg.solve(dense, g.T).T
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("iterations", (1, 3, 8))
def test_gradients_in_single_precision_know_the_air(iterations):
    if CHOSEN.library is None:
        pytest.skip(CHOSEN.reason)
    network, _tip = flag(18, 12)
    problem, x, factor, air = in_air(network, 0.02, few=True)
    g = problem.gradient(x, linearise=True).copy()
    found = SingleGradients(problem, factor.single, (air,)).direction(g, iterations).copy()
    problem.gradient(x, linearise=True)
    solve = KeptSolve(factor, problem, (air,))
    expected, _ = ConjugateGradients(x.shape, solve, bounded=False).direction(g, problem.product, iterations)
    # Rounding grows from iteration to iteration; eight leave a hundredth of what there was.
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-3 * np.abs(expected).max())
    left = problem.product(found, np.empty_like(x)) + g
    assert np.sum(left * solve(left)) < 0.9 * np.sum(g * solve(g).copy())
