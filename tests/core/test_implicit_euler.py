# SPDX-License-Identifier: GPL-3.0-or-later
"""Implicit Euler: the linearised step against its dense equation, Newton's method against backward Euler's.

Everything it is compared with is written out here on a dense incidence matrix.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Simulation, SpringNetwork, State

DT = 0.04
G = np.array([0.0, 0.0, -9.81])


@pytest.fixture(params=["CHOLMOD", "SUPERLU"])
def backend(request):
    if request.param == "CHOLMOD":
        pytest.importorskip("cholespy", reason="cholespy is not installed")
    return request.param


def incidence_matrix(network):
    a = np.zeros((network.spring_count, network.vertex_count))
    rows = np.arange(network.spring_count)
    a[rows, network.edges[:, 0]], a[rows, network.edges[:, 1]] = 1.0, -1.0
    return a


def directions(network, x):
    u = incidence_matrix(network) @ x
    lengths = np.linalg.norm(u, axis=1)
    return u / lengths[:, None], lengths


def soft_weights(network):
    return np.where(network.pins < 1.0, network.pins, 0.0) * network.pin_stiffness


def internal_forces(network, x, v, targets):
    """Springs, damping and soft pins."""
    a = incidence_matrix(network)
    n, lengths = directions(network, x)
    tension = network.stiffness * (lengths - network.rest_lengths)
    tension = tension + network.damping * np.sum((a @ v) * n, axis=1)
    return -a.T @ (tension[:, None] * n) - soft_weights(network)[:, None] * (x - targets)


def backward_euler_residual(network, before, after, targets):
    """Norm of m (v' - v) / dt - f(x', v') over the norms of its two parts, at the free vertices.

    Both v and m v' / dt count in the inertia as x' - y does: v' = (x' - x) / dt.
    """
    free = network.pins < 1.0
    m = network.masses[:, None]
    v = (after.x - before.x) / DT
    inertia = (m * (v - before.v) / DT - m * G)[free]
    force = internal_forces(network, after.x, v, targets)[free]
    return np.linalg.norm(inertia - force) / (np.linalg.norm(inertia) + np.linalg.norm(force))


def objective(network, x, y, targets):
    """What an undamped step minimises."""
    _, lengths = directions(network, x)
    return (
        np.sum(network.masses[:, None] * (x - y) ** 2) / (2 * DT**2)
        + 0.5 * np.sum(network.stiffness * (lengths - network.rest_lengths) ** 2)
        + 0.5 * np.sum(soft_weights(network)[:, None] * (x - targets) ** 2)
    )


def clamped_stiffness(network, x):
    """-H: k (n n^T + max(0, 1 - L / length) (1 - n n^T)) between the ends, and the soft pins' weights."""
    a = incidence_matrix(network)
    n, lengths = directions(network, x)
    across = np.maximum(0.0, 1.0 - network.rest_lengths / lengths)
    along = np.einsum("ea,eb->eab", n, n)
    blocks = network.stiffness[:, None, None] * (along + across[:, None, None] * (np.eye(3) - along))
    size = 3 * network.vertex_count
    k = np.einsum("ei,eab,ej->iajb", a, blocks, a).reshape(size, size)
    d = np.einsum("ei,e,eab,ej->iajb", a, network.damping, along, a).reshape(size, size)
    return k + np.diag(np.repeat(soft_weights(network), 3)), d


@pytest.mark.parametrize("damping", [0.0, 0.8])
def test_linearised_step_solves_the_printed_equation(random_net, kicked, backend, damping):
    # (M - dt D - dt^2 H) dv = dt (f + dt H v), hard pins held: springs taut and slack, soft pins, gravity.
    pins = np.array([0, 0, 0.5, 0, 1, 0, 0, 0.2])
    network = random_net(damping=damping, pins=pins, pin_stiffness=30.0)
    simulation = Simulation(network, "IMPLICIT_EULER", dt=DT, backend=backend)
    v = kicked(network)
    v[4] = 0.0
    simulation.state = state = State(network.points, v, 0.0)
    free = np.repeat(pins < 1.0, 3)
    m = np.diag(np.repeat(network.masses, 3))
    for _ in range(3):
        k, d = clamped_stiffness(network, state.x)
        f = internal_forces(network, state.x, state.v, network.points) + network.masses[:, None] * G
        right = DT * (f.ravel() - DT * k @ state.v.ravel())
        dv = np.zeros(24)
        dv[free] = np.linalg.solve((m + DT * d + DT**2 * k)[np.ix_(free, free)], right[free])
        v = state.v + dv.reshape(-1, 3)
        simulation.step()
        assert np.abs(dv).max() > 0.1
        assert_allclose(simulation.state.v, v, rtol=0, atol=1e-12)
        assert_allclose(simulation.state.x, state.x + DT * v, rtol=0, atol=1e-13)
        state = simulation.state


