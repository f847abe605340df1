# SPDX-License-Identifier: GPL-3.0-or-later
"""L-BFGS directions against the two-loop recursion as the textbook writes it, and what they gain."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Simulation, SpringNetwork, State
from hooke.core.solvers.descent import LBFGS


def two_loop(pairs, inverse, g):
    """Nocedal and Wright 2006, algorithm 7.4: -H g from pairs (s, y), the oldest first."""
    q, alphas = g.copy(), []
    for s, y in reversed(pairs):
        alphas.append(s @ q / (s @ y))
        q -= alphas[-1] * y
    r = inverse @ q
    for (s, y), alpha in zip(pairs, reversed(alphas), strict=True):
        r += (alpha - y @ r / (s @ y)) * s
    return -r


@pytest.mark.parametrize("memory", [1, 3, 5])
def test_directions_are_those_of_the_two_loop_recursion(memory):
    rng = np.random.default_rng(5)
    factors = rng.normal(size=(2, 12, 12))
    inverse, hessian = (f @ f.T + np.eye(12) for f in factors)
    quasi_newton = LBFGS(12, memory)
    pairs, step = [], np.zeros(12)
    x = rng.normal(size=12)
    g = hessian @ x
    for _ in range(9):
        direction = quasi_newton.direction(g, inverse @ g, step)
        expected = two_loop(pairs[-memory:], inverse, g)
        assert_allclose(direction, expected, atol=1e-9 * np.abs(expected).max())
        # A step of any length along any direction makes a pair.
        step = rng.uniform(0.1, 1.0) * direction + 0.1 * rng.normal(size=12)
        x = x + step
        pairs.append((step, hessian @ step))
        g = hessian @ x


def test_a_step_without_curvature_is_not_remembered():
    quasi_newton = LBFGS(3)
    g = np.array([1.0, 2.0, 3.0])
    quasi_newton.direction(g, g, np.zeros(3))
    # The gradient falls along the step, as where a compressed spring buckles.
    direction = quasi_newton.direction(0.5 * g, 0.5 * g, g)
    assert_allclose(direction, -0.5 * g, rtol=1e-15)


def falling_sheet(damping, side=13):
    """A sheet of 1 m^2 and 1 kg held at two corners."""
    return SpringNetwork.grid(
        (side, side), 1.0 / (side - 1), stiffness=300.0, pins=[0, side - 1], damping=damping
    )


@pytest.mark.parametrize("damping", [0.0, 0.02])
def test_a_few_iterations_come_much_closer(damping):
    network = falling_sheet(damping)
    start = Simulation(network, dt=0.033, iterations=100)
    for _ in range(3):
        start.step()

    def end(iterations, acceleration):
        simulation = Simulation(network, dt=0.033, iterations=iterations, acceleration=acceleration)
        simulation.state = State(start.state.x, start.state.v)
        simulation.step()
        return simulation

    exact = end(400, "LBFGS")
    assert exact.integrator.residual() < 1e-6
    plain, accelerated = (
        np.linalg.norm(end(30, acceleration).state.x - exact.state.x) for acceleration in ("NONE", "LBFGS")
    )
    assert accelerated < 0.25 * plain
