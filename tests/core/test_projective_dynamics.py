# SPDX-License-Identifier: GPL-3.0-or-later
"""Projective dynamics: closed forms and conservation laws."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hooke.core import Simulation, SpringNetwork, State

G = 9.81


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dt", [0.04, 1.0])
def test_hanging_chain(dt):
    # Spring j of n carries the weight of the n - j + 1 masses below it: u_j = (m g / k)(j n - j (j - 1) / 2).
    n, m, k = 10, 0.1, 100.0
    points = np.column_stack([np.zeros((n + 1, 2)), -np.arange(n + 1.0)])
    edges = np.column_stack([np.arange(n), np.arange(1, n + 1)])
    network = SpringNetwork(points, edges, masses=m, stiffness=k, damping=1.0, pins=[1.0] + n * [0.0])
    simulation = Simulation(network, dt=dt)
    for _ in range(1500 if dt < 1 else 60):
        simulation.step()
    j = np.arange(n + 1)
    hanging = points.copy()
    hanging[:, 2] -= m * G / k * (j * n - j * (j - 1) / 2)
    # The slowest mode has decayed below round-off: by 0.985 a step of 0.04 s, by 0.2 a step of 1 s.
    assert_allclose(simulation.state.x, hanging, rtol=0, atol=1e-12)
    assert_allclose(simulation.state.v, 0.0, atol=1e-11)


@pytest.mark.parametrize("weight", [0.1, 0.5, 0.999])
def test_soft_pin_gives_way_by_weight_over_stiffness(weight):
    m, pin_stiffness = 0.3, 50.0
    network = SpringNetwork([[1, 2, 3]], [], masses=m, pins=[weight], pin_stiffness=pin_stiffness)
    simulation = Simulation(network, dt=1.0)
    for _ in range(100):
        simulation.step()
    assert_allclose(simulation.state.x, [[1, 2, 3 - m * G / (weight * pin_stiffness)]], rtol=1e-14)


@pytest.mark.parametrize("damping", [0.0, 0.4])
@pytest.mark.parametrize("iterations", [1, 2, 5, 10])
def test_momentum_is_conserved_at_every_number_of_iterations(random_net, kicked, iterations, damping):
    network = random_net(damping=damping)
    simulation = Simulation(network, dt=0.04, gravity=(0, 0, 0), iterations=iterations)
    simulation.state = State(network.points, kicked(network), 0.0)
    momentum = network.masses @ simulation.state.v
    size = network.masses @ np.abs(simulation.state.v)
    for _ in range(20):
        simulation.step()
        # Velocities are differences of positions of 1 m over 0.04 s: eps / dt = 5e-15 m/s each.
        assert_allclose(network.masses @ simulation.state.v, momentum, rtol=0, atol=1e-12 * size.max())
    assert np.abs(simulation.state.v - kicked(network)).max() > 0.1


def test_internal_forces_have_no_torque_in_the_limit_of_many_iterations(random_net, kicked):
    # About the end positions; the angular momentum itself decays by O(dt), as in backward Euler.
    network = random_net()
    torques = []
    for iterations in (1, 5, 20, 80, 320):
        simulation = Simulation(network, dt=0.04, gravity=(0, 0, 0), iterations=iterations)
        simulation.state = State(network.points, kicked(network), 0.0)
        simulation.step()
        y = network.points + 0.04 * kicked(network)
        internal = network.masses[:, None] * (simulation.state.x - y) / 0.04**2
        torques.append(np.abs(np.cross(simulation.state.x, internal).sum(axis=0)).max())
    assert torques[0] > 1e-3
    assert torques[-1] < 1e-12
    assert all(later < earlier for earlier, later in pairwise(torques))


@pytest.mark.newest
def test_energy_never_grows(taut_net, kicked):
    # Backward Euler at its minimum: T' + V' <= T + V, since the objective there is at most that at x_t.
    network = taut_net()
    simulation = Simulation(network, dt=0.02, gravity=(0, 0, 0), iterations=60)
    simulation.state = State(network.points, kicked(network), 0.0)
    energies = []
    for _ in range(100):
        simulation.step()
        energies.append(simulation.diagnostics()["total"])
    assert np.all(np.diff(energies) <= 0)
    assert energies[-1] < 0.99 * energies[0]


def test_unit_of_iterations_is_the_whole_step_where_directions_are_fixed():
    # A rest length of zero makes the objective quadratic: one iteration is the linear backward Euler step
    # (1 + dt^2 k / m) x' = x + dt v.
    m, k, dt = 0.2, 30.0, 0.1
    network = SpringNetwork(
        [[0, 0, 0], [1, 2, 3]], [[0, 1]], masses=m, stiffness=k, rest_lengths=0, pins=[1.0, 0.0]
    )
    v = np.array([[0, 0, 0], [3.0, -1.0, 2.0]])
    simulation = Simulation(network, dt=dt, gravity=(0, 0, 0), iterations=1)
    simulation.state = State(network.points, v, 0.0)
    simulation.step()
    expected = (network.points + dt * v)[1] / (1 + dt**2 * k / m)
    assert_allclose(simulation.state.x[1], expected, rtol=1e-14)
    assert simulation.integrator.residual() < 1e-14


def test_damped_spring_is_the_linear_backward_euler_step():
    # Along its direction (1 + dt mu / m + dt^2 k / m)(x' - L) = (1 + dt mu / m)(x - L) + dt v.
    m, k, mu, dt = 0.2, 30.0, 0.7, 0.1
    network = SpringNetwork(
        [[0, 0, 0], [1, 0, 0]], [[0, 1]], masses=m, stiffness=k, damping=mu, rest_lengths=0.8, pins=[1.0, 0.0]
    )
    simulation = Simulation(network, dt=dt, gravity=(0, 0, 0), iterations=1)
    simulation.state = State(network.points, np.array([[0, 0, 0], [1.5, 0, 0]]), 0.0)
    simulation.step()
    stretch = ((1 + dt * mu / m) * 0.2 + dt * 1.5) / (1 + dt * mu / m + dt**2 * k / m)
    assert_allclose(simulation.state.x[1], [0.8 + stretch, 0, 0], rtol=1e-14)


@pytest.mark.parametrize("rest_length", [0.0, 1.0])
@pytest.mark.parametrize("damping", [0.0, 5.0])
def test_coincident_ends_stay_together_without_a_direction(rest_length, damping):
    network = SpringNetwork(
        np.zeros((3, 3)), [[0, 1], [1, 2]], stiffness=1e4, rest_lengths=rest_length, damping=damping
    )
    simulation = Simulation(network, dt=0.04, gravity=(1.0, 0, -2.0))
    simulation.step()
    assert_allclose(simulation.state.x, np.tile([0.0016, 0, -0.0032], (3, 1)), rtol=1e-14)


@pytest.mark.parametrize("iterations", [0, -1, 2.5])
def test_iterations_out_of_range_are_named(random_net, iterations):
    with pytest.raises(ValueError, match=f"iterations is {iterations}: give a whole number of at least 1"):
        Simulation(random_net(), dt=0.04, iterations=iterations)


def test_unknown_backend_is_named(random_net):
    with pytest.raises(ValueError, match="linear solver backend is 'FAST'"):
        Simulation(random_net(), dt=0.04, backend="FAST")


def test_more_iterations_leave_a_smaller_residual(taut_net):
    residuals = []
    for iterations in (1, 10, 400):
        simulation = Simulation(taut_net(), dt=0.04, iterations=iterations)
        assert simulation.integrator.residual() == 0.0  # nothing solved, nothing left over
        simulation.step()
        residuals.append(simulation.integrator.residual())
    assert residuals[0] > residuals[1] > residuals[2]
    assert residuals[2] < 1e-12


def test_step_leaves_the_state_it_starts_from_alone(taut_net, kicked):
    network = taut_net(damping=0.5)
    x, v = network.points.copy(), kicked(network)
    simulation = Simulation(network, dt=0.04)
    simulation.state = State(x, v, 0.0)
    simulation.step()
    simulation.step()
    assert_array_equal(x, network.points)
    assert_array_equal(v, kicked(network))