def test_linearised_step_moves_the_hard_pins_in_the_equation(random_net, backend):
    # The pin's move pulls on its neighbours within the step: their equation has its known dv on the right.
    network = random_net(damping=0.3, pins=[1.0, *7 * [0.0]])
    simulation = Simulation(network, "IMPLICIT_EULER", dt=DT, gravity=(0, 0, 0), backend=backend)
    speed = np.array([0.5, -1.0, 2.0])
    k, d = clamped_stiffness(network, network.points)
    m = np.diag(np.repeat(network.masses, 3))
    right = DT * internal_forces(network, network.points, 0 * network.points, network.points).ravel()
    matrix = m + DT * d + DT**2 * k
    right -= matrix[:, :3] @ speed
    expected = np.linalg.solve(matrix[3:, 3:], right[3:]).reshape(-1, 3)
    simulation.step(network.points[:1] + DT * speed)
    assert_allclose(simulation.state.v[1:], expected, rtol=0, atol=1e-12)
    assert_allclose(simulation.state.v[0], speed, rtol=1e-12)


def test_one_dimension_is_the_printed_formula():
    # (1 + dt^2 k / m) dv = dt / m (f - dt k v) for a stretched spring along its direction.
    m, k, x, v = 0.2, 30.0, 1.3, -1.5
    network = SpringNetwork(
        [[0, 0, 0], [1, 0, 0]], [[0, 1]], masses=m, stiffness=k, rest_lengths=1.0, pins=[1.0, 0.0]
    )
    simulation = Simulation(network, "IMPLICIT_EULER", dt=DT, gravity=(0, 0, 0))
    simulation.state = State([[0, 0, 0], [x, 0, 0]], [[0, 0, 0], [v, 0, 0]], 0.0)
    simulation.step()
    f = -k * (x - 1.0)
    dv = DT / m * (f - DT * k * v) / (1 + DT**2 * k / m)
    assert_allclose(simulation.state.v[1], [v + dv, 0, 0], rtol=1e-13)


@pytest.mark.parametrize("damping", [0.0, 0.05, 1.0])
def test_newton_solves_backward_euler(random_net, kicked, backend, damping):
    # Hard and soft pins on the move, springs taut and slack, gravity.
    pins = [1, 0, 0.5, 0, 0, 0, 1, 0]
    network = random_net(damping=damping, pins=pins, pin_stiffness=30.0)
    simulation = Simulation(
        network, "IMPLICIT_EULER", dt=DT, newton_iterations=100, tolerance=1e-12, backend=backend
    )
    simulation.state = State(network.points, kicked(network), 0.0)
    for frame in range(1, 6):
        targets = network.points + 0.1 * frame * np.array([1.0, 0.5, -1.0])
        before = simulation.state
        simulation.step(targets)
        residual = backward_euler_residual(network, before, simulation.state, targets)
        assert residual < 1e-11
        assert simulation.integrator.residual() == pytest.approx(residual, abs=1e-12)
    assert not np.allclose(simulation.state.x, network.points, atol=0.3)


def test_newton_converges_quadratically_near_a_minimum(taut_net, kicked):
    network = taut_net()
    residuals = []
    for iterations in (2, 3, 4):
        simulation = Simulation(
            network, "IMPLICIT_EULER", dt=DT, newton_iterations=iterations, tolerance=1e-15
        )
        simulation.state = State(network.points, kicked(network), 0.0)
        simulation.step()
        residuals.append(simulation.integrator.residual())
    assert 1e-6 < residuals[0] < 1e-2
    assert residuals[1] < 5 * residuals[0] ** 2
    assert residuals[2] < 5 * residuals[1] ** 2 + 1e-14


def sheet(side, spacing):
    """Points and edges of a square sheet with both diagonals, 4 side^2 - 6 side + 2 springs."""
    network = SpringNetwork.grid((side, side), spacing, bending=0)
    return network.points, network.edges


@pytest.mark.newest
@pytest.mark.parametrize("size", [0.4, 0.1])
def test_newton_on_a_crumpled_net(size):
    # 812 springs, every vertex at a random place in a box of `size`: w dt is 70. In the large box nearly all
    # springs are stretched, to several times their length, in the small one half of them are compressed.
    points, edges = sheet(15, 0.05)
    network = SpringNetwork(points, edges, masses=1e-3, stiffness=100.0, pins=np.eye(1, len(points))[0])
    assert network.spring_count == 812
    x = np.random.default_rng(1).uniform(-size / 2, size / 2, points.shape)
    x[0] = points[0]
    before = State(x, np.zeros_like(x), 0.0)
    assert size > 0.1 or 0.4 < np.mean(network.spring_lengths(x) < network.rest_lengths) < 0.7
    simulation = Simulation(network, "IMPLICIT_EULER", dt=DT, newton_iterations=300)
    simulation.state = before
    simulation.step()
    assert backward_euler_residual(network, before, simulation.state, points) < 1e-10
    # Lower than where it started, and than where the clamped, linearised step ends.
    y = x + DT**2 * G
    y[0] = x[0]
    reached = objective(network, simulation.state.x, y, points)
    linearised = Simulation(network, "IMPLICIT_EULER", dt=DT)
    linearised.state = before
    linearised.step()
    assert reached < objective(network, linearised.state.x, y, points)
    assert reached < 0.1 * objective(network, x, y, points)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("squeezed", [0.3, 0.9])
