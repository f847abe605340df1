# SPDX-License-Identifier: GPL-3.0-or-later
"""Projective dynamics against two implementations that share nothing with core but the network's arrays.

`classical_step` is the textbook local/global form with dense matrices: the global step solves for positions,
the pinned unknowns are eliminated by partitioning. `objective` is what the iterations descend, handed to
scipy.optimize; with damping the condition is backward Euler's equations, handed to a root finder.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import optimize

from hooke.core import Simulation, SpringNetwork, State
from hooke.core.kernels.lanes import VERTICES

from .plain_projective_dynamics import PlainProjectiveDynamics

DT = 0.04
G = np.array([0.0, 0.0, -9.81])


class Drag:
    """External force that depends on velocity and time."""

    def __call__(self, x, v, t):
        return 0.3 * (np.array([np.sin(5 * t), 0.0, 0.0]) - v)


def incidence_matrix(network):
    a = np.zeros((len(network.edges), len(network.points)))
    rows = np.arange(len(network.edges))
    a[rows, network.edges[:, 0]], a[rows, network.edges[:, 1]] = 1.0, -1.0
    return a


def inertial_position(network, state, force=None):
    m = network.masses[:, None]
    f = m * G if force is None else m * G + force(state.x, state.v, state.t)
    return state.x + DT * state.v + DT**2 * f / m


def classical_step(network, state, targets, iterations, force=None):
    """State after DT. targets: of all vertices, (n, 3); only those of the pins count."""
    a, m = incidence_matrix(network), network.masses[:, None]
    k, mu = network.stiffness[:, None], network.damping[:, None]
    hard = network.pins == 1.0
    w = np.where(hard, 0.0, network.pins * network.pin_stiffness)[:, None]
    s = np.diag((m / DT**2 + w)[:, 0]) + a.T @ ((k + mu / DT) * a)
    y = inertial_position(network, state, force)
    x = np.where(hard[:, None], targets, y)
    for _ in range(iterations):
        u = a @ x
        lengths = np.linalg.norm(u, axis=1, keepdims=True)
        n = np.divide(u, lengths, out=np.zeros_like(u), where=lengths > 0)
        d = network.rest_lengths[:, None] * n
        moved = u - a @ state.x
        p = moved - np.sum(moved * n, axis=1, keepdims=True) * n
        b = m * y / DT**2 + a.T @ (k * d) + a.T @ (mu / DT * (a @ state.x + p)) + w * targets
        b_free = b[~hard] - s[np.ix_(~hard, hard)] @ targets[hard]
        x[~hard] = np.linalg.solve(s[np.ix_(~hard, ~hard)], b_free)
    return State(x, (x - state.x) / DT, state.t + DT)


def moving_targets(network, t):
    """All pins swing, each on its own path."""
    phase = np.arange(network.vertex_count)[:, None]
    return (
        network.points + 0.2 * np.sin(3 * t + phase) * [1.0, 0.5, -1.0] - 0.2 * np.sin(phase) * [1, 0.5, -1]
    )


@pytest.fixture(params=["CHOLMOD", "SUPERLU"])
def backend(request):
    if request.param == "CHOLMOD":
        pytest.importorskip("cholespy", reason="cholespy is not installed")
    return request.param


@pytest.mark.parametrize("damping", [0.0, 0.8])
@pytest.mark.parametrize("iterations", [1, 2, 5, 10])
def test_agrees_with_the_classical_form(taut_net, kicked, backend, iterations, damping):
    network = taut_net(damping=damping)
    simulation = Simulation(network, dt=DT, forces=[Drag()], iterations=iterations, backend=backend)
    simulation.state = state = State(network.points, kicked(network), 0.0)
    assert simulation.integrator.backend_name == backend
    for frame in range(1, 6):
        targets = moving_targets(network, frame * DT)
        simulation.step(targets)
        state = classical_step(network, state, targets, iterations, Drag())
        assert_allclose(simulation.state.x, state.x, rtol=0, atol=1e-10)
        assert_allclose(simulation.state.v, state.v, rtol=0, atol=1e-10 / DT)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("shuffled", [False, True])
def test_large_networks_agree_with_the_plain_form(backend, shuffled):
    # More springs than a slice of sums holds, with vertices in the order of the rows, and in none.
    side = 77
    indices = np.arange(side * side).reshape(side, side)
    if shuffled:
        indices = np.random.default_rng(8).permutation(side * side).reshape(side, side)
    pairs = [
        (indices[a:, b:], indices[: side - a, : side - b])
        for a, b in ((1, 0), (0, 1), (1, 1), (2, 0), (0, 2))
    ]
    pairs.append((indices[1:, :-1], indices[:-1, 1:]))
    edges = np.concatenate([np.column_stack([one.ravel(), other.ravel()]) for one, other in pairs])
    points = np.zeros((side * side, 3))
    points[indices.ravel(), 0], points[indices.ravel(), 1] = np.divmod(np.arange(side * side), side)
    points *= 1.0 / side
    points[:, 2] = np.random.default_rng(9).uniform(-0.002, 0.002, side * side)
    pins = np.zeros(side * side)
    pins[indices[0, [0, -1]]] = 1.0
    network = SpringNetwork(points, edges, masses=1.0 / side**2, stiffness=2e3, pins=pins)
    assert network.vertex_count > 2 * VERTICES
    simulation = Simulation(network, dt=DT, iterations=3, backend=backend)
    plain = PlainProjectiveDynamics(network, DT, 3)
    x, v = points, np.zeros_like(points)
    for _ in range(4):
        simulation.step()
        x, v = plain.step(x, v)
        assert_allclose(simulation.state.x, x, rtol=0, atol=1e-10)
    assert np.abs(x - points).max() > 0.03


def test_backends_agree(taut_net, kicked):
    pytest.importorskip("cholespy", reason="cholespy is not installed")
    network = taut_net(damping=0.8)
    ends = []
    for name in ("CHOLMOD", "SUPERLU"):
        simulation = Simulation(network, dt=DT, backend=name)
        simulation.state = State(network.points, kicked(network), 0.0)
        for _ in range(10):
            simulation.step()
        ends.append(simulation.state.x)
    assert_allclose(*ends, rtol=0, atol=1e-12)


def free_positions(network, targets):
    """Callable: flat coordinates of the vertices without hard pin -> all positions, (n, 3)."""
    hard = network.pins == 1.0

    def positions(free):
        x = targets.astype(free.dtype)
        x[~hard] = free.reshape(-1, 3)
        return x

    return positions, ~hard


def objective(network, y, targets):
    """Callable: flat free coordinates -> 1/(2 dt^2) |M^(1/2)(x - y)|^2 + V(x) [J]; analytic in them."""
    positions, free = free_positions(network, targets)
    i, j = network.edges.T
    soft = free & (network.pins > 0)

    def value(unknowns):
        x = positions(unknowns)
        lengths = np.sqrt(np.sum((x[i] - x[j]) ** 2, axis=1))
        inertia = np.sum(network.masses[free] * np.sum((x - y)[free] ** 2, axis=1)) / (2 * DT**2)
        springs = 0.5 * np.sum(network.stiffness * (lengths - network.rest_lengths) ** 2)
        w = network.pins[soft] * network.pin_stiffness
        return inertia + springs + 0.5 * np.sum(w * np.sum((x - targets)[soft] ** 2, axis=1))

    return value


def complex_step_gradient(value):
    """Gradient of an analytic function to round-off, without deriving anything by hand."""

    def gradient(unknowns):
        steps = 1e-30j * np.eye(len(unknowns))
        return np.array([value(unknowns + step).imag for step in steps]) / 1e-30

    return gradient


@pytest.mark.sampled(4)
@pytest.mark.parametrize("acceleration", ["NONE", "SECANT", "LBFGS"])
def test_many_iterations_agree_with_an_independent_minimiser(taut_net, kicked, acceleration):
    network = taut_net(side=3)
    state = State(network.points, kicked(network), 0.0)
    targets = moving_targets(network, DT)
    y = inertial_position(network, state)
    positions, free = free_positions(network, targets)
    value = objective(network, y, targets)
    gradient = complex_step_gradient(value)
    start = optimize.minimize(lambda q: value(q).real, y[free].ravel(), jac=gradient, method="BFGS")
    # The minimiser stops where the objective no longer changes; the root of its gradient is sharper.
    minimum = optimize.root(gradient, start.x, tol=1e-14).x
    assert value(minimum) <= start.fun * (1.0 + 1e-14)
    assert np.abs(gradient(minimum)).max() < 1e-10

    simulation = Simulation(network, dt=DT, iterations=200, acceleration=acceleration)
    simulation.state = state
    simulation.step(targets)
    assert_allclose(simulation.state.x, positions(minimum), rtol=0, atol=1e-8)
    assert simulation.diagnostics()["residual"] < 1e-10


@pytest.mark.parametrize("acceleration", ["NONE", "SECANT", "LBFGS"])
def test_many_iterations_with_damping_solve_backward_euler(taut_net, kicked, acceleration):
    # Damping along the springs at the end of the step, f = -mu ((v_i - v_j) . n) n, is no gradient of
    # anything, so a root finder takes the place of the minimiser.
    network = taut_net(side=3, damping=0.8)
    state = State(network.points, kicked(network), 0.0)
    targets = moving_targets(network, DT)
    y = inertial_position(network, state)
    positions, free = free_positions(network, targets)
    gradient = complex_step_gradient(objective(network, y, targets))
    a = incidence_matrix(network)

    def imbalance(unknowns):
        x = positions(unknowns)
        u, rate = a @ x, a @ ((x - state.x) / DT)
        n = u / np.linalg.norm(u, axis=1, keepdims=True)
        damping = -a.T @ ((network.damping * np.sum(rate * n, axis=1))[:, None] * n)
        return gradient(unknowns) - damping[free].ravel()

    solution = optimize.root(imbalance, y[free].ravel(), tol=1e-14).x
    assert np.abs(imbalance(solution)).max() < 1e-10
    assert np.abs(imbalance(solution) - gradient(solution)).max() > 0.1

    simulation = Simulation(network, dt=DT, iterations=200, acceleration=acceleration)
    simulation.state = state
    simulation.step(targets)
    assert_allclose(simulation.state.x, positions(solution), rtol=0, atol=1e-8)


@pytest.mark.sampled(3)
@pytest.mark.combined
@pytest.mark.newest
@pytest.mark.parametrize("acceleration", ["NONE", "LBFGS"])
@pytest.mark.parametrize("start", ["taut", "crumpled", "coincident"])
def test_no_iteration_raises_the_objective(taut_net, kicked, start, acceleration):
    network = taut_net()
    rng = np.random.default_rng(11)
    x = {
        "taut": network.points,
        "crumpled": rng.normal(0.0, 0.05, network.points.shape),
        "coincident": np.zeros_like(network.points),
    }[start]
    v = np.zeros_like(x) if start == "coincident" else kicked(network)
    state = State(x, v, 0.0)
    targets = network.points
    value = objective(network, inertial_position(network, state), targets)
    free = network.pins < 1.0
    values = []
    for iterations in range(1, 41):
        simulation = Simulation(network, dt=DT, iterations=iterations, acceleration=acceleration)
        simulation.state = state
        simulation.step(targets)
        values.append(value(simulation.state.x[free].ravel()))
    values = np.array(values)
    # Round-off of a sum of about fifty terms.
    assert np.all(np.diff(values) <= 1e-14 * values[0])
    assert values[0] < value(
        np.where(free[:, None], inertial_position(network, state), targets)[free].ravel()
    )
    assert values[-1] < values[0]
