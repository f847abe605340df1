# SPDX-License-Identifier: GPL-3.0-or-later
"""Symplectic Euler: what it conserves exactly, its order and its stability limit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hooke.core import Simulation, SimulationDiverged, SpringNetwork, State

M, K = 0.3, 40.0
OMEGA = np.sqrt(K / M)


def oscillator(dt, x=(1.0, -0.5, 0.25), v=(0.5, 2.0, -1.0)):
    """A mass on a spring of zero rest length to a hard pin at the origin: x'' = -w^2 x, three times over."""
    network = SpringNetwork(
        np.zeros((2, 3)), [[0, 1]], masses=M, stiffness=K, rest_lengths=0.0, pins=[1.0, 0.0]
    )
    simulation = Simulation(network, "SYMPLECTIC_EULER", dt=dt, gravity=(0, 0, 0))
    simulation.state = State(
        np.array([[0, 0, 0], x], dtype=float), np.array([[0, 0, 0], v], dtype=float), 0.0
    )
    return simulation


def test_one_step_by_hand():
    # v' = v - dt w^2 x, x' = x + dt v'.
    simulation = oscillator(0.01)
    simulation.step()
    v = np.array([0.5, 2.0, -1.0]) - 0.01 * K / M * np.array([1.0, -0.5, 0.25])
    assert_allclose(simulation.state.v[1], v, rtol=1e-14)
    assert_allclose(simulation.state.x[1], np.array([1.0, -0.5, 0.25]) + 0.01 * v, rtol=1e-14)


@pytest.mark.newest
def test_oscillator_is_of_first_order():
    # x(t) = x0 cos(w t) + v0 / w sin(w t), here after 0.7 periods.
    duration = 0.7 * 2 * np.pi / OMEGA
    exact = np.cos(OMEGA * duration) + 0.5 / OMEGA * np.sin(OMEGA * duration)
    steps = np.array([100, 200, 400, 800])
    errors = []
    for count in steps:
        simulation = oscillator(duration / count)
        for _ in range(count):
            simulation.step()
        errors.append(abs(simulation.state.x[1, 0] - exact))
    slope = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(1.0, abs=0.1)


@pytest.mark.newest
def test_modified_energy_is_conserved_to_round_off():
    # v^2 + w^2 x^2 - dt w^2 v x, exact for any dt.
    dt = 0.5 / OMEGA

    def invariant():
        x, v = simulation.state.x[1], simulation.state.v[1]
        return np.sum(v**2 + OMEGA**2 * x**2 - dt * OMEGA**2 * v * x)

    simulation = oscillator(dt)
    start = invariant()
    for _ in range(1000):
        simulation.step()
        assert invariant() == pytest.approx(start, rel=1e-12)


@pytest.mark.newest
def test_stable_just_below_two_over_omega():
    simulation = oscillator(0.99 * 2 / OMEGA)
    # The modified energy is a norm as long as dt < 2 / w: no amplitude ever exceeds the start's by more
    # than its condition number, sqrt((1 + dt w / 2) / (1 - dt w / 2)) = 14.1.
    size = np.hypot(np.linalg.norm(simulation.state.x), np.linalg.norm(simulation.state.v) / OMEGA)
    for _ in range(2000):
        simulation.step()
        assert np.linalg.norm(simulation.state.x) < 14.2 * size


def test_unstable_just_above_two_over_omega():
    # The dominant root of z^2 + (dt^2 w^2 - 2) z + 1 is -1.33: ten thousand times the start in 33 steps.
    simulation = oscillator(1.01 * 2 / OMEGA)
    start = np.linalg.norm(simulation.state.x)
    with pytest.raises(SimulationDiverged):
        for _ in range(40):
            simulation.step()
            largest = np.linalg.norm(simulation.state.x)
    assert largest > 10 * start


@pytest.mark.parametrize("damping", [0.0, 0.4])
def test_angular_momentum_is_conserved(random_net, kicked, damping):
    # x' - x is along v', and forces along the springs have no torque: exact for any dt, damped or not.
    network = random_net(damping=damping)
    simulation = Simulation(network, "SYMPLECTIC_EULER", dt=0.01, gravity=(0, 0, 0))
    simulation.state = State(network.points, kicked(network), 0.0)

    def angular_momentum():
        return network.masses @ np.cross(simulation.state.x, simulation.state.v)

    start = angular_momentum()
    assert np.abs(start).max() > 0.01
    for _ in range(200):
        simulation.step()
    assert_allclose(angular_momentum(), start, rtol=0, atol=1e-13)


@pytest.mark.newest
def test_energy_of_an_undamped_net_stays_bounded(random_net, kicked):
    # Backward error analysis: the energy oscillates within O(dt) and does not drift.
    network = random_net(damping=0.0)
    simulation = Simulation(network, "SYMPLECTIC_EULER", dt=0.001, gravity=(0, 0, 0))
    simulation.state = State(network.points, kicked(network), 0.0)
    start = simulation.diagnostics()["total"]
    energies = []
    for _ in range(2000):
        simulation.step()
        energies.append(simulation.diagnostics()["total"])
    assert_allclose(energies, start, rtol=0.03)
    assert np.mean(energies[-500:]) == pytest.approx(np.mean(energies[:500]), rel=0.002)