def test_compressed_net_never_raises_the_objective(backend, squeezed):
    # A sheet pressed together in its plane, with a breath of noise: every spring wants to buckle, and the
    # exact matrix is indefinite. The iterates come out by asking for one iteration more each time.
    points, edges = sheet(6, 0.2)
    network = SpringNetwork(points, edges, masses=0.01, stiffness=500.0)
    x = squeezed * points + np.random.default_rng(2).normal(0.0, 1e-4, points.shape)
    y = x + DT**2 * G
    values, residual = [objective(network, x, y, points)], 1.0
    for iterations in range(1, 200):
        # One iteration alone would be the linearised step; a tolerance of 1 stops Newton's method after one.
        options = {
            "newton_iterations": max(iterations, 2),
            "tolerance": 1 - 1e-15 if iterations == 1 else 1e-10,
        }
        simulation = Simulation(network, "IMPLICIT_EULER", dt=DT, backend=backend, **options)
        simulation.state = State(x, np.zeros_like(x), 0.0)
        simulation.step()
        values.append(objective(network, simulation.state.x, y, points))
        residual = simulation.integrator.residual()
        if residual <= 1e-10:
            break
    assert residual <= 1e-10
    # Nothing but rounding between the last iterates.
    assert np.all(np.diff(values) <= 1e-14 * values[0])
    assert values[-1] < 0.5 * values[0]


def test_a_singular_matrix_is_passed():
    # Pushed to half its length, m / dt^2 + k (1 - L / length) = 1 + 1 (1 - 2) is exactly zero across.
    network = SpringNetwork([[0, 0, 0], [1, 0, 0]], [[0, 1]], stiffness=1, rest_lengths=2, pins=[1.0, 0.0])
    simulation = Simulation(network, "IMPLICIT_EULER", dt=1.0, gravity=(0, 0, 0), newton_iterations=20)
    simulation.step()
    # m (x - 1) / dt^2 + k (x - 2) = 0.
    assert_allclose(simulation.state.x[1], [1.5, 0, 0], rtol=1e-14)


@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_agrees_with_projective_dynamics_on_a_taut_net(taut_net, kicked, backend, damping):
    # Both minimise the same objective: many local/global steps end where Newton's method does.
    network = taut_net(damping=damping)
    ends = []
    for integrator, options in (
        ("IMPLICIT_EULER", {"newton_iterations": 60, "tolerance": 1e-13}),
        ("PROJECTIVE_DYNAMICS", {"iterations": 600}),
    ):
        simulation = Simulation(network, integrator, dt=DT, backend=backend, **options)
        simulation.state = State(network.points, kicked(network), 0.0)
        for frame in range(1, 4):
            simulation.step(network.points + 0.05 * frame)
        ends.append(simulation.state.x)
    assert_allclose(*ends, rtol=0, atol=1e-10)
    assert np.abs(ends[0] - network.points).max() > 0.1


def test_energy_never_grows(random_net, kicked):
    # At the minimiser T' + V' <= T + V, as Newton's method starts at x_t and never raises the objective.
    network = random_net(damping=0.0)
    simulation = Simulation(network, "IMPLICIT_EULER", dt=DT, gravity=(0, 0, 0), newton_iterations=60)
    simulation.state = State(network.points, kicked(network), 0.0)
    energies = [simulation.diagnostics()["total"]]
    for _ in range(40):
        simulation.step()
        energies.append(simulation.diagnostics()["total"])
    assert np.all(np.diff(energies) <= 1e-12)
    assert energies[-1] < 0.5 * energies[0]


@pytest.mark.parametrize("damping", [1.0, 50.0])
@pytest.mark.parametrize("seed", range(4))
def test_heavy_damping_stays_solvable(random_net, kicked, damping, seed):
    # Damping five to several hundred times critical turns with its springs: its derivative by the positions,
    # which is not symmetric, decides whether Newton's method converges at all.
    network = random_net(damping=damping, seed=seed)
    simulation = Simulation(network, "IMPLICIT_EULER", dt=DT, newton_iterations=30)
    simulation.state = State(network.points, kicked(network), 0.0)
    for _ in range(5):
        before = simulation.state
        simulation.step()
        assert backward_euler_residual(network, before, simulation.state, network.points) < 1e-10


@pytest.mark.parametrize("count", [0, -1, 2.5, np.inf, np.nan])
def test_newton_iterations_out_of_range_are_named(random_net, count):
    with pytest.raises(ValueError, match=f"newton_iterations is {count}: give a whole number of at least 1"):
        Simulation(random_net(), "IMPLICIT_EULER", dt=DT, newton_iterations=count)


@pytest.mark.parametrize("tolerance", [0.0, -1e-3, 1.0, np.nan])
def test_tolerance_out_of_range_is_named(random_net, tolerance):
    with pytest.raises(ValueError, match=f"tolerance is {tolerance}: it must be between 0 and 1"):
        Simulation(random_net(), "IMPLICIT_EULER", dt=DT, tolerance=tolerance)
